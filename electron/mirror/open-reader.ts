import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { newestVersion } from './migrations.ts'
import type { MirrorDatabase } from './schema.ts'

/** A workspace's database, opened for a short read. */
export interface MirrorReader {
  readonly read: Kysely<MirrorDatabase>
  close(): void
}

/**
 * Opens the database of a workspace that is not open, without changing it. Null: it is missing or damaged, or its schema is not the newest.
 */
export function openReader(file: string): MirrorReader | null {
  let database: SqliteDatabase.Database | undefined
  try {
    database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 200 })
    if (Number(database.pragma('user_version', { simple: true })) !== newestVersion()) {
      database.close()
      return null
    }
    const opened = database
    return { read: new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database: opened }) }), close: () => void opened.close() }
  } catch (error) {
    database?.close()
    if (error instanceof SqliteDatabase.SqliteError) return null
    throw error
  }
}
