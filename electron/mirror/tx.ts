import type { Database, Statement } from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Compilable } from 'kysely'
import type { MirrorDatabase } from './schema.ts'

/** Builds typed queries. It has no connection, so a query can only run through a `Tx`. */
export const build = new Kysely<MirrorDatabase>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** One transaction: runs compiled Kysely queries synchronously. Each transaction has its own object. */
export interface Tx {
  all<Row>(query: Compilable<Row>): Row[]
  get<Row>(query: Compilable<Row>): Row | undefined
  /** Yields the rows as they are read. Until the last one, this connection can run no other query. */
  each<Row>(query: Compilable<Row>): Iterable<Row>
  run(query: Compilable): { changes: number; lastInsertRowid: number }
  /** Runs a part of the transaction of which nothing remains if its result is a failure, or if it throws. */
  attempt<R extends { readonly ok: boolean }>(work: () => R): R
}

/** Returns a `Tx` on an open connection. Prepares each SQL text once. */
export function createTx(database: Database): Tx {
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  return {
    all<Row>(query: Compilable<Row>) {
      const { sql, parameters } = query.compile()
      return prepare(sql).all(...parameters) as Row[]
    },
    get<Row>(query: Compilable<Row>) {
      const { sql, parameters } = query.compile()
      return prepare(sql).get(...parameters) as Row | undefined
    },
    each<Row>(query: Compilable<Row>) {
      const { sql, parameters } = query.compile()
      return prepare(sql).iterate(...parameters) as Iterable<Row>
    },
    run(query) {
      const { sql, parameters } = query.compile()
      const { changes, lastInsertRowid } = prepare(sql).run(...parameters)
      return { changes, lastInsertRowid: Number(lastInsertRowid) }
    },
    attempt(work) {
      prepare('SAVEPOINT attempt').run()
      let isKept = false
      try {
        const result = work()
        isKept = result.ok
        return result
      } finally {
        // Some errors, such as a full disk, have ended the whole transaction.
        if (database.inTransaction) {
          if (!isKept) prepare('ROLLBACK TO attempt').run()
          prepare('RELEASE attempt').run()
        }
      }
    },
  }
}
