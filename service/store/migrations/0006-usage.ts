import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

const rowsOf = (...tables: string[]) =>
  sql.join(
    tables.map((table) => sql`(select count(*) from ${sql.table(table)} t where t.workspace_id = clock.workspace_id)`),
    sql` + `,
  )
const bytesOf = (...columns: [table: string, column: string][]) =>
  sql.join(
    columns.map(
      ([table, column]) =>
        sql`(select coalesce(sum(octet_length(${sql.ref(column)})), 0) from ${sql.table(table)} t where t.workspace_id = clock.workspace_id)`,
    ),
    sql` + `,
  )

const recordTables = ['projects', 'environments', 'variables']

/** Counts what each workspace holds. */
export const countUsage = async (db: Kysely<never>): Promise<void> => {
  await sql`
    update clock set
      records = ${rowsOf(...recordTables, ...recordTables.map((name) => `archived_${name}`), 'members')},
      versions = ${rowsOf('versions', 'archived_versions')},
      bytes = ${bytesOf(
        ['variables', 'value'],
        ['archived_variables', 'value'],
        ['version_variables', 'value'],
        ['versions', 'note'],
        ['archived_versions', 'note'],
        ['answers', 'body'],
      )}
  `.execute(db)
}

/** What each workspace holds, counted once here and from then on by every write. */
export const usage: Migration = {
  number: 6,
  name: 'usage',
  async up(db) {
    for (const name of ['records', 'versions', 'bytes']) {
      await db.schema
        .alterTable('clock')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    }
    await countUsage(db)
  },
}
