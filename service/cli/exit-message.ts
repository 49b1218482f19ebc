import { BackupError } from '../store/backup.ts'
import { codeOf } from '../store/error-code.ts'
import { NewerDatabaseError } from '../store/migrate.ts'

/** A mistake in how a command was called, or a state that it cannot start in: the message says what to do. */
export class CommandError extends Error {}

/** Somebody asked how a command is called: the message says it. */
export class HelpAsked extends Error {}

const sentences: Record<string, string> = {
  EADDRINUSE: 'Another program uses this port. Choose another with --port, or --port 0 for any free one.',
  EACCES: 'The system does not allow this port or folder. Choose a port above 1023 and a folder that you may write to.',
  EADDRNOTAVAIL: 'This computer doesn’t have this host address. Choose another with --host.',
  ENOSPC: 'The disk is full. Free some space and start again. No saved data was lost.',
  EROFS: 'The data folder is on a read-only disk. Choose another with --data.',
  EPERM: 'The system does not allow writing to the data folder. Choose another with --data.',
  ENOTDIR: 'The data folder is a file. Choose a folder with --data.',
  EEXIST: 'The data folder is a file. Choose a folder with --data.',
  SQLITE_FULL: 'The disk is full. Free some space and start again. No saved data was lost.',
  SQLITE_IOERR: 'The disk is full or can’t be written to. Free some space or check the disk, then start again. No saved data was lost.',
  EDQUOT: 'The disk quota is used up. Free some space and start again. No saved data was lost.',
  SQLITE_CANTOPEN: 'The database file cannot be opened. Check that the data folder can be written to.',
  SQLITE_READONLY: 'The database file is read-only. Check who owns the data folder.',
  SQLITE_NOTADB: 'The database file is damaged or not a SQLite database. Restore a backup into an empty folder.',
  SQLITE_CORRUPT: 'The database file is damaged. Restore a backup into an empty folder.',
  SQLITE_BUSY: 'Another program is using the database. Close it and start again.',
  ECONNREFUSED: 'PostgreSQL does not answer at the database URL. Check the host and port, and that it runs.',
  ENOTFOUND: 'The host in the database URL wasn’t found. Check its spelling.',
  '28P01': 'PostgreSQL refused the user or password in the database URL.',
  '28000': 'PostgreSQL refused the user in the database URL.',
  '3D000': 'The database named in the database URL does not exist. Create it first.',
  '42501': 'The user in the database URL may not create tables. Give it the right to, or use another user.',
}

/** One sentence for a person about why the service cannot start or a command cannot run. */
export const exitMessage = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof NewerDatabaseError || error instanceof BackupError) return error.message
  const code = codeOf(error instanceof AggregateError ? error.errors[0] : error)
  const sentence = code === null ? undefined : (sentences[code] ?? sentences[code.split('_').slice(0, 2).join('_')])
  if (sentence !== undefined) return sentence
  return error instanceof Error ? `The service failed: ${error.message}` : 'The service failed.'
}
