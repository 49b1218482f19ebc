import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder, with those above it, for the user of this process only; one that exists stays as it is. Returns whether it is new. Node's
 * own `recursive` never ends where the system denies an existing folder a new one with ENOENT, as in /proc.
 */
export const makeFolder = async (folder: string): Promise<boolean> => {
  const above = dirname(folder)
  // A drive that isn't connected is above itself.
  if (above !== folder && !existsSync(above)) await makeFolder(above)
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if ((await stat(folder).catch(() => null))?.isDirectory() !== true) throw error
    return false
  }
}
