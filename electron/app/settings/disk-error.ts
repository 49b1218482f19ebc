import type { AppError } from '../../bridge/app-error.ts'
import { storageFailure } from '../../mirror/storage-failure.ts'

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/**
 * Returns the error for a disk or database failure that the user can fix, by the `code` of Node's or SQLite's error. `folder`: named in the
 * message. `outcome`: what was saved all the same, in words. Null: treat the error as a bug.
 */
export const diskError = (error: unknown, folder: string, outcome = 'nothing was saved'): AppError | null => {
  const kind = storageFailure(codeOf(error))
  if (kind === 'disk-full') return { kind, message: `The disk is full, so ${outcome}. Free some space, then try again.` }
  if (kind === 'folder-read-only') {
    const message = `Holdfast can’t write to ${folder}, so ${outcome}. Give your user write access to this folder, or start Holdfast with --data-dir and another one.`
    return { kind, message }
  }
  if (kind === 'folder-in-use') {
    const message = `Another program is using a database in ${folder}, so ${outcome}. Close it, then try again.`
    return { kind, message }
  }
  if (kind === 'database-damaged') {
    const message = `A database in ${folder} is damaged. Holdfast is checking it and will offer to repair it.`
    return { kind, message }
  }
  return null
}
