import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Windows has no such owners: another user's folder can't be written to there. */
const self = process.getuid?.() ?? null

/** Whether a file, folder or link belongs to this user. False if it doesn't exist. */
export const isOwn = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (self === null || found.uid === self)
}

/**
 * The first part of the path `folder` that another user owns, and so could redirect by a link or fill with settings; null: none. Removes
 * others' write permission from folders of ours. Throws as Node does.
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
