import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'

/**
 * Renames `fresh` to `file`. The file that had this name is kept as `<file>.old`, `.old-2` and so on. If it rejects, with Node's error, `file`
 * is as it was.
 */
export async function replaceKeepingOld(file: string, fresh: string): Promise<void> {
  if (!existsSync(file)) return rename(fresh, file)
  let old = `${file}.old`
  for (let count = 2; existsSync(old); count++) old = `${file}.old-${count}`
  await rename(file, old)
  try {
    await rename(fresh, file)
  } catch (error) {
    await rename(old, file)
    throw error
  }
}
