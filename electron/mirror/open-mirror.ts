import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { AppError } from '../bridge/app-error.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import { migrate } from './migrate.ts'
import { newestVersion } from './migrations.ts'
import type { Mirror } from './mirror.ts'
import { finishRepair } from './repair/finish-repair.ts'
import { logHasHole } from './repair/log-has-hole.ts'
import type { MirrorDatabase } from './schema.ts'
import { scheduleCheckpoints } from './schedule-checkpoints.ts'
import { storageFailure } from './storage-failure.ts'
import { logTouches } from './touch-log.ts'
import { createTx, type Tx } from './tx.ts'

const damaged: AppError = {
  kind: 'database-damaged',
  message: 'The database of this workspace is damaged. Nothing was deleted: keep a copy of the file before you do anything else.',
}

const missing = (file: string): AppError => ({
  kind: 'database-missing',
  message: `The database of this workspace is missing. Put ${file} and the files next to it back, then try again.`,
})

/** The size of SQLite's smallest page in bytes. */
const smallest = 512

/** Returns the error for a database file that can't be opened, by SQLite's code. */
function openError(file: string, error: unknown): AppError {
  const kind = error instanceof SqliteDatabase.SqliteError ? storageFailure(error.code) : null
  if (kind === 'database-damaged') return damaged
  if (kind === 'disk-full') return { kind, message: 'The disk is full. Free some space, then try again.' }
  if (kind === 'folder-read-only' || !existsSync(dirname(file))) {
    const message = `Holdfast can’t write to ${file}. Give this user write permission to the folder, then start again.`
    return { kind: 'folder-read-only', message }
  }
  if (kind === 'folder-in-use') return { kind, message: 'Another program is using this database. Close it, then try again.' }
  throw error
}

/**
 * Opens a workspace's database and migrates it to the newest schema. Creates it if it is missing, unless it `mustExist`. It uses WAL with
 * synchronous FULL: queued changes survive a power cut, which WAL's default does not promise. Checks the log and the queue. The rest is
 * checked by `isMirrorWhole`, or here if `thorough`, after damage was found.
 */
export function openMirror(file: string, { thorough = false, mustExist = false } = {}): Result<Mirror> {
  let writer: SqliteDatabase.Database | undefined
  try {
    finishRepair(file)
    // SQLite treats a file that is shorter than a page as a new, empty database.
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined && mustExist) return err(missing(file))
    if ((size ?? smallest) < smallest) return err(damaged)
    // A reader checks the file, because closing a writer copies the log into it: a damaged file must stay as it is.
    if (size !== undefined && (logHasHole(file) || !isQueueWhole(file, thorough))) return err(damaged)
    writer = new SqliteDatabase(file)
    writer.pragma('journal_mode = WAL')
    writer.pragma('synchronous = FULL')
    if (process.platform === 'darwin') writer.pragma('fullfsync = ON')
    writer.pragma('busy_timeout = 2000')
    // Deleted ciphertexts and freed pages are overwritten, not left in the file.
    writer.pragma('secure_delete = ON')
    const migrated = migrate(writer)
    if (!migrated.ok) {
      writer.close()
      return err(migrated.error)
    }
    return ok(createMirror(file, writer))
  } catch (error) {
    writer?.close()
    return err(openError(file, error))
  }
}

/** Whether the queue is intact. With `thorough`, and before a migration: whether the whole file is. */
function isQueueWhole(file: string, thorough: boolean): boolean {
  const reader = new SqliteDatabase(file, { readonly: true, fileMustExist: true })
  try {
    const isOk = (check: string): boolean => reader.pragma(check, { simple: true }) === 'ok'
    const version = Number(reader.pragma('user_version', { simple: true }))
    if (thorough ? !isOk('integrity_check(1)') : version !== newestVersion() && !isOk('quick_check(1)')) return false
    // This compares the indexes with the table too: a change missing in an index would never be sent.
    return version === 0 || isOk('integrity_check(queue)')
  } catch (error) {
    // The very first transaction crashed, before there was a log: only a writer can roll it back, and the file has no data yet.
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_READONLY_ROLLBACK') return true
    throw error
  } finally {
    reader.close()
  }
}

function createMirror(file: string, writer: SqliteDatabase.Database): Mirror {
  const reader = new SqliteDatabase(file, { readonly: true })
  // The operating system caches the file too: a larger cache would only hold a second copy.
  reader.pragma('cache_size = -4000')
  const read = new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database: reader }) })
  const tx = createTx(writer)
  // Created once, because better-sqlite3 builds four functions for every transaction it wraps.
  const run = writer.transaction((work: (tx: Tx) => unknown) => work({ ...tx }))
  const checkpoints = scheduleCheckpoints(writer)
  return {
    file,
    read,
    touches: logTouches(writer),
    write<T>(work: (tx: Tx) => T) {
      const done = run.immediate(work) as T
      checkpoints.soon()
      return done
    },
    snapshot: <T>(work: (tx: Tx) => T) => run.deferred(work) as T,
    async lasting(work) {
      const own = new SqliteDatabase(file, { readonly: true })
      try {
        own.exec('begin')
        return await work(createTx(own))
      } finally {
        own.close()
      }
    },
    close() {
      checkpoints.end()
      reader.close()
      writer.close()
    },
  }
}
