import { sql } from 'kysely'
import type { Compilable, CompiledQuery, Kysely, RawBuilder, Selectable } from 'kysely'
import type { Soon } from './soon.ts'
import type { Tables } from './tables.ts'
import type { Quotas } from './usage.ts'

/** Runs queries: on the database, or in one transaction of it. */
export interface Runner {
  readonly kysely: Kysely<Tables>
  readonly compiled: Map<object, CompiledQuery>
  /**
   * Runs a compiled query at once where the database is in this process and no write is under way, and gives its rows; null: Kysely must
   * run it, and wait. Unset in a write, and where the database runs in another process.
   */
  readonly runNow?: (query: CompiledQuery) => unknown[] | null
  /** The most rows that one statement should write: a database in this process holds all answers meanwhile. Unset: any number. */
  readonly rowsInTurn?: number
  /**
   * Does work, in a write, that joins any number of rows. PostgreSQL takes a table for almost empty until it has counted its rows, and would
   * compare all rows of one with all of the other, which takes minutes. Unset where the database does not.
   */
  readonly joinMany?: <T>(work: () => Promise<T>) => Promise<T>
}

/** The same for one workspace, which every query names. */
export interface Db extends Runner {
  readonly workspaceId: string
  /**
   * Makes sure that there is room for an answer that holds so many bytes in all: a read waits for it, a write without it throws a 503
   * Refusal. Unset outside of requests.
   */
  readonly admit?: (bytes: number) => Soon<void>
}

/** A query that runs often, with a unique name. */
export interface NamedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name: string
}

/** The connection broke during a commit: the write may or may not be stored. */
export class UnknownOutcomeError extends Error {}

/** A newer process changed the tables during the transaction: it was rolled back and can be retried. */
export class StalePlanError extends Error {}

/** The open database. Only code in which the two differ reads `kind`: locking, snapshots, backup copies. */
export interface Store extends Runner {
  readonly kind: 'sqlite' | 'postgres'
  /**
   * Runs `work` in a transaction and resolves with its value once it is committed. On PostgreSQL its queries are sent as they are made,
   * without waiting for one another, and the commit behind those of `sent`, which are under way when `work` is done. Throws
   * UnknownOutcomeError when it is unknown whether it was committed.
   */
  transaction<T>(work: (trx: Runner) => Promise<{ value: T; sent: readonly Promise<unknown>[] }>): Promise<T>
  /** The most that a workspace may hold. Unset: no limit. */
  readonly quotas?: Quotas
  /** Copies the database to a file while it is in use. SQLite only, as is `isDamaged`. */
  copyTo?(file: string): Promise<void>
  /** Whether the database is damaged; reads all of it. */
  isDamaged?(): boolean
  /** Closes the database. On PostgreSQL it cuts off the queries under way, whose requests have ended. */
  close(): Promise<void>
}

class Slot {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/**
 * An argument as the number of rows of a LIMIT. SQLite plans a statement anew for each run when its LIMIT is a bare parameter, as it does
 * for a join on parameters: hot queries avoid both.
 */
export const countOf = (argument: number): RawBuilder<number> => sql<number>`cast(${argument} as integer)`

/** A placeholder for an argument while a query is built. */
export type Arg<Args> = <K extends keyof Args & string>(key: K) => Args[K]

let namesGiven = 0
const newName = (): { name: string } => ({ name: `q${++namesGiven}` })

const runPrepared = <Args extends object, Row>(
  identity: { name: string },
  build: (db: Kysely<Tables>, arg: Arg<Args>) => Compilable<Row>,
  db: Runner,
  args: object,
  workspaceId: string | null,
): Soon<Row[]> => {
  let query = db.compiled.get(identity)
  if (query === undefined) {
    // The query builder treats the placeholder as the value and returns it among the parameters.
    query = build(db.kysely, (key) => new Slot(key) as unknown as Args[typeof key]).compile()
    db.compiled.set(identity, query)
  }
  const values = args as Record<string, unknown>
  const parameters = query.parameters.map((parameter) => {
    if (!(parameter instanceof Slot)) return parameter
    return parameter.key === 'workspace' ? workspaceId : values[parameter.key]
  })
  const filled: NamedQuery<Row> = { name: identity.name, sql: query.sql, query: query.query, queryId: query.queryId, parameters }
  const rows = db.runNow?.(filled) ?? null
  // The query was built as one of `Row`.
  if (rows !== null) return rows as Row[]
  return db.kysely.executeQuery<Row>(filled).then((result) => result.rows)
}

/**
 * A query built and compiled once for each database and run with new arguments each time: building a
 * query costs more than SQLite needs to answer it. `build` gets a function that makes placeholders for arguments; `workspace` is that of
 * `db`. Where `runNow` answers, rows are returned and errors thrown synchronously.
 */
export const prepared = <Args extends object, Row>(
  build: (db: Kysely<Tables>, arg: Arg<Args & { workspace: string }>) => Compilable<Row>,
): ((db: Db, args: Args) => Soon<Row[]>) => {
  const identity = newName()
  return (db, args) => runPrepared(identity, build, db, args, db.workspaceId)
}

/** A prepared query over all workspaces. */
export const preparedForAll = <Args extends object, Row>(
  build: (db: Kysely<Tables>, arg: Arg<Args>) => Compilable<Row>,
): ((db: Runner, args: Args) => Soon<Row[]>) => {
  const identity = newName()
  return (db, args) => runPrepared(identity, build, db, args, null)
}

/** A function that finds a row of a table by its id, or gives null. */
export const finderById = <T extends 'projects' | 'environments' | 'versions' | 'members'>(
  table: T,
): ((db: Db, id: string) => Promise<Selectable<Tables[T]> | null>) => {
  const select = prepared<{ id: string }, Selectable<Tables[T]>>((db, arg) =>
    // Kysely types the rows of one table, not of one of several.
    db
      .selectFrom(table as 'projects')
      .selectAll()
      .where('workspace_id', '=', arg('workspace'))
      .where('id', '=', arg('id')),
  )
  return async (db, id) => (await select(db, { id }))[0] ?? null
}

/** The store of one workspace. */
export const inWorkspace = ({ kysely, compiled, runNow }: Store, workspaceId: string, admit?: (bytes: number) => Soon<void>): Db => ({
  kysely,
  compiled,
  workspaceId,
  ...(runNow === undefined ? {} : { runNow }),
  ...(admit === undefined ? {} : { admit }),
})
