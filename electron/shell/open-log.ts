import { renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { destination, multistream, pino } from 'pino'
import type { AppDeps } from '../app/app-deps.ts'
import { foreignPart } from '../app/foreign-owner.ts'
import { makeFolder } from '../app/make-folder.ts'

const keptBytes = 2 * 1024 * 1024

/**
 * Opens the log of a data folder: JSON lines in `logs/holdfast.log`, errors also on stderr. A file of more than 2 MiB becomes
 * `holdfast.old.log`, of which only the last is kept. If the folder can't be written, or belongs to another user, lines go only to stderr.
 * If the disk is full, lines are dropped.
 */
export function openLog(dataDir: string): AppDeps['log'] {
  const file = openLogFile(join(dataDir, 'logs'))
  const stderr = { level: file ? 'error' : 'info', stream: destination({ dest: 2, sync: true }) } as const
  const logger = pino({ base: null }, multistream(file ? [{ level: 'info', stream: file }, stderr] : [stderr]))
  return (level, message, data) => logger[level](data ?? {}, message)
}

function openLogFile(folder: string) {
  try {
    // A link of another user could redirect the lines into a file of ours.
    if (foreignPart(dirname(folder)) !== null || foreignPart(folder) !== null) return null
    makeFolder(folder)
    const path = join(folder, 'holdfast.log')
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > keptBytes) renameSync(path, join(folder, 'holdfast.old.log'))
    const stream = destination({ dest: path, sync: true, mode: 0o600 })
    // If the error were thrown, a full disk would fail the call that logs, and end the process.
    const write = (line: string) => {
      try {
        stream.write(line)
      } catch {
        // Errors are on stderr as well.
      }
    }
    return { write }
  } catch {
    return null
  }
}
