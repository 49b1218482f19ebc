import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Null on Windows, where another user's folder can't be written to. */
const self = process.getuid?.() ?? null

/** Whether a file, folder or link belongs to this user. False if it doesn't exist. */
export const isOwn = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (self === null || found.uid === self)
}

/**
 * Returns the folder, or the first entry in it, if another user owns it: that user could redirect it by a link, or put settings in it.
 * Null: this user owns all. Removes other users' write permission from the folder. Throws Node's errors.
 */
export function foreignPart(folder: string): string | null {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (self === null || found === undefined) return null
  if (found.uid !== self) return folder
  if ((found.mode & 0o022) !== 0) chmodSync(folder, found.mode & 0o755)
  return (
    readdirSync(folder)
      .map((name) => join(folder, name))
      .find((path) => !isOwn(path)) ?? null
  )
}
