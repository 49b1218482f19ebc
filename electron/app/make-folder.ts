import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder, with those above it, for this user only; one that exists stays as it is. Node's own `recursive` never ends where the
 * system denies an existing folder a new one with ENOENT, as in /proc.
 */
export function makeFolder(folder: string): void {
  const above = dirname(folder)
  // A drive that isn't connected is above itself.
  if (above !== folder && !existsSync(above)) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
