import type { Selectable } from 'kysely'
import type { DeletedRecord, EnvironmentRecord, ProjectRecord } from '../protocol/records.ts'
import type { RoleId } from '../protocol/roles.ts'
import { unarchive } from './archive.ts'
import { environmentRecord, findEnvironment, requireFreeEnvironmentSlug } from './environments.ts'
import { parseCursor, readPage, type Page, type PageQuery } from './page.ts'
import { findProject, projectRecord, requireFreeProjectSlug } from './projects.ts'
import { notFound, requireRight } from './refusal.ts'
import { countOf, prepared, type Db } from './store.ts'
import type { DeletionTable } from './tables.ts'
import type { Write } from './write.ts'

const deletedRecord = (row: Selectable<DeletionTable>): DeletedRecord => ({
  id: row.id,
  resource: row.resource,
  name: row.name,
  slug: row.slug,
  parentId: row.parent_id,
  deletedAt: row.deleted_at,
  deletedBy: row.deleted_by,
  environmentCount: row.environment_count,
  variableCount: row.variable_count,
  versionCount: row.version_count,
})

const select = prepared<{ before: number; count: number }, Selectable<DeletionTable>>((db, arg) =>
  db
    .selectFrom('deletions')
    .selectAll()
    .where('workspace_id', '=', arg('workspace'))
    .where('seq', '<', arg('before'))
    .orderBy('seq', 'desc')
    .limit(countOf(arg('count'))),
)

/** The projects and environments that can be restored, last deleted first. Throws a 400 Refusal for an invalid cursor. */
export const listDeleted = async (db: Db, query: PageQuery): Promise<Page<DeletedRecord>> => {
  const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : parseCursor(query.cursor)
  const { rows, more } = await readPage(db, before, query.limit, (from, count) => select(db, { before: from, count }))
  const last = rows.at(-1)
  return { items: rows.map(deletedRecord), nextCursor: more && last !== undefined ? String(last.seq) : null }
}

export interface Restored {
  resource: 'project' | 'environment'
  seq: number
  record: ProjectRecord | EnvironmentRecord
}

/**
 * Restores a deleted project or environment with all its contents: ids, values, types, secret flags and versions are unchanged. `slug`
 * replaces its own. 403 Refusal without the right to delete it, 404 when this id cannot be restored or its project is deleted, 409 when
 * the slug is taken.
 */
export const restoreDeleted = async (write: Write, actor: RoleId, id: string, slug: string | undefined): Promise<Restored> => {
  const deletion = await write.kysely
    .selectFrom('deletions')
    .selectAll()
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (deletion === undefined)
    throw notFound('No deleted project or environment has this id. It may have been restored, or its 30 days are over.')
  requireRight(actor, deletion.resource === 'project' ? 'projects.delete' : 'environments.delete')
  const wanted = slug ?? deletion.slug
  if (deletion.parent_id === null) {
    await requireFreeProjectSlug(write, wanted)
    await unarchive(write, deletion, wanted)
    const row = await findProject(write, id)
    if (row === null) throw new Error('a restored project is missing')
    return { resource: 'project', seq: row.seq, record: projectRecord(row) }
  }
  if ((await findProject(write, deletion.parent_id)) === null)
    throw notFound('The project of this environment is deleted. Restore the project first.', 'parent')
  await requireFreeEnvironmentSlug(write, deletion.parent_id, wanted)
  await unarchive(write, deletion, wanted)
  const row = await findEnvironment(write, id)
  if (row === null) throw new Error('a restored environment is missing')
  return { resource: 'environment', seq: row.seq, record: environmentRecord(row) }
}
