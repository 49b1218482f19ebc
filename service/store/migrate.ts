import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { migrations as all } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import type { Store } from './store.ts'

/** The database was written by a newer version of the service. */
export class NewerDatabaseError extends Error {}

// Any fixed number: it names the lock that keeps two starting processes from migrating at once.
const migrationLock = 7_241_905

/**
 * Brings the database to the shape this code expects, each step in one transaction: a step that
 * fails leaves nothing behind. `beforeFirst` runs when there is something to lose (a backup copy).
 * Throws NewerDatabaseError when the database is ahead of this code.
 */
export const migrate = async (
  store: Store,
  options: { now: () => string; beforeFirst?: (from: number) => Promise<void>; migrations?: readonly Migration[] },
): Promise<void> => {
  const list = options.migrations ?? all
  const last = list.at(-1)?.number ?? 0
  const db = store.kysely as unknown as Kysely<never>
  await db.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute()

  const applied = async (on: Kysely<never>): Promise<number> => {
    const { rows } = await sql<{ number: number | null }>`select max(number) as number from schema_migrations`.execute(on)
    return rows[0]?.number ?? 0
  }

  const from = await applied(db)
  if (from > last) {
    throw new NewerDatabaseError(
      `The database was written by a newer version of the service (step ${from}; this one knows ${last}). Start that version, or restore a backup.`,
    )
  }
  if (from > 0 && from < last) await options.beforeFirst?.(from)

  for (const migration of list) {
    await db.transaction().execute(async (trx) => {
      if (store.kind === 'postgres') await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx)
      if ((await applied(trx)) >= migration.number) return
      await migration.up(trx)
      await sql`insert into schema_migrations (number, name, applied_at) values (${migration.number}, ${migration.name}, ${options.now()})`.execute(
        trx,
      )
    })
  }
}
