import { sql } from 'kysely'
import type { RawBuilder, Selectable } from 'kysely'
import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from './refusal.ts'
import type { EnvironmentTable, ProjectTable } from './tables.ts'
import type { Usage } from './usage.ts'
import { buryArchived, unbury } from './tombstones.ts'
import { dateOfDeletion } from './trim-clock.ts'
import { withoutTimeout } from './without-timeout.ts'
import type { Write } from './write.ts'

const tracked = ['workspace_id', 'id', 'seq', 'ordinal', 'created_at', 'updated_at', 'updated_by'] as const

/**
 * The tables of what can be deleted and restored, and all their columns. `archived_<name>` has the same, and `deletion_id`. The contents of
 * versions (`version_variables`) are not moved: they are only reachable through their version.
 */
const columnsOf = {
  projects: [...tracked, 'name', 'slug', 'icon'],
  environments: [...tracked, 'project_id', 'name', 'slug', 'left_seq'],
  variables: [...tracked, 'environment_id', 'name', 'type', 'is_secret', 'value'],
  versions: [...tracked, 'environment_id', 'label', 'note', 'variable_count'],
} as const
type Archived = keyof typeof columnsOf
const childrenFirst: readonly Archived[] = ['variables', 'versions', 'environments', 'projects']

const resourceOf = { projects: 'project', environments: 'environment', variables: 'variable', versions: 'version' } as const

const archiveOf = (table: Archived) => sql.table(`archived_${table}`)
const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** Moves rows to the archive and leaves a tombstone for each record. Returns their number. */
const takeOut = async (write: Write, table: Archived, deletionId: string, which: RawBuilder<unknown>): Promise<number> => {
  const where = sql`workspace_id = ${write.workspaceId} and ${which}`
  const columns = refs(columnsOf[table])
  const live = sql.table(table)
  const copied = await sql`
    insert into ${archiveOf(table)} (deletion_id, ${columns}) select cast(${deletionId} as text), ${columns} from ${live} where ${where}
  `.execute(write.kysely)
  await sql`delete from ${live} where ${where}`.execute(write.kysely)
  const count = Number(copied.numAffectedRows)
  await buryArchived(write, resourceOf[table], archiveOf(table), deletionId, count)
  return count
}

/** Moves rows back from the archive, each under a new commit, so that the feed shows it again. */
const putBack = async (write: Write, table: Archived, deletionId: string): Promise<void> => {
  const archive = archiveOf(table)
  const ofDeletion = sql`workspace_id = ${write.workspaceId} and deletion_id = ${deletionId}`
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${archive} where ${ofDeletion}`.execute(write.kysely)
  const before = write.reserveSeqs(rows[0]?.count ?? 0)
  const others = refs(columnsOf[table].filter((column) => column !== 'seq'))
  await sql`
    insert into ${sql.table(table)} (seq, ${others})
    select cast(${before} as bigint) + row_number() over (order by ordinal), ${others} from ${archive} where ${ofDeletion}
  `.execute(write.kysely)
  await unbury(write, resourceOf[table], archive, deletionId)
  await sql`delete from ${archive} where ${ofDeletion}`.execute(write.kysely)
}

/** Moves a project or environment with everything in it to the archive, children first, and notes who deleted it and when. */
const archive = async (
  write: Write,
  parent: { id: string; resource: 'project' | 'environment'; name: string; slug: string; parentId: string | null },
): Promise<void> => {
  const { id } = parent
  const isProject = parent.resource === 'project'
  const environments = isProject
    ? sql`(select id from environments where workspace_id = ${write.workspaceId} and project_id = ${id})`
    : sql`(${id})`
  const inEnvironments = sql`environment_id in ${environments}`
  const variables = await takeOut(write, 'variables', id, inEnvironments)
  const versions = await takeOut(write, 'versions', id, inEnvironments)
  const below = await takeOut(write, 'environments', id, sql`id in ${environments}`)
  if (isProject) await takeOut(write, 'projects', id, sql`id = ${id}`)
  await write.kysely
    .insertInto('deletions')
    .values({
      workspace_id: write.workspaceId,
      id,
      // The commit of the last tombstone: no other deletion has it.
      seq: write.reserveSeqs(0),
      resource: parent.resource,
      name: parent.name,
      slug: parent.slug,
      parent_id: parent.parentId,
      deleted_at: await dateOfDeletion(write, write.at),
      deleted_by: write.by,
      environment_count: isProject ? below : 0,
      variable_count: variables,
      version_count: versions,
    })
    .execute()
}

/**
 * Throws a 422 Refusal when the id is that of a project or environment, deleted ones included: a deletion is known by the id of what was
 * deleted, so a project and an environment cannot have the same.
 */
export const requireFreeId = async (write: Write, id: string): Promise<void> => {
  const isHeld = (table: string) => sql`select 1 from ${sql.table(table)} where workspace_id = ${write.workspaceId} and id = ${id}`
  const { rows } = await sql`
    ${isHeld('projects')} union ${isHeld('environments')} union ${isHeld('archived_projects')} union ${isHeld('archived_environments')}
  `.execute(write.kysely)
  if (rows.length > 0) throw new Refusal(errorCodes.unprocessable, 'A project and an environment can’t have the same id. Use a new UUID.')
}

export const archiveProject = (write: Write, { id, name, slug }: Selectable<ProjectTable>): Promise<void> =>
  archive(withoutTimeout(write), { id, resource: 'project', name, slug, parentId: null })

export const archiveEnvironment = (write: Write, { id, name, slug, project_id }: Selectable<EnvironmentTable>): Promise<void> =>
  archive(withoutTimeout(write), { id, resource: 'environment', name, slug, parentId: project_id })

/** Moves back everything of a deletion, its project or environment under `slug`, known to be free. */
export const unarchive = async (
  write: Write,
  deletion: { id: string; resource: 'project' | 'environment' },
  slug: string,
): Promise<void> => {
  const top = archiveOf(deletion.resource === 'project' ? 'projects' : 'environments')
  await sql`update ${top} set slug = ${slug} where workspace_id = ${write.workspaceId} and id = ${deletion.id}`.execute(write.kysely)
  for (const table of childrenFirst.toReversed()) await putBack(withoutTimeout(write), table, deletion.id)
  await write.kysely.deleteFrom('deletions').where('workspace_id', '=', write.workspaceId).where('id', '=', deletion.id).execute()
}

/** Removes deletions from before `before` (ISO 8601) for good. Returns how many there were. */
export const dropDeletions = async (write: Write, before: string): Promise<number> => {
  const { kysely } = withoutTimeout(write)
  const here = sql`workspace_id = ${write.workspaceId}`
  const old = sql`(select id from deletions where ${here} and deleted_at < ${before})`
  const versions = sql`(select id from archived_versions where ${here} and deletion_id in ${old})`
  const isOld = sql`${here} and deletion_id in ${old}`
  const countOf = (table: Archived) => sql`(select count(*) from ${archiveOf(table)} where ${isOld})`
  const bytesIn = (table: string, column: string, which: RawBuilder<unknown>) =>
    sql`(select coalesce(sum(octet_length(${sql.ref(column)})), 0) from ${sql.table(table)} where ${which})`
  const { rows } = await sql<Usage>`
    select ${countOf('projects')} + ${countOf('environments')} + ${countOf('variables')} as records, ${countOf('versions')} as versions,
      ${bytesIn('archived_variables', 'value', isOld)} + ${bytesIn('archived_versions', 'note', isOld)}
        + ${bytesIn('version_variables', 'value', sql`${here} and version_id in ${versions}`)} as bytes
  `.execute(kysely)
  const [dropped] = rows
  if (dropped !== undefined) write.use({ records: -dropped.records, versions: -dropped.versions, bytes: -dropped.bytes })
  await sql`delete from version_variables where ${here} and version_id in ${versions}`.execute(kysely)
  for (const table of childrenFirst) {
    await sql`delete from ${archiveOf(table)} where ${here} and deletion_id in ${old}`.execute(kysely)
  }
  const deletions = await kysely
    .deleteFrom('deletions')
    .where('workspace_id', '=', write.workspaceId)
    .where('deleted_at', '<', before)
    .executeTakeFirst()
  return Number(deletions.numDeletedRows)
}
