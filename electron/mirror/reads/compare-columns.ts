import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'
import { compareNames } from './compare-names.ts'
import type { SyncColumns } from './sync-columns.ts'

export interface EnvironmentColumns {
  id: string
  name: string
  slug: string
}

/** The environments of a project as the user sees them, by name in the order of people. */
export async function environmentsOf({ read }: Mirror, projectId: string): Promise<EnvironmentColumns[]> {
  const rows = await read
    .selectFrom('working')
    .select(['id', 'name', 'slug'])
    .where('kind', '=', 'environment')
    .where('parent_id', '=', projectId)
    .where('name', 'is not', null)
    .where('slug', 'is not', null)
    .orderBy('id')
    .$narrowType<{ name: string; slug: string }>()
    .execute()
  return rows.toSorted((a, b) => compareNames(a.name, b.name))
}

/** The variables of an environment, in JavaScript's order of names, and beside each name what is told of its value. */
export interface StampedNames {
  names: readonly string[]
  /** Texts that equal values share; '' where nothing can be said of the value. */
  stamps: readonly string[]
  /** One character a name: '0' where it is known to be no secret. */
  secrets: string
}

/**
 * What each of the environments has, in their order. `keyId`: the key whose tags are stamps as they are. Environments with the same names share
 * one list of them.
 */
export async function environmentStamps(
  { read }: Mirror,
  environmentIds: readonly string[],
  keyId: string | null,
): Promise<StampedNames[]> {
  if (environmentIds.length === 0) return []
  // One text a list: rows by themselves would take longer to hand over than to find.
  const rows = await read
    .selectFrom('working')
    .select([
      'parent_id',
      sql<string>`json_group_array(name)`.as('names'),
      sql<string>`json_group_array(${stampSql(keyId)})`.as('stamps'),
      sql<string>`group_concat(is_secret IS NOT 0, '')`.as('secrets'),
    ])
    // Below an environment there are variables alone; the index does not say so again.
    .where('parent_id', 'in', environmentIds)
    .where('name', 'is not', null)
    .groupBy('parent_id')
    .execute()
  const lists = new Map<string, string[]>()
  const parsedOnce = (text: string): string[] => {
    const known = lists.get(text)
    if (known !== undefined) return known
    const list = parseTexts(text)
    lists.set(text, list)
    return list
  }
  const found = new Map(rows.map((row) => [row.parent_id, toOrder(parsedOnce(row.names), parseTexts(row.stamps), row.secrets)]))
  return environmentIds.map((id) => found.get(id) ?? { names: [], stamps: [], secrets: '' })
}

// What SQLite has put together is a list of texts.
const parseTexts = (json: string): string[] => JSON.parse(json) as string[]

/** SQLite orders by UTF-8 bytes, which is another order for characters beyond 16 bits; and an index promises its order to nobody. */
function toOrder(names: readonly string[], stamps: readonly string[], secrets: string): StampedNames {
  if (names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name)) return { names, stamps, secrets }
  const order = [...names.keys()].toSorted((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1))
  return {
    names: order.map((at) => names[at] ?? ''),
    stamps: order.map((at) => stamps[at] ?? ''),
    secrets: order.map((at) => secrets[at]).join(''),
  }
}

const stampSql = (keyId: string | null) =>
  sql<string>`CASE WHEN tag IS NULL THEN '' WHEN key_id IS ${keyId} THEN tag ELSE tag || '.' || coalesce(key_id, '') END`

/** A variable's name, its environment, its stamp, and whether it is a secret. */
export interface StampColumns {
  parent_id: string
  name: string
  stamp: string
  is_secret: number | null
}

/** The stamps of these names in these environments. */
export async function stampsOfNames(
  { read }: Mirror,
  environmentIds: readonly string[],
  names: readonly string[],
  keyId: string | null,
): Promise<StampColumns[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working')
    .select(['parent_id', 'name', stampSql(keyId).as('stamp'), 'is_secret'])
    .where('parent_id', 'in', environmentIds)
    .where('name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
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
  /** Null: the service has never shown it. */
  rev: number | null
}

/** The variables of these names in these environments. */
export async function compareCells({ read }: Mirror, environmentIds: readonly string[], names: readonly string[]): Promise<CellColumns[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working as row')
    .leftJoin('base', 'base.id', 'row.id')
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
      'base.rev',
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
