import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { EnvironmentRecord } from '../protocol/records.ts'
import { archiveEnvironment, requireFreeId } from './archive.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { lister, type Page, type PageQuery } from './page.ts'
import { notFound, taken } from './refusal.ts'
import type { Db } from './store.ts'
import { atNextCommit, newStamps } from './stamps.ts'
import { finderById, prepared } from './store.ts'
import type { EnvironmentTable } from './tables.ts'
import type { Write } from './write.ts'

export type EnvironmentRow = Selectable<EnvironmentTable>

export const environmentRecord = (row: EnvironmentRow): EnvironmentRecord => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  projectId: row.project_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  etag: etagOf(row.seq),
})

const selectBySlugs = prepared<{ project: string; slug: string }, EnvironmentRow>((db, arg) =>
  db
    .selectFrom('environments')
    .selectAll()
    .where('environments.workspace_id', '=', arg('workspace'))
    .where('project_id', '=', (eb) =>
      eb
        .selectFrom('projects')
        .select('projects.id')
        .where('projects.workspace_id', '=', arg('workspace'))
        .where('slug', '=', arg('project')),
    )
    .where('environments.slug', '=', arg('slug')),
)
const selectProjectId = prepared<{ project: string }, { id: string }>((db, arg) =>
  db.selectFrom('projects').select('id').where('workspace_id', '=', arg('workspace')).where('slug', '=', arg('project')),
)
const selectInProject = prepared<{ projectId: string; slug: string }, { id: string }>((db, arg) =>
  db
    .selectFrom('environments')
    .select('id')
    .where('workspace_id', '=', arg('workspace'))
    .where('project_id', '=', arg('projectId'))
    .where('slug', '=', arg('slug')),
)
/** The id of the project with this slug. Throws a 404 Refusal. */
export const readProjectId = async (db: Db, project: string): Promise<string> => {
  const [row] = await selectProjectId(db, { project })
  if (row === undefined) throw notFound('There is no project with this slug.')
  return row.id
}

/** The environment with this id, or null. */
export const findEnvironment = finderById('environments')

/** The environment at these slugs. Throws a 404 Refusal that says which of the two is missing. */
export const readEnvironment = async (db: Db, project: string, slug: string): Promise<EnvironmentRow> => {
  const [row] = await selectBySlugs(db, { project, slug })
  if (row !== undefined) return row
  await readProjectId(db, project)
  throw notFound('There is no environment with this slug in the project.')
}

const listOf = lister('environments', environmentRecord, { under: 'project_id' })

export const listEnvironments = async (db: Db, project: string, query: PageQuery): Promise<Page<EnvironmentRecord>> =>
  listOf(db, query, await readProjectId(db, project))

/** Throws a 409 Refusal when an environment of the project has the slug. */
export const requireFreeEnvironmentSlug = async (db: Db, projectId: string, slug: string): Promise<void> => {
  const [other] = await selectInProject(db, { projectId, slug })
  if (other !== undefined) throw taken(`Another environment of the project has the slug "${slug}".`, other.id)
}

/** Creates an environment in a project known to exist. Throws a 409 Refusal when the slug is taken in it, 422 when a project has the id. */
export const createEnvironment = async (
  write: Write,
  projectId: string,
  body: { id?: string; name: string; slug: string },
): Promise<EnvironmentRow> => {
  await requireFreeEnvironmentSlug(write, projectId, body.slug)
  if (body.id !== undefined) await requireFreeId(write, body.id)
  write.use({ records: 1 })
  const row: EnvironmentRow = {
    ...newStamps(write),
    id: body.id ?? uuid(),
    project_id: projectId,
    name: body.name,
    slug: body.slug,
    left_seq: 0,
  }
  await write.kysely.insertInto('environments').values(row).execute()
  return row
}

/** Changes the fields in `patch`; a patch without a difference writes nothing. 409 and 412 Refusals. */
export const updateEnvironment = async (
  write: Write,
  row: EnvironmentRow,
  patch: { name?: string | undefined; slug?: string | undefined },
  ifMatch: IfMatch,
): Promise<EnvironmentRow> => {
  requireMatch(ifMatch, row.seq)
  const next = { ...row, name: patch.name ?? row.name, slug: patch.slug ?? row.slug }
  if (next.name === row.name && next.slug === row.slug) return row
  if (next.slug !== row.slug) await requireFreeEnvironmentSlug(write, row.project_id, next.slug)
  const changed = atNextCommit(write, next)
  await write.kysely
    .updateTable('environments')
    .set(changed)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
  return changed
}

/**
 * Records the last commit by which variables left these environments, deleted or moved: the remaining rows do not show it.
 */
export const noteLeft = async (write: Write, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await write.kysely
    .updateTable('environments')
    .set({ left_seq: write.reserveSeqs(0) })
    .where('workspace_id', '=', write.workspaceId)
    .where('id', 'in', ids)
    .execute()
}

/** Deletes an environment with everything in it; it can be restored for 30 days. Throws a 412 Refusal. */
export const deleteEnvironment = async (write: Write, row: EnvironmentRow, ifMatch: IfMatch): Promise<void> => {
  requireMatch(ifMatch, row.seq)
  await archiveEnvironment(write, row)
}
