import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'
import { compareParents } from './compare-names.ts'
import { firstSeqOf, syncColumns, type SyncColumns } from './sync-columns.ts'

export interface EnvironmentColumns {
  id: string
  name: string
  slug: string
}

/** The environments of a project as the user sees them, in natural order of their names. */
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

/** The variables of an environment: names in code-unit order, with the stamp and secrecy of each. */
export interface StampedNames {
  names: readonly string[]
  /** Equal values have equal stamps; '' where a value can't be compared. */
  stamps: readonly string[]
  /** One character per name: '0' if it is known not to be secret. */
  secrets: string
}

/**
 * The names and stamps of each environment, in the given order. Tags made with the key `keyId` are stamps unchanged. Environments with the
 * same names share one list of them.
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
    // Only variables are below an environment; adding the kind would leave the index.
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

// The text is a JSON array built by SQLite.
const parseTexts = (json: string): string[] => JSON.parse(json) as string[]

/** SQLite orders by UTF-8 bytes, which differs from code-unit order beyond U+FFFF, and does not promise to read an index in order. */
function toOrder(names: readonly string[], stamps: readonly string[], secrets: string): StampedNames {
  if (isAscending(names)) return { names, stamps, secrets }
  const ordered = [...names.entries()].toSorted(([, a], [, b]) => (a < b ? -1 : 1))
  return {
    names: ordered.map(([, name]) => name),
    stamps: ordered.flatMap(([at]) => stamps.slice(at, at + 1)),
    secrets: ordered.map(([at]) => secrets.charAt(at)).join(''),
  }
}

function isAscending(names: readonly string[]): boolean {
  let previous: string | null = null
  for (const name of names) {
    if (previous !== null && !(previous < name)) return false
    previous = name
  }
  return true
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
    .leftJoin('queue as first', (join) => join.on('first.seq', '=', firstSeqOf('row.id')))
    .select(['row.id', 'row.parent_id', 'row.name', 'base.rev', ...syncColumns])
    .where('row.kind', '=', 'variable')
    .where('row.parent_id', 'in', environmentIds)
    .where('row.name', 'in', names)
    .$narrowType<{ parent_id: string; name: string }>()
    .execute()
}
