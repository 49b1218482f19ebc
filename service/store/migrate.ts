import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { migrations as all } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import type { Store } from './store.ts'
import { withoutTimeout } from './without-timeout.ts'

/** The database was written by a newer version of the service. */
export class NewerDatabaseError extends Error {}

// Any fixed number: it identifies the lock that keeps two processes from migrating at once.
const migrationLock = 7_241_905

/** Keeps every other process from migrating until the transaction ends. SQLite's write lock does so already. */
export const lockMigrations = async (kind: Store['kind'], trx: Kysely<never>): Promise<void> => {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx)
}

/** The last step that was applied; 0 for an empty database. Makes the table that remembers it. */
export const appliedStep = async (trx: Kysely<never>): Promise<number> => {
  await trx.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute()
  const { rows } = await sql<{ number: number | null }>`select max(number) as number from schema_migrations`.execute(trx)
  return rows[0]?.number ?? 0
}

/** Whether a service has begun to keep its data in this database. */
export const isUsed = async ({ kysely }: Store): Promise<boolean> => {
  const tables = await kysely.introspection.getTables()
  return tables.some(({ name }) => name === 'schema_migrations')
}

/** Applies one step inside a transaction. */
export const applyStep = async (trx: Kysely<never>, migration: Migration, at: string): Promise<void> => {
  await migration.up(trx)
  await sql`insert into schema_migrations (number, name, applied_at) values (${migration.number}, ${migration.name}, ${at})`.execute(trx)
}

/** The newest step that this code knows. */
export const newestStep = (list: readonly Migration[] = all): number => list.at(-1)?.number ?? 0

/**
 * Brings the database to the shape this code expects, each step in one transaction: a step that
 * fails is rolled back. `beforeFirst` runs before the first step on existing data (to make a backup copy).
 * Throws NewerDatabaseError when the database is ahead of this code.
 */
export const migrate = async (
  store: Store,
  options: { now: () => string; beforeFirst?: (from: number) => Promise<void>; migrations?: readonly Migration[] },
): Promise<void> => {
  const list = options.migrations ?? all
  const db = withoutTimeout(store).kysely as unknown as Kysely<never>
  const inLock = <T>(work: (trx: Kysely<never>) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (trx) => {
      await lockMigrations(store.kind, trx)
      return work(trx)
    })

  const from = await inLock(appliedStep)
  if (from > newestStep(list)) {
    throw new NewerDatabaseError(
      `The database was written by a newer version of the service (step ${from}; this one knows ${newestStep(list)}). Start that version, or restore a backup.`,
    )
  }
  const pending = list.filter(({ number }) => number > from)
  if (from > 0 && pending.length > 0) await options.beforeFirst?.(from)
  for (const migration of pending) {
    await inLock(async (trx) => {
      // Another process may have done it first.
      if ((await appliedStep(trx)) < migration.number) await applyStep(trx, migration, options.now())
    })
  }
}
