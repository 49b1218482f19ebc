import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { ProjectRecord } from '../protocol/records.ts'
import { archiveProject, requireFreeId } from './archive.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { lister } from './page.ts'
import { notFound, taken } from './refusal.ts'
import type { Db } from './store.ts'
import { atNextCommit, newStamps } from './stamps.ts'
import { finderById, prepared } from './store.ts'
import type { ProjectTable } from './tables.ts'
import type { Write } from './write.ts'

export type ProjectRow = Selectable<ProjectTable>

const defaultIcon = 'folder'

export const projectRecord = (row: ProjectRow): ProjectRecord => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  icon: row.icon,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  etag: etagOf(row.seq),
})

const selectBySlug = prepared<{ slug: string }, ProjectRow>((db, arg) =>
  db.selectFrom('projects').selectAll().where('workspace_id', '=', arg('workspace')).where('slug', '=', arg('slug')),
)
/** The project with this id, or null. */
export const findProject = finderById('projects')

/** The project with this slug. Throws a 404 Refusal. */
export const readProject = async (db: Db, slug: string): Promise<ProjectRow> => {
  const [row] = await selectBySlug(db, { slug })
  if (row === undefined) throw notFound('There is no project with this slug.')
  return row
}

export const listProjects = lister('projects', projectRecord)

/** Throws a 409 Refusal when a project has the slug. */
export const requireFreeProjectSlug = async (db: Db, slug: string): Promise<void> => {
  const [other] = await selectBySlug(db, { slug })
  if (other !== undefined) throw taken(`Another project has the slug "${slug}".`, other.id)
}

/** Throws a 409 Refusal when the slug is taken, 422 when an environment has the id. Without an `id` the project gets a new one. */
export const createProject = async (
  write: Write,
  body: { id?: string; name: string; slug: string; icon?: string | undefined },
): Promise<ProjectRow> => {
  await requireFreeProjectSlug(write, body.slug)
  if (body.id !== undefined) await requireFreeId(write, body.id)
  write.use({ records: 1 })
  const row: ProjectRow = {
    ...newStamps(write),
    id: body.id ?? uuid(),
    name: body.name,
    slug: body.slug,
    icon: body.icon ?? defaultIcon,
  }
  await write.kysely.insertInto('projects').values(row).execute()
  return row
}

/** Changes the fields in `patch`; a patch without a difference writes nothing. 409 and 412 Refusals. */
export const updateProject = async (
  write: Write,
  row: ProjectRow,
  patch: { name?: string | undefined; slug?: string | undefined; icon?: string | undefined },
  ifMatch: IfMatch,
): Promise<ProjectRow> => {
  requireMatch(ifMatch, row.seq)
  const next = { ...row, name: patch.name ?? row.name, slug: patch.slug ?? row.slug, icon: patch.icon ?? row.icon }
  if (next.name === row.name && next.slug === row.slug && next.icon === row.icon) return row
  if (next.slug !== row.slug) await requireFreeProjectSlug(write, next.slug)
  const changed = atNextCommit(write, next)
  await write.kysely.updateTable('projects').set(changed).where('workspace_id', '=', row.workspace_id).where('id', '=', row.id).execute()
  return changed
}

/** Deletes a project with everything in it; it can be restored for 30 days. Throws a 412 Refusal. */
export const deleteProject = async (write: Write, row: ProjectRow, ifMatch: IfMatch): Promise<void> => {
  requireMatch(ifMatch, row.seq)
  await archiveProject(write, row)
}
