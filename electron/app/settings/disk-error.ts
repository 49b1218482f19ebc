import type { AppError } from '../../bridge/app-error.ts'

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/**
 * The failures of disk and database that a user can do something about, told from errors of Node (`code`) and of SQLite.
 * `folder` is named in the sentence. Null: this error is none of them, treat it as a bug.
 */
export const diskError = (error: unknown, folder: string): AppError | null => {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') {
    return { kind: 'disk-full', message: 'The disk is full, so nothing was saved. Free some space, then try again.' }
  }
  if (
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'EROFS' ||
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN')
  ) {
    return {
      kind: 'folder-read-only',
      message: `Holdfast can’t write to ${folder}, so nothing was saved. Give your user write access to this folder, or start Holdfast with --data-dir and another one.`,
      folder,
    }
  }
  if (code.startsWith('SQLITE_BUSY')) {
    const message = `Another program is using a database in ${folder}, so nothing was saved. Close it, then try again.`
    return { kind: 'folder-in-use', message, folder }
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return {
      kind: 'database-damaged',
      message: `A database in ${folder} is damaged. Holdfast is checking it and will offer to repair it.`,
      file: folder,
    }
  }
  return null
}
