import { sql } from 'kysely'
import type { Store } from '../../../service/store/store.ts'
import type { Usage } from '../../../service/store/usage.ts'

const rows = (table: string) => sql`(select count(*) from ${sql.table(table)} t where t.workspace_id = clock.workspace_id)`
const bytes = (table: string, column: string) =>
  sql`(select coalesce(sum(octet_length(${sql.ref(column)})), 0) from ${sql.table(table)} t where t.workspace_id = clock.workspace_id)`

const recordTables = [
  'projects',
  'archived_projects',
  'environments',
  'archived_environments',
  'variables',
  'archived_variables',
  'members',
]
const textColumns = [
  ['variables', 'value'],
  ['archived_variables', 'value'],
  ['version_variables', 'value'],
  ['versions', 'note'],
  ['archived_versions', 'note'],
  ['answers', 'body'],
] as const
const plus = sql` + `

/** What the clock of each workspace says that it holds, and what it holds. */
export const usageOf = async ({ kysely }: Pick<Store, 'kysely'>): Promise<{ said: Usage[]; held: Usage[] }> => {
  const held = await sql<Usage>`
    select ${sql.join(recordTables.map(rows), plus)} as records, ${rows('versions')} + ${rows('archived_versions')} as versions,
      ${sql.join(
        textColumns.map(([table, column]) => bytes(table, column)),
        plus,
      )} as bytes
    from clock order by workspace_id
  `.execute(kysely)
  const said = await kysely.selectFrom('clock').select(['records', 'versions', 'bytes']).orderBy('workspace_id').execute()
  return { said, held: held.rows }
}
