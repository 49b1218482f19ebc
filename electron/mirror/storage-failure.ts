export type StorageFailure = 'database-damaged' | 'disk-full' | 'folder-read-only' | 'folder-in-use'

const kinds: readonly [StorageFailure, RegExp][] = [
  ['database-damaged', /^SQLITE_(?:CORRUPT|NOTADB)/],
  // Opening a database creates a file of shared memory next to it; on a full disk that has its own error code.
  ['disk-full', /^(?:ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)/],
  ['folder-read-only', /^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/],
  ['folder-in-use', /^SQLITE_BUSY/],
]

/**
 * Returns the failure of a disk or database that the user can act on, by the code of Node's or SQLite's error. Null: the code means none of
 * them.
 */
export const storageFailure = (code: string): StorageFailure | null => kinds.find(([, codes]) => codes.test(code))?.[0] ?? null
