import { sql } from 'kysely'
import type { Kysely, Selectable } from 'kysely'
import type { Runner, Store } from './store.ts'
import { preparedForAll } from './store.ts'
import type { Tables, WorkspaceTable } from './tables.ts'
import type { Usage } from './usage.ts'

const selectAny = preparedForAll<object, { seq: number }>((db) => db.selectFrom('clock').select('seq').limit(1))

/** Rejects when the database does not answer. */
export const requireAnswer = async (db: Runner): Promise<void> => {
  await selectAny(db, {})
}

/** The id of the oldest workspace of the database, or null. */
export const firstWorkspace = async (kysely: Kysely<Tables>): Promise<string | null> => {
  const row = await kysely.selectFrom('workspaces').select('id').orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  return row?.id ?? null
}

/** Every workspace of the database with its usage, oldest first. */
export const listWorkspaces = async (store: Store): Promise<(Selectable<WorkspaceTable> & { holds: Usage })[]> => {
  const rows = await store.kysely
    .selectFrom('workspaces')
    .innerJoin('clock', 'clock.workspace_id', 'workspaces.id')
    .selectAll('workspaces')
    .select(['clock.records', 'clock.versions', 'clock.bytes'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ records, versions, bytes, ...row }) => ({ ...row, holds: { records, versions, bytes } }))
}

/** The tables that name a workspace, children first. */
const tables = [
  'answers',
  'keys',
  'members',
  'version_variables',
  'versions',
  'variables',
  'environments',
  'projects',
  'archived_versions',
  'archived_variables',
  'archived_environments',
  'archived_projects',
  'deletions',
  'tombstones',
  'audit',
  'gaps',
  'clock',
] as const

/** Deletes a workspace with everything in it, for good. False when there is no such workspace. */
export const deleteWorkspace = async (store: Store, id: string): Promise<boolean> =>
  store.kysely.transaction().execute(async (trx) => {
    // The clock first, to wait for a write under way.
    await sql`update clock set seq = seq + 1 where workspace_id = ${id}`.execute(trx)
    for (const table of tables) await sql`delete from ${sql.table(table)} where workspace_id = ${id}`.execute(trx)
    const { numDeletedRows } = await trx.deleteFrom('workspaces').where('id', '=', id).executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  })
