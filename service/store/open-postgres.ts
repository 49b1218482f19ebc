import { DefaultQueryExecutor, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { CustomTypesConfig, Pool, PoolClient, QueryConfig, QueryResult as Answer } from 'pg'
import { codeOf } from './error-code.ts'
import { StalePlanError, UnknownOutcomeError } from './store.ts'
import type { NamedQuery, Runner, Store } from './store.ts'
import type { Tables } from './tables.ts'
import { hasNoTimeout } from './without-timeout.ts'

const int8 = 20
const connectMs = 10_000
const idleInWriteMs = 30_000
/** The longest wait for the answer to a statement. A connection that is silent for longer is cut off: nothing else tells that it is lost. */
const answerMs = 30_000
/** The longest wait that a timer can have, 24 days: the driver takes 0 for its default. */
const noTimeoutMs = 2_147_483_647
const keepAliveMs = 30_000
/** The tables have changed since a statement was prepared: a newer process has migrated them. */
const stalePlan = '0A000'

/** Whether PostgreSQL itself answered with this error. All others say that no answer came: in time, or before the connection was lost. */
const isAnswer = (error: unknown): boolean => error instanceof Error && 'severity' in error

const writes = new Set(['INSERT', 'UPDATE', 'DELETE'])

/**
 * One connection. PostgreSQL plans a named query once. Several may be under way: they are answered
 * in the order in which they were sent.
 */
class PostgresConnection implements DatabaseConnection {
  readonly client: PoolClient
  readonly #onLoss: () => void
  /** Part of each statement's name, raised when the tables have changed. */
  #generation = 0
  /** `onLoss` is called when a statement gets no answer. */
  constructor(client: PoolClient, onLoss: () => void) {
    this.client = client
    this.#onLoss = onLoss
  }

  /** Sends a statement and gives the answer to it. */
  async send(statement: string | QueryConfig): Promise<Answer> {
    try {
      return await this.client.query(statement)
    } catch (error) {
      if (!isAnswer(error)) this.#onLoss()
      throw error
    }
  }

  async executeQuery<R>(query: CompiledQuery & Partial<Pick<NamedQuery, 'name'>>): Promise<QueryResult<R>> {
    const named = query.name === undefined ? {} : { name: `${query.name}_${this.#generation}` }
    // A prepared query is compiled once, for all who run it.
    const patient = query.name === undefined && hasNoTimeout(query) ? { query_timeout: noTimeoutMs } : {}
    const generation = this.#generation
    try {
      const { command, rowCount, rows } = await this.send({ text: query.sql, values: [...query.parameters], ...named, ...patient })
      // The query was compiled as one of `R`.
      return { rows: rows as R[], ...(writes.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
    } catch (error) {
      if (codeOf(error) !== stalePlan) throw error
      if (generation === this.#generation) this.#generation++
      if (this.client.getTransactionStatus() === 'I') return this.executeQuery(query)
      throw new StalePlanError('the tables have changed', { cause: error })
    }
  }

  streamQuery(): never {
    throw new Error('the service streams no queries')
  }
}

/** Commits, and returns whether PostgreSQL did: it answers COMMIT of a failed transaction with ROLLBACK, not with an error. */
const commit = async (connection: PostgresConnection): Promise<boolean> => (await connection.send('commit')).command === 'COMMIT'

const rolledBack = () => new Error('the transaction had failed before it was committed')

class PooledDriver implements Driver {
  readonly #pool: Pool
  /** Those opened since one was lost: the idle ones of before may be lost too, and each would cost a request its 30 seconds. */
  #trusted = new WeakMap<PoolClient, PostgresConnection>()
  /** All that were ever opened. */
  readonly #known = new WeakSet<PoolClient>()
  readonly #inUse = new Set<PoolClient>()
  constructor(pool: Pool) {
    this.#pool = pool
  }
  async init() {}
  async acquireConnection(): Promise<PostgresConnection> {
    const client = await this.#pool.connect()
    let connection = this.#trusted.get(client)
    if (connection === undefined && this.#known.has(client)) {
      // Ended politely, it would wait for an answer.
      client.connection.stream.destroy()
      client.release(true)
      return this.acquireConnection()
    }
    connection ??= new PostgresConnection(client, () => (this.#trusted = new WeakMap()))
    this.#known.add(client)
    this.#trusted.set(client, connection)
    this.#inUse.add(client)
    return connection
  }
  async beginTransaction(connection: PostgresConnection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
    await connection.send(`start transaction${isolation}${accessMode === undefined ? '' : ` ${accessMode}`}`)
  }
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    if (!(await commit(connection))) throw rolledBack()
  }
  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.send('rollback')
  }
  async releaseConnection(connection: PostgresConnection): Promise<void> {
    this.release(connection, true)
  }
  release({ client }: PostgresConnection, isUsable: boolean): void {
    this.#inUse.delete(client)
    client.release(!isUsable)
  }
  async destroy(): Promise<void> {
    const ended = this.#pool.end()
    // Nobody waits for their answers any more, and one may never come.
    for (const client of this.#inUse) client.connection.stream.destroy()
    await ended
  }
}

/** A pool of connections to the database at `url`, after one that was tried. The driver is loaded only here: a service on SQLite needs none. */
const openPool = async (url: string): Promise<Pool> => {
  const { default: pg } = await import('pg')
  const types: CustomTypesConfig = {
    // Sequence numbers and counts stay far below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  // Not by the pool: it leaves the connection open where the driver gives up by itself, as without a password, and the process couldn’t end.
  const first = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs })
  first.on('error', () => {})
  try {
    await first.connect()
  } catch (error) {
    first.connection.stream.destroy()
    throw error
  }
  await first.end()
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    pipeline: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // A process that hangs inside a write would hold the clock, and with it every other writer.
    idle_in_transaction_session_timeout: idleInWriteMs,
  })
  // A connection that breaks is replaced by the pool and fails what ran on it; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Connects to the PostgreSQL database at `url`. Rejects when the database cannot be reached. */
export const openPostgres = async (url: string): Promise<Store> => {
  const driver = new PooledDriver(await openPool(url))
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  const kysely = new Kysely<Tables>({ dialect })
  const compiled: Store['compiled'] = new Map()

  /** Kysely on one connection, which waits for no answer before it sends the next query, as a transaction of its own would. */
  const kyselyOn = (connection: PostgresConnection): Kysely<Tables> => {
    const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    })
    return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
  }

  /** Where `work` fails, the write is rolled back, and the setting with it. */
  const joinManyOn =
    (connection: PostgresConnection): NonNullable<Runner['joinMany']> =>
    async (work) => {
      const on = kyselyOn(connection)
      await sql`set local enable_nestloop = off`.execute(on)
      const result = await work()
      await sql`set local enable_nestloop = on`.execute(on)
      return result
    }

  const transaction: Store['transaction'] = async (work) => {
    const connection = await driver.acquireConnection()
    let isUsable = true
    try {
      // Later statements on this connection run after it, or fail as it did.
      connection.send('begin').catch(() => undefined)
      const { value, sent } = await work({ kysely: kyselyOn(connection), compiled, joinMany: joinManyOn(connection) })
      const [committed, ...outcomes] = await Promise.allSettled([commit(connection), ...sent])
      // Only the answer to the commit says what became of the write: a connection that breaks fails the statements before it too.
      if (committed.status === 'rejected') throw new UnknownOutcomeError('the commit was not confirmed', { cause: committed.reason })
      const failure = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failure !== undefined) throw failure.reason
      if (!committed.value) throw rolledBack()
      return value
    } catch (error) {
      await driver.rollbackTransaction(connection).catch(() => (isUsable = false))
      throw error
    } finally {
      driver.release(connection, isUsable)
    }
  }
  return { kind: 'postgres', kysely, compiled, transaction, close: () => kysely.destroy() }
}
