import { BackupError } from '../store/backup.ts'
import { codeOf } from '../store/error-code.ts'
import { NewerDatabaseError } from '../store/migrate.ts'

/** A mistake in how a command was called, or a state that it cannot start in: the message says what to do. */
export class CommandError extends Error {}

/** Somebody asked how a command is called: the message says it. */
export class HelpAsked extends Error {}

const noAnswer = 'PostgreSQL does not answer at the database URL. Check the host and port, and that it runs.'
const notTrusted =
  'PostgreSQL’s certificate isn’t trusted. Name the file of its authority in the database URL with sslrootcert, or renew the certificate.'

/** By code, with the system call before it where that tells more. */
const sentences: Record<string, string> = {
  EADDRINUSE: 'Another program uses this port. Choose another with --port, or --port 0 for any free one.',
  'listen EACCES': 'The system doesn’t allow this port. Choose one above 1023 with --port.',
  EACCES: 'The system doesn’t allow this folder. Choose one that you may write to with --data.',
  'mkdir ENOENT': 'The data folder can’t be created there. Choose another with --data.',
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
  ECONNREFUSED: noAnswer,
  ECONNRESET: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ETIMEDOUT: noAnswer,
  ENOTFOUND: 'The host in the database URL wasn’t found. Check its spelling.',
  EAI_AGAIN: 'The host in the database URL wasn’t found, because the name server does not answer. Try again.',
  ERR_INVALID_URL: 'The database URL can’t be read. Check its port, and write special characters of the password as % and two hex digits.',
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  CERT_HAS_EXPIRED: notTrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: 'PostgreSQL’s certificate is for another host. Write the database URL with the name in its certificate.',
  '53300': 'PostgreSQL has no connection left. Raise its max_connections, or end other programs that use it.',
  '57P03': 'PostgreSQL is starting or stopping. Try again in a moment.',
  '28P01': 'PostgreSQL refused the user or password in the database URL.',
  '28000': 'PostgreSQL refused the user in the database URL.',
  '3D000': 'The database named in the database URL does not exist. Create it first.',
  '42501': 'The user in the database URL may not create tables. Give it the right to, or use another user.',
}

const syscallOf = (error: unknown): string => String((error as { syscall?: unknown } | null)?.syscall)

/** What the driver of PostgreSQL says without a code. */
const driverSentences: [RegExp, string][] = [
  [/password must be a/, 'PostgreSQL wants a password. Put it into the database URL, or set PGPASSWORD.'],
  [/does not support SSL/, 'PostgreSQL doesn’t offer TLS, which sslmode asks for. Turn on ssl in its configuration.'],
  [/^timeout expired|^Connection terminated/, noAnswer],
]

/** One sentence for a person about why the service cannot start or a command cannot run. */
export const exitMessage = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof NewerDatabaseError || error instanceof BackupError) return error.message
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = codeOf(cause)
  const sentence =
    code === null
      ? undefined
      : (sentences[`${syscallOf(cause)} ${code}`] ?? sentences[code] ?? sentences[code.split('_').slice(0, 2).join('_')])
  if (sentence !== undefined) return sentence
  if (!(error instanceof Error)) return 'The service failed.'
  return driverSentences.find(([words]) => words.test(error.message))?.[1] ?? `The service failed: ${error.message}`
}
