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

/** The stamps of these names in these environments. */
export async function stampsOfNames(
  { read }: Mirror,
  environmentIds: readonly string[],
  names: readonly string[],
  keyId: string | null,
): Promise<(StampColumns & { parent_id: string })[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working')
    .select(['parent_id', 'name', stampSql(keyId).as('stamp')])
    .where('parent_id', 'in', environmentIds)
    .where('name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}

/** Those of the names that some of the environments take for a secret, or never said. */
export async function secretNames({ read }: Mirror, environmentIds: readonly string[], names: readonly string[]): Promise<string[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  const rows = await read
    .selectFrom('working')
    .select('name')
    .distinct()
    .where('kind', '=', 'variable')
    .where('parent_id', 'in', environmentIds)
    .where('name', 'in', names)
    .where('is_secret', 'is not', 0)
    .$narrowType<{ name: string }>()
    .execute()
  return rows.map(({ name }) => name)
}

/** The types of these names in these environments. */
export async function typesIn(
  { read }: Mirror,
  environmentIds: readonly string[],
  names: readonly string[],
): Promise<{ parent_id: string; name: string; type: 'string' | 'number' | 'boolean' | null }[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working')
    .select(['parent_id', 'name', 'type'])
    .where('kind', '=', 'variable')
    .where('parent_id', 'in', environmentIds)
    .where('name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}

/** A variable in its environment, and what the queue says of it. */
export interface CellColumns extends SyncColumns {
  id: string
  parent_id: string
  name: string
}

/** The variables of these names in these environments. */
export async function compareCells({ read }: Mirror, environmentIds: readonly string[], names: readonly string[]): Promise<CellColumns[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working as row')
    .leftJoin('queue as first', (join) =>
      join.on('first.seq', '=', (eb) =>
        eb
          .selectFrom('queue')
          .select(({ fn }) => fn.min('queue.seq').as('seq'))
          .whereRef('queue.row_id', '=', 'row.id'),
      ),
    )
    .select([
      'row.id',
      'row.parent_id',
      'row.name',
      'first.id as change_id',
      'first.state as change_state',
      'first.reason as change_reason',
    ])
    .where('row.kind', '=', 'variable')
    .where('row.parent_id', 'in', environmentIds)
    .where('row.name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}
