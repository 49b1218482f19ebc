import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'
import { compareKeyed, nameKey, type KeyedName } from '../name-key.ts'
import { compareParents } from './compare-names.ts'
import { firstSeqOf, syncColumns, type SyncColumns } from './sync-columns.ts'

export interface EnvironmentColumns {
  id: string
  name: string
  slug: string
}

/** Returns the environments of a project as the user sees them, in natural order of their names. */
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
  return rows.toSorted(compareParents)
}

/** The variables of an environment: names in the order of lists, with the stamp and secrecy of each. */
export interface StampedNames {
  names: readonly string[]
  /** Equal values have equal stamps; '' where a value can't be compared. */
  stamps: readonly string[]
  /** One character per name: '0' if it is known not to be secret. */
  secrets: string
}

/**
 * Returns the names and stamps of each environment, in the given order. A tag made with the key `keyId` is its own stamp. Environments with
 * the same names share one list.
 */
export async function environmentStamps(
  { read }: Mirror,
  environmentIds: readonly string[],
  keyId: string | null,
): Promise<StampedNames[]> {
  if (environmentIds.length === 0) return []
  // One text per list: passing single rows from SQLite would take longer than finding them.
  const rows = await read
    .selectFrom('working')
    .select([
      'parent_id',
      sql<string>`json_group_array(name)`.as('names'),
      sql<string>`json_group_array(${stampSql(keyId)})`.as('stamps'),
      sql<string>`group_concat(is_secret IS NOT 0, '')`.as('secrets'),
    ])
    // Only variables are below an environment, so these reads leave out the kind: with it SQLite would not use the index of names.
    .where('parent_id', 'in', environmentIds)
    .where('name', 'is not', null)
    .groupBy('parent_id')
    .execute()
  const lists = new Map<string, OrderedNames>()
  const orderedOnce = (text: string): OrderedNames => {
    const known = lists.get(text)
    if (known !== undefined) return known
    const list = inOrder(parseTexts(text))
    lists.set(text, list)
    return list
  }
  const found = new Map(rows.map((row) => [row.parent_id, toOrder(orderedOnce(row.names), parseTexts(row.stamps), row.secrets)]))
  return environmentIds.map((id) => found.get(id) ?? { names: [], stamps: [], secrets: '' })
}

// The text is a JSON array built by SQLite.
const parseTexts = (json: string): string[] => JSON.parse(json) as string[]

interface OrderedNames {
  names: readonly string[]
  /** For each name its index in the list as read; null: the order is the same. */
  places: readonly number[] | null
}

/** Sorts names naturally: the index that the stamps are read from has the order of bytes. */
function inOrder(names: readonly string[]): OrderedNames {
  const keyed = names.map((name, place) => ({ name, key: nameKey(name), place }))
  if (isAscending(keyed)) return { names, places: null }
  keyed.sort(compareKeyed)
  return { names: keyed.map(({ name }) => name), places: keyed.map(({ place }) => place) }
}

function isAscending(names: readonly KeyedName[]): boolean {
  let previous: KeyedName | null = null
  for (const name of names) {
    if (previous !== null && compareKeyed(previous, name) >= 0) return false
    previous = name
  }
  return true
}

const toOrder = ({ names, places }: OrderedNames, stamps: readonly string[], secrets: string): StampedNames =>
  places === null
    ? { names, stamps, secrets }
    : { names, stamps: places.flatMap((at) => stamps.slice(at, at + 1)), secrets: places.map((at) => secrets.charAt(at)).join('') }

const stampSql = (keyId: string | null) =>
  sql<string>`CASE WHEN tag IS NULL THEN '' WHEN key_id IS ${keyId} THEN tag ELSE tag || '.' || coalesce(key_id, '') END`

/** A variable's name, its environment, its stamp, and whether it is a secret. */
export interface StampColumns {
  parent_id: string
  name: string
  stamp: string
  is_secret: number | null
}

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

export async function typesIn(
  { read }: Mirror,
  environmentIds: readonly string[],
  names: readonly string[],
): Promise<{ parent_id: string; name: string; type: 'string' | 'number' | 'boolean' | null }[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working')
    .select(['parent_id', 'name', 'type'])
    .where('parent_id', 'in', environmentIds)
    .where('name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}

/** A variable in an environment, with its sync state. */
export interface CellColumns extends SyncColumns {
  id: string
  parent_id: string
  name: string
  /** Null: the service has never shown it. */
  rev: number | null
}

export async function compareCells({ read }: Mirror, environmentIds: readonly string[], names: readonly string[]): Promise<CellColumns[]> {
  if (environmentIds.length === 0 || names.length === 0) return []
  return read
    .selectFrom('working as row')
    .leftJoin('base', 'base.id', 'row.id')
    .leftJoin('queue as first', (join) => join.on('first.seq', '=', firstSeqOf('row.id')))
    .select(['row.id', 'row.parent_id', 'row.name', 'base.rev', ...syncColumns])
    .where('row.parent_id', 'in', environmentIds)
    .where('row.name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}
