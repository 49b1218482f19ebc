import { chmodSync, closeSync, openSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Statement } from 'better-sqlite3'
import { CompiledQuery, Kysely, SqliteAdapter, SqliteDriver, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { DatabaseConnection, Dialect, QueryResult, SqliteDatabase } from 'kysely'
import { isDamaged } from './database-backups.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** The longest wait for a lock that another process holds. */
const lockMs = 10_000
/** How often a statement that waits for a lock is tried. */
const retryMs = 20

/** A statement that takes longer lets others have their turn before the next one. */
const longMs = 10

/** SQLite writes so many in some 20 ms. */
const rowsInTurn = 4000

/** Whether another process holds the lock that a statement needs. */
const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_BUSY_RECOVERY')

/**
 * Waits for the locks of other processes between statements, and pauses after a long one, so that others are answered meanwhile. SQLite itself
 * would wait inside a statement.
 */
class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const began = performance.now()
    for (;;) {
      const tried = performance.now()
      try {
        const result = await this.#connection.executeQuery<R>(query)
        if (performance.now() - tried > longMs) await setImmediate()
        return result
      } catch (error) {
        if (!isLocked(error) || performance.now() - began >= lockMs) throw error
      }
      await setTimeout(retryMs)
    }
  }

  streamQuery(): never {
    throw new Error('the service streams no queries')
  }
}

class ServiceDriver extends SqliteDriver {
  readonly #database: Database.Database
  #connection: WaitingConnection | undefined
  constructor(database: Database.Database, kept: SqliteDatabase) {
    super({ database: kept })
    this.#database = database
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new WaitingConnection(await super.acquireConnection())
    return this.#connection
  }

  // A deferred transaction that reads first and writes later fails when another process wrote between;
  // taking the write lock at the start waits for the other instead.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  // A full disk ends the transaction by itself; a second rollback would hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

const statementsKept = 200

interface StatementCache extends SqliteDatabase {
  prepare(sql: string): Statement
}

/** Keeps prepared statements: preparing one costs more than running it. */
const withStatementCache = (database: Database.Database): StatementCache => {
  const statements = new Map<string, Statement>()
  return {
    prepare(sql) {
      let statement = statements.get(sql)
      if (statement === undefined) {
        statement = database.prepare(sql)
        if (statements.size >= statementsKept) statements.clear()
        statements.set(sql, statement)
      }
      return statement
    },
    close: () => database.close(),
  }
}

/**
 * Opens (or creates) the SQLite database in `file`. A commit is on the disk when it is reported.
 * Throws what the system or better-sqlite3 throws: not allowed, not a database, disk full.
 */
export const openSqlite = (file: string): Store => {
  // Created here because SQLite would let other users read it. The log files inherit its permissions.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new Database(file, { timeout: lockMs })
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('fullfsync = ON')
    database.pragma('foreign_keys = ON')
    // Deleted and overwritten data are zeroed, so that a stolen file holds no rotated secret.
    database.pragma('secure_delete = ON')
    database.pragma('busy_timeout = 0')
  } catch (error) {
    database.close()
    throw error
  }
  const kept = withStatementCache(database)
  let readers: { database: Database.Database; kept: StatementCache } | undefined
  /** A second connection, for reads during a write: it sees committed data only. */
  const reader = () => {
    if (readers === undefined) {
      const readonly = new Database(file, { readonly: true, timeout: 0 })
      readers = { database: readonly, kept: withStatementCache(readonly) }
    }
    return readers.kept
  }
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ServiceDriver(database, kept),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const kysely = new Kysely<Tables>({ dialect })
  const compiled: Store['compiled'] = new Map()
  return {
    kind: 'sqlite',
    kysely,
    compiled,
    transaction: (work) =>
      kysely.transaction().execute(async (trx) => {
        const { value, sent } = await work({ kysely: trx, compiled, rowsInTurn })
        await Promise.all(sent)
        return value
      }),
    copyTo: async (target) => void (await database.backup(target)),
    isDamaged: () => isDamaged(database),
    // Kysely hands its one connection from query to query, which takes longer than most queries do.
    runNow: ({ sql, parameters }) => {
      try {
        const isWriting = database.inTransaction
        const statement = (isWriting ? reader() : kept).prepare(sql)
        if (isWriting && !statement.readonly) return null
        if (statement.reader) return statement.all(parameters)
        statement.run(parameters)
        return []
      } catch (error) {
        if (isLocked(error)) return null
        throw error
      }
    },
    close: async () => {
      await kysely.destroy()
      readers?.database.close()
      database.close()
    },
  }
}
