export type StorageFailure = 'database-damaged' | 'disk-full' | 'folder-read-only' | 'folder-in-use'

const kinds: readonly [StorageFailure, RegExp][] = [
  ['database-damaged', /^SQLITE_(?:CORRUPT|NOTADB)/],
  // Opening a database makes a file of shared memory next to it, which a full disk refuses by a code of its own.
  ['disk-full', /^(?:ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)/],
  ['folder-read-only', /^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/],
  ['folder-in-use', /^SQLITE_BUSY/],
]

/** The failure of a disk or a database that a user can act on, by the code of Node's or SQLite's error. Null: the code means none of them. */
export const storageFailure = (code: string): StorageFailure | null => kinds.find(([, codes]) => codes.test(code))?.[0] ?? null
