import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { destination, multistream, pino } from 'pino'
import type { AppDeps } from '../app/app-deps.ts'
import { foreignPart } from '../app/foreign-owner.ts'

const keptBytes = 2 * 1024 * 1024

/**
 * Opens the log of a data folder: JSON lines in `logs/holdfast.log`, errors also on stderr. The
 * file of earlier runs is kept once as `holdfast.old.log` when it has grown past 2 MiB. Where the
 * folder cannot be written, or is another user's, all lines go to stderr alone. A line that finds no room on the disk is dropped.
 */
export function openLog(dataDir: string): AppDeps['log'] {
  const file = openLogFile(join(dataDir, 'logs'))
  const stderr = { level: file ? 'error' : 'info', stream: destination({ dest: 2, sync: true }) } as const
  const logger = pino({ base: null }, multistream(file ? [{ level: 'info', stream: file }, stderr] : [stderr]))
  return (level, message, data) => logger[level](data ?? {}, message)
}

function openLogFile(folder: string) {
  try {
    // A link of another user's could lead the lines into a file of ours.
    if (foreignPart(dirname(folder)) !== null || foreignPart(folder) !== null) return null
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, 'holdfast.log')
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > keptBytes) renameSync(path, join(folder, 'holdfast.old.log'))
    const stream = destination({ dest: path, sync: true, mode: 0o600 })
    // Thrown on, a full disk would fail the call that logs, and end the process.
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
