import { existsSync, rmSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../enqueue.ts'
import type { Mirror } from '../mirror.ts'
import { openMirror } from '../open-mirror.ts'
import type { MirrorDatabase } from '../schema.ts'
import { build, type Tx } from '../tx.ts'
import { readPages } from './read-pages.ts'
import { rebuildMirror, type Insert } from './rebuild-mirror.ts'
import type { RepairReport } from './repair-report.ts'
import { readDamagedTables, type DamagedTable } from './read-damaged-tables.ts'
import type { TableShape } from './table-shape.ts'

/**
 * Creates a new mirror at `into`, which must not exist, with the readable rows of the damaged one at `from`. If that file is missing, with
 * the rows in its log. `from` stays unchanged. Errors: those of opening the new mirror. Throws the system's error if `from` can't be read
 * at all, or the disk is full.
 */
export function repairInto(
  from: string,
  into: string,
  context: EnqueueContext,
): Result<{ mirror: Mirror; report: RepairReport }, AppError> {
  const opened = openMirror(into)
  if (!opened.ok) return opened
  const mirror = opened.value
  try {
    const found = readTables(from, shapesOf(into))
    const report = mirror.write((tx) => rebuildMirror(tx, inserter(tx), found, context))
    return ok({ mirror, report })
  } catch (error) {
    mirror.close()
    removeDatabase(into)
    throw error
  }
}

/** Deletes a database with SQLite's files next to it. */
export function removeDatabase(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true })
}

function readTables(file: string, shapes: readonly TableShape[]): Map<string, DamagedTable> {
  if (!existsSync(file) && !existsSync(`${file}-wal`)) return new Map()
  const pages = readPages(file)
  try {
    return readDamagedTables(pages, shapes, columnsOf)
  } finally {
    pages.close()
  }
}

/** Every table of the newest schema, read from a database that has it. */
function shapesOf(file: string): TableShape[] {
  const database = new SqliteDatabase(file, { readonly: true })
  try {
    // A table without row ids is stored like an index; the content of such tables is read again from the service.
    const names = database.prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0`).pluck().all()
    return names
      .filter((name) => !String(name).startsWith('sqlite_'))
      .map((name) => {
        const columns = database.prepare('SELECT name, type, "notnull", pk, dflt_value FROM pragma_table_info(?)').all(name) as ColumnInfo[]
        return {
          name: String(name),
          columns: columns.map((column) => {
            const hasDefault = column.dflt_value !== null
            const isRowid = column.type === 'INTEGER' && column.pk > 0
            return {
              name: column.name,
              type: column.type,
              isRequired: column.notnull === 1 && !isRowid && !hasDefault,
              isRowid,
              hasDefault,
            }
          }),
        }
      })
  } finally {
    database.close()
  }
}

interface ColumnInfo {
  name: string
  type: 'TEXT' | 'INTEGER'
  notnull: number
  pk: number
  dflt_value: string | null
}

/** Returns the columns that a definition from the file declares. It runs in an empty database in memory, where it can't do harm. */
function columnsOf(sql: string, name: string): string[] | null {
  if (!sql.startsWith('CREATE TABLE')) return null
  const scratch = new SqliteDatabase(':memory:')
  try {
    scratch.exec(sql)
    const names = scratch.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name)
    return names.length === 0 ? null : names.map(String)
  } catch {
    return null
  } finally {
    scratch.close()
  }
}

const inserter =
  (tx: Tx): Insert =>
  (table, columns) => {
    try {
      tx.run(build.insertInto(table as keyof MirrorDatabase).values(columns))
      return true
    } catch (error) {
      // A row that violates a constraint was damaged; any other error, such as a full disk, is thrown.
      if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false
      throw error
    }
  }
