import type { Selectable } from 'kysely'
import type { WorkspaceRecord } from '../protocol/records.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { atNextCommit } from './stamps.ts'
import { workspaceDeleted } from './refusal.ts'
import type { Db } from './store.ts'
import { prepared } from './store.ts'
import type { WorkspaceTable } from './tables.ts'
import type { Write } from './write.ts'

export type WorkspaceRow = Selectable<WorkspaceTable>

export const workspaceRecord = (row: WorkspaceRow): WorkspaceRecord => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  icon: row.icon,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  etag: etagOf(row.seq),
})

const select = prepared<object, WorkspaceRow>((db, arg) => db.selectFrom('workspaces').selectAll().where('id', '=', arg('workspace')))

/** The workspace that `db` sees. Throws a 401 Refusal when it was deleted. */
export const readWorkspace = async (db: Db): Promise<WorkspaceRow> => {
  const [row] = await select(db, {})
  if (row === undefined) throw workspaceDeleted()
  return row
}

/** Changes the fields in `patch`; a patch without a difference writes nothing. */
export const updateWorkspace = async (
  write: Write,
  patch: { name?: string | undefined; slug?: string | undefined; icon?: string | undefined },
  ifMatch: IfMatch,
): Promise<WorkspaceRow> => {
  const row = await readWorkspace(write)
  requireMatch(ifMatch, row.seq)
  const next = { ...row, name: patch.name ?? row.name, slug: patch.slug ?? row.slug, icon: patch.icon ?? row.icon }
  if (next.name === row.name && next.slug === row.slug && next.icon === row.icon) return row
  const changed = atNextCommit(write, next)
  await write.kysely.updateTable('workspaces').set(changed).where('id', '=', row.id).execute()
  return changed
}
