import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** Where the new file of a repair lies, whole, until it takes the place of the damaged one. */
export const madeOf = (file: string): string => `${file}.repaired`

/** Takes the last step of a repair: before it the damaged file is in place, after it the new one, also when a crash falls between. */
export function finishRepair(file: string): void {
  if (!existsSync(madeOf(file))) return
  // The log of the damaged file would be read into the new one. The copy has it.
  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
  renameSync(madeOf(file), file)
  flush(dirname(file))
}

/** Sees to it that a file, or the names in a folder, outlive a power cut. */
export function flush(path: string): void {
  // Windows knows no such thing for a folder, and none for a file opened to be read.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
