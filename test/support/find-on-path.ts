import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The full path of the first of `names` that the PATH knows as an executable, or null. */
export function findOnPath(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // Not here.
      }
    }
  }
  return null
}
