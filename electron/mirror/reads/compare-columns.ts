import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'
import type { SyncColumns } from './sync-columns.ts'

export interface EnvironmentColumns {
  id: string
  name: string
  slug: string
}

/** The environments of a project as the user sees them, by name. */
export function environmentsOf({ read }: Mirror, projectId: string): Promise<EnvironmentColumns[]> {
  return read
    .selectFrom('working')
    .select(['id', 'name', 'slug'])
    .where('kind', '=', 'environment')
    .where('parent_id', '=', projectId)
    .where('name', 'is not', null)
    .where('slug', 'is not', null)
    .orderBy('name')
    .orderBy('id')
    .$narrowType<{ name: string; slug: string }>()
    .execute()
}

/** A number that changes whenever the writer has committed. */
export async function mirrorVersion({ read }: Mirror): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(read)
  return rows[0]?.data_version ?? -1
}

/** A variable's name and its stamp, a text that equal values share; '' where nothing can be said of the value. */
export interface StampColumns {
  name: string
  stamp: string
}

/** Names and stamps of an environment's variables, in JavaScript's order of names. `keyId`: the key whose tags are stamps as they are. */
export async function environmentStamps({ read }: Mirror, environmentId: string, keyId: string | null): Promise<StampColumns[]> {
  const rows = await read
    .selectFrom('working')
    .select(['name', stampSql(keyId).as('stamp')])
    // Below an environment there are variables alone; the index does not say so again.
    .where('parent_id', '=', environmentId)
    .where('name', 'is not', null)
    .orderBy('name')
    .$narrowType<{ name: string }>()
    .execute()
  // SQLite orders by UTF-8 bytes, which is another order for characters beyond 16 bits.
  const inOrder = rows.every((row, index) => index === 0 || (rows[index - 1]?.name ?? '') < row.name)
  return inOrder ? rows : rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const stampSql = (keyId: string | null) =>
  sql<string>`CASE WHEN tag IS NULL THEN '' WHEN key_id IS ${keyId} THEN tag ELSE tag || '.' || coalesce(key_id, '') END`

export interface CellColumns extends StampColumns, Pick<SyncColumns, 'change_state'> {
  id: string
  parent_id: string
  type: 'string' | 'number' | 'boolean' | null
  is_secret: number | null
}

/** The variables of these names in these environments. */
export async function compareCells(
  { read }: Mirror,
  environmentIds: readonly string[],
  names: readonly string[],
  keyId: string | null,
): Promise<CellColumns[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working as row')
    .select(({ selectFrom }) => [
      'row.id',
      'row.parent_id',
      'row.name',
      stampSql(keyId).as('stamp'),
      'row.type',
      'row.is_secret',
      selectFrom('queue').select('state').whereRef('queue.row_id', '=', 'row.id').orderBy('seq').limit(1).as('change_state'),
    ])
    .where('row.kind', '=', 'variable')
    .where('row.parent_id', 'in', environmentIds)
    .where('row.name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}
