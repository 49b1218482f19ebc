import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Windows has no such owners: there a folder of another user's cannot be written. */
const self = process.getuid?.() ?? null

/** Whether a file, folder or link belongs to this user. False also where there is none. */
export const isOwn = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (self === null || found.uid === self)
}

/**
 * The part of `folder` that belongs to another user, who could make files of ours of it by a link, or have put settings there; null: none.
 * What others may write to in a folder of ours they may not from now on. Throws as Node does.
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
