import type { Kysely } from 'kysely'

/** One step of the database's shape. Numbers rise by one and a released step is never edited. */
export interface Migration {
  readonly number: number
  readonly name: string
  /** Runs inside one transaction. Must work on SQLite and PostgreSQL. */
  // The tables differ from step to step: no one type fits all of them.
  up(db: Kysely<never>): Promise<void>
}
