import { sql } from 'kysely'
import type { Compilable, CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { Soon } from './soon.ts'
import type { Tables } from './tables.ts'
import type { Quotas } from './usage.ts'

/** Something queries run on: the database, or one transaction of it. */
export interface Runner {
  readonly kysely: Kysely<Tables>
  readonly compiled: Map<object, CompiledQuery>
  /**
   * Runs a compiled query at once where the database is in this process and no write is under way, and gives its rows; null: Kysely must
   * run it. Absent in a write, and where the database is elsewhere.
   */
  readonly runNow?: (query: CompiledQuery) => unknown[] | null
}

/** A runner that sees one workspace: the queries of every table name it. */
export interface Db extends Runner {
  readonly workspaceId: string
  /** Waits until there is room for an answer of so many bytes. Absent where no request is answered. */
  readonly admit?: (bytes: number) => Soon<void>
}

/** A query that is run again and again, under a name that no other has. */
export interface NamedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name: string
}

/** The connection broke while a write was being committed: it may stand or not. */
export class UnknownOutcomeError extends Error {}

/** A transaction met tables that a newer process had just changed: it was undone, and is done when it runs again. */
export class StalePlanError extends Error {}

/** The open database. `kind` is looked at only where the two differ: locking, snapshots, backup copies. */
export interface Store extends Runner {
  readonly kind: 'sqlite' | 'postgres'
  /**
   * Runs `work` in a transaction and resolves with its value once it is committed. On PostgreSQL its queries are sent as they are made, without
   * waiting for one another, and the commit behind those of `sent`, which are under way when `work` is done. Throws UnknownOutcomeError when
   * nobody can tell whether it was committed.
   */
  transaction<T>(work: (trx: Runner) => Promise<{ value: T; sent: readonly Promise<unknown>[] }>): Promise<T>
  /** The most that a workspace may hold. Absent: no limit. */
  readonly quotas?: Quotas
  /** Copies the database to a file while it is in use. SQLite only, as is `isDamaged`. */
  copyTo?(file: string): Promise<void>
  /** Whether the database finds damage in itself; takes as long as reading all of it. */
  isDamaged?(): boolean
  /** Waits for running queries and closes the database. */
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

/** What stands for an argument while a query is built. */
type Arg<Args> = <K extends keyof Args & string>(key: K) => Args[K]

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
    // The slot passes through the query builder as if it were the value, and comes out among the parameters.
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
  // The rows are of the query that was built as one of `Row`.
  if (rows !== null) return rows as Row[]
  return db.kysely.executeQuery<Row>(filled).then((result) => result.rows)
}

/**
 * A query built and compiled once for each database and run with new arguments each time: building a
 * query costs more than SQLite needs to answer it. `build` gets a function that stands for an argument; `workspace` is the one that `db`
 * sees. The rows are there at once where `runNow` can give them; what it throws is thrown at once as well.
 */
export const prepared = <Args extends object, Row>(
  build: (db: Kysely<Tables>, arg: Arg<Args & { workspace: string }>) => Compilable<Row>,
): ((db: Db, args: Args) => Soon<Row[]>) => {
  const identity = newName()
  return (db, args) => runPrepared(identity, build, db, args, db.workspaceId)
}

/** A prepared query that no workspace limits. */
export const preparedForAll = <Args extends object, Row>(
  build: (db: Kysely<Tables>, arg: Arg<Args>) => Compilable<Row>,
): ((db: Runner, args: Args) => Soon<Row[]>) => {
  const identity = newName()
  return (db, args) => runPrepared(identity, build, db, args, null)
}

/** The part of a store that one workspace sees. */
export const inWorkspace = ({ kysely, compiled, runNow }: Store, workspaceId: string, admit?: (bytes: number) => Soon<void>): Db => ({
  kysely,
  compiled,
  workspaceId,
  ...(runNow === undefined ? {} : { runNow }),
  ...(admit === undefined ? {} : { admit }),
})
