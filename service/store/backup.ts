import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { pageBytes } from '../protocol/limits.ts'
import { appliedStep, applyStep, lockMigrations, newestStep } from './migrate.ts'
import { codeOf } from './error-code.ts'
import { migrations } from './migrations/all.ts'
import { moveNew } from './move-new.ts'
import { startNewHistory } from './new-history.ts'
import { countThatFits } from './page.ts'
import { inStaging } from './staging.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
import { countUsage } from './usage.ts'
import { bytesOf } from './weigh.ts'

/** A backup that cannot be read, or a database that it cannot be restored into. The message says what to do. */
export class BackupError extends Error {}

/**
 * Every table that a backup holds, parents first, with the columns that order its rows. Kept answers belong to the history that ends with a
 * restore.
 */
const tables = [
  ['clock', 'workspace_id'],
  ['workspaces', 'id'],
  ['members', 'workspace_id', 'id'],
  ['keys', 'id'],
  ['projects', 'workspace_id', 'id'],
  ['environments', 'workspace_id', 'id'],
  ['variables', 'workspace_id', 'id'],
  ['versions', 'workspace_id', 'id'],
  ['version_variables', 'workspace_id', 'version_id', 'ordinal'],
  ['tombstones', 'workspace_id', 'seq'],
  ['deletions', 'workspace_id', 'id'],
  ['archived_projects', 'workspace_id', 'id'],
  ['archived_environments', 'workspace_id', 'id'],
  ['archived_variables', 'workspace_id', 'id'],
  ['archived_versions', 'workspace_id', 'id'],
  ['audit', 'workspace_id', 'id'],
] as const

/** The tables with long rows, each with the column that makes them long: one value may have 4 MiB. */
const longColumns = new Map([
  ['variables', 'value'],
  ['version_variables', 'value'],
  ['archived_variables', 'value'],
  ['audit', 'detail'],
])

const format = 1
const rowsAtOnce = 100

type Row = Record<string, unknown>

/** Runs reads on one snapshot of the database while others keep writing. */
const inSnapshot = async (store: Store, read: (db: Kysely<never>) => Promise<void>): Promise<void> => {
  const db = store.kysely as unknown as Kysely<never>
  if (store.kind === 'postgres') {
    await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
    return
  }
  await db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection)
    try {
      await read(connection)
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

/** The rows of a table in order. Rows are read together up to 100 and, but for a single one, up to 4 MiB. */
const rowsOf = async function* (db: Kysely<never>, table: string, keys: readonly string[]): AsyncGenerator<Row> {
  const orderColumns = sql.join(keys.map((name) => sql.ref(name)))
  const long = longColumns.get(table)
  let after: Row | undefined
  for (;;) {
    const last: Row | undefined = after
    const from = last === undefined ? sql`` : sql`where (${orderColumns}) > (${sql.join(keys.map((name) => last[name]))})`
    const next = sql`from ${sql.table(table)} ${from} order by ${orderColumns} limit`
    let count = rowsAtOnce
    if (long !== undefined) {
      const sizes = await sql<{ bytes: number }>`select ${bytesOf(long)} as bytes ${next} ${rowsAtOnce}`.execute(db)
      count = countThatFits(sizes.rows.map(({ bytes }) => bytes))
    }
    const { rows } = await sql<Row>`select * ${next} ${count}`.execute(db)
    if (rows.length === 0) return
    yield* rows
    after = rows.at(-1)
  }
}

const alreadyExists = () => new BackupError('This file already exists, and a backup never overwrites one. Choose another name.')

const noFolder = () =>
  new BackupError('The backup can’t be written to this folder. Check that the folder exists and that you may write to it.')

const fullDisk = new Set(['ENOSPC', 'EDQUOT'])

/** Writes to a file in a staging folder next to `file`, and moves it when it is complete. Whatever fails, nothing else is left. */
const writeWhole = async <T>(file: string, write: (handle: FileHandle) => Promise<T>): Promise<T> => {
  if (existsSync(file)) throw alreadyExists()
  return inStaging(join(dirname(file), 'unfinished-backup-'), async (folder) => {
    const partial = join(folder, basename(file))
    const handle = await open(partial, 'wx', 0o600)
    let written: T
    try {
      written = await write(handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveNew(partial, file).catch((error: unknown) => {
      // Another backup was faster.
      throw codeOf(error) === 'EEXIST' ? alreadyExists() : error
    })
    return written
  }).catch((error: unknown) => {
    const { syscall, code = '' } = error as NodeJS.ErrnoException
    throw syscall === 'mkdtemp' && !fullDisk.has(code) ? noFolder() : error
  })
}

/**
 * Writes one snapshot of everything to a new file as lines of JSON; the service may be running. Values stay sealed, keys are hashes.
 * The file appears under its name only when it is complete; `signal` stops it before. Returns the number of rows. Rejects with BackupError
 * where the file exists, or its folder can't be written to.
 */
export const writeBackup = (store: Store, file: string, at: string, signal?: AbortSignal): Promise<number> =>
  writeWhole(file, async (handle) => {
    const hash = createHash('sha256')
    let count = 0
    const put = async (line: object) => {
      signal?.throwIfAborted()
      const text = `${JSON.stringify(line)}\n`
      hash.update(text)
      // Unlike `write`, it goes on until all of the text is written.
      await handle.appendFile(text)
    }
    await inSnapshot(store, async (db) => {
      const { rows } = await sql<{ number: number }>`select max(number) as number from schema_migrations`.execute(db)
      await put({ holdfastBackup: format, step: rows[0]?.number ?? 0, at })
      for (const [table, ...keys] of tables) {
        for await (const row of rowsOf(db, table, keys)) {
          await put({ table, row })
          count++
        }
      }
    })
    await handle.appendFile(`${JSON.stringify({ end: true, rows: count, sha256: hash.digest('hex') })}\n`)
    return count
  })

const damaged = () => new BackupError('The file is not a complete backup of this service. Copy it again.')

const parseLine = (line: string): Row => {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Row
  } catch {
    // Reported below, like any other damage.
  }
  throw damaged()
}

/**
 * The lines of a backup. Names and notes in it may hold U+2028 and U+2029, where readline ends a line too. The parts of a long line are joined
 * only at its end.
 */
const linesOf = async function* (file: string): AsyncGenerator<string> {
  let parts: string[] = []
  for await (const text of createReadStream(file, 'utf8')) {
    const [first = '', ...others] = (text as string).split('\n')
    parts.push(first)
    for (const other of others) {
      yield parts.join('')
      parts = [other]
    }
  }
  const last = parts.join('')
  if (last !== '') yield last
}

/** A file that is a whole backup. */
export interface CheckedBackup {
  file: string
  /** The migration after which it was written. */
  step: number
  rows: number
}

/** Reads a backup and makes sure that it is complete. Rejects with BackupError otherwise. */
export const checkBackup = async (file: string): Promise<CheckedBackup> => {
  const hash = createHash('sha256')
  let header: Row | undefined
  let last: string | undefined
  for await (const line of linesOf(file)) {
    header ??= parseLine(line)
    if (last !== undefined) hash.update(`${last}\n`)
    last = line
  }
  if (header === undefined || last === undefined || typeof header['holdfastBackup'] !== 'number' || typeof header['step'] !== 'number')
    throw damaged()
  if (header['holdfastBackup'] > format || header['step'] > newestStep()) {
    throw new BackupError('The backup was written by a newer version of the service. Restore it with that version.')
  }
  const end = parseLine(last)
  if (end['end'] !== true || end['sha256'] !== hash.digest('hex') || typeof end['rows'] !== 'number') throw damaged()
  return { file, step: header['step'], rows: end['rows'] }
}

const insertAtOnce = 50

const insertRows = async (trx: Kysely<never>, file: string, signal: AbortSignal | undefined): Promise<number> => {
  const known = new Set<string>(tables.map(([table]) => table))
  let table = ''
  let waiting: Row[] = []
  let weight = 0
  let count = 0
  const flush = async () => {
    const [first] = waiting
    if (first === undefined) return
    const columns = Object.keys(first)
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) values ${sql.join(
      waiting.map((row) => sql`(${sql.join(columns.map((name) => sql`${row[name] ?? null}`))})`),
    )}`.execute(trx)
    count += waiting.length
    waiting = []
    weight = 0
  }
  for await (const text of linesOf(file)) {
    signal?.throwIfAborted()
    const line = parseLine(text)
    if (typeof line['table'] !== 'string') continue
    if (!known.has(line['table'])) throw damaged()
    if (line['table'] !== table || waiting.length >= insertAtOnce || weight + text.length > pageBytes) await flush()
    table = line['table']
    waiting.push(line['row'] as Row)
    weight += text.length
  }
  await flush()
  return count
}

/**
 * Waits for the writes that are under way on PostgreSQL, and keeps new ones waiting: a write takes its clock before all else, and would stop
 * the restore, or be stopped by it, at a table that the other has taken.
 */
const lockClocks = async (kind: Store['kind'], trx: Kysely<never>): Promise<void> => {
  if (kind === 'postgres') await sql`lock table clock in access exclusive mode`.execute(trx)
}

const dropTables = async (trx: Kysely<never>): Promise<void> => {
  for (const name of ['answers', 'gaps', 'trim_clock', ...tables.map(([table]) => table).toReversed(), 'schema_migrations']) {
    await trx.schema.dropTable(name).ifExists().execute()
  }
}

/**
 * Restores a backup in one transaction. Refuses a database that holds a workspace unless `replace` is set. Begins a new history (see
 * `startNewHistory`). `signal` stops it before it is committed. Returns the number of rows.
 */
export const restoreBackup = async (
  store: Store,
  { file, step, rows }: CheckedBackup,
  options: { replace: boolean; now: number; randomBytes: (length: number) => Uint8Array; signal?: AbortSignal },
): Promise<number> => {
  const at = new Date(options.now).toISOString()
  const db = store.kysely as unknown as Kysely<never>
  return db.transaction().execute(async (trx) => {
    await lockMigrations(store.kind, trx)
    let undone = 0
    if ((await appliedStep(trx)) > 0) {
      const { rows: found } = await sql`select id from workspaces`.execute(trx)
      if (found.length > 0 && !options.replace) {
        throw new BackupError(
          'This database already has a workspace. Restore into an empty folder or database, or add --replace to discard the current data.',
        )
      }
      await lockClocks(store.kind, trx)
      const { rows: clocks } = await sql<{ last: number | null }>`select max(seq) as last from clock`.execute(trx)
      undone = clocks[0]?.last ?? 0
    }
    await dropTables(trx)
    await appliedStep(trx)
    for (const migration of migrations.filter(({ number }) => number <= step)) await applyStep(trx, migration, at)
    await sql`delete from clock`.execute(trx)
    const count = await insertRows(trx, file, options.signal)
    if (count !== rows) throw damaged()
    for (const migration of migrations.filter(({ number }) => number > step)) await applyStep(trx, migration, at)
    // The clocks of the backup counted kept answers, which it does not hold.
    await countUsage(trx)
    await startNewHistory({ kysely: trx as unknown as Kysely<Tables> }, options.now, options.randomBytes, undone)
    return count
  })
}
