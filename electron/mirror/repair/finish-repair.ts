import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** The path of the complete new file of a repair, until it replaces the damaged one. */
export const madeOf = (file: string): string => `${file}.repaired`

/** Takes the last step of a repair. Before this step the damaged file is in place, after it the new file, even if a crash interrupts it. */
export function finishRepair(file: string): void {
  if (!existsSync(madeOf(file))) return
  // SQLite would apply the log of the damaged file to the new one. The copy of the damaged file includes a copy of the log.
  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
  renameSync(madeOf(file), file)
  flush(dirname(file))
}

/** Writes a file, or the names in a folder, to disk, so that a power cut can't lose them. */
export function flush(path: string): void {
  // Windows can't do this for a folder, nor for a file opened for reading.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
