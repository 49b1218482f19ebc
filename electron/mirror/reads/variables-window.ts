import { sql, type RawBuilder } from 'kysely'
import type { Entry, ConflictKind } from '../../queue/entry.ts'
import type { Mirror } from '../mirror.ts'
import { build, type Tx } from '../tx.ts'
import { escapeLike } from './names-like.ts'
import { firstSeqOf, syncColumns, type SyncColumns } from './sync-columns.ts'

export interface VariableColumns extends SyncColumns {
  id: string
  parent_id: string
  name: string
  tag: string | null
  key_id: string | null
  type: 'string' | 'number' | 'boolean' | null
  is_secret: number | null
  updated_at: string | null
  updated_by: string | null
  rev: number | null
  /** The kind of conflict of its first unsent change. */
  conflict_kind: ConflictKind | null
  /** How far the value is trusted. */
  trust: 'verified' | 'open' | 'unverified'
}

/** Which variables of an environment, and in what order. */
export interface WindowArgs {
  environmentId: string
  /** Part of the name, case-insensitive for ASCII; empty for all. */
  filter: string
  /** By name by default, in the order of `nameKey`; ties by name. */
  sort?: { by: 'name' | 'type' | 'secret' | 'updated' | 'sync'; dir: 'asc' | 'desc' } | undefined
  /** Empty lists filter nothing. */
  types?: readonly ('string' | 'number' | 'boolean' | 'unknown')[] | undefined
  secret?: boolean | undefined
  sync?: readonly ('synced' | 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed')[] | undefined
}

/** The sync state of the first unsent change of a row. */
const syncState = sql<string>`coalesce((SELECT state FROM queue WHERE queue.row_id = row.id ORDER BY seq LIMIT 1), 'synced')`

/** The expression for each sort. A sort by name needs only the index. */
const sortKeys: Record<NonNullable<WindowArgs['sort']>['by'], RawBuilder<unknown>> = {
  name: sql`NULL`,
  type: sql`coalesce(row.type, '')`,
  // A variable that was never classified counts as a secret, after the known ones.
  secret: sql`CASE WHEN row.is_secret = 1 THEN 2 WHEN row.is_secret IS NULL THEN 1 ELSE 0 END`,
  updated: sql`coalesce((SELECT updated_at FROM base WHERE base.id = row.id), '9999')`,
  sync: sql`CASE ${syncState} WHEN 'conflict' THEN 5 WHEN 'failed' THEN 4 WHEN 'blocked' THEN 3 WHEN 'sending' THEN 2 WHEN 'queued' THEN 1 ELSE 0 END`,
}

/** An Unverified value begins with `u1:`; a bound one ends in a point and the 43 characters of its binding. */
const trust = sql<VariableColumns['trust']>`CASE WHEN row.sealed >= 'u1:' AND row.sealed < 'u1;' THEN 'unverified'
  WHEN substr(row.sealed, -44, 1) = '.' THEN 'verified' ELSE 'open' END`

const byName = { by: 'name', dir: 'asc' } as const

function matchingRows(read: Mirror['read'], args: WindowArgs) {
  const { types = [], sync = [] } = args
  return read
    .selectFrom('working as row')
    .where('row.kind', '=', 'variable')
    .where('row.parent_id', '=', args.environmentId)
    .$if(args.filter !== '', (query) => query.where(sql<boolean>`row.name LIKE ${`%${escapeLike(args.filter)}%`} ESCAPE '\\'`))
    .$if(types.length > 0, (query) => query.where(sql`coalesce(row.type, 'unknown')`, 'in', types))
    .$if(args.secret === true, (query) => query.where('row.is_secret', 'is not', 0))
    .$if(args.secret === false, (query) => query.where('row.is_secret', '=', 0))
    .$if(sync.length > 0, (query) => query.where(syncState, 'in', sync))
}

/** The rows in the order of the table. The index returns them in order of their names; any other sort key has to sort all matches. */
function inOrder(read: Mirror['read'], args: WindowArgs) {
  const { by, dir } = args.sort ?? byName
  const nameDir = by === 'name' ? dir : 'asc'
  return matchingRows(read, args)
    .$if(by !== 'name', (query) => query.orderBy(sortKeys[by], dir))
    .orderBy('row.name_key', nameDir)
    .orderBy('row.name', nameDir)
    .orderBy('row.id', nameDir)
}

/** Returns the position of a variable in the order of `variablesWindow`, from 0 on; null: it does not match. */
export async function variablePlace(mirror: Mirror, args: WindowArgs & { id: string }): Promise<number | null> {
  const { by, dir } = args.sort ?? byName
  const nameDir = sql.raw(by === 'name' ? dir : 'asc')
  const names = sql`row.name_key ${nameDir}, row.name ${nameDir}, row.id ${nameDir}`
  const order = by === 'name' ? names : sql`${sortKeys[by]} ${sql.raw(dir)}, ${names}`
  const places = matchingRows(mirror.read, args)
    .select(['row.id', sql<number>`row_number() OVER (ORDER BY ${order}) - 1`.as('place')])
    .as('placed')
  const found = await mirror.read.selectFrom(places).select('placed.place').where('placed.id', '=', args.id).executeTakeFirst()
  return found?.place ?? null
}

/** Returns a window of an environment's variables as the user sees them, and how many match in total. */
export async function variablesWindow(
  mirror: Mirror,
  args: WindowArgs & { offset: number; limit: number },
): Promise<{ total: number; rows: VariableColumns[] }> {
  const { read } = mirror
  const { sort = byName } = args
  const nameDir = sort.by === 'name' ? sort.dir : 'asc'
  const { total } = await matchingRows(read, args)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // Selects the window first, then joins the rest: joining all matches would read every skipped row.
  const window = inOrder(read, args)
    .select(['row.id', 'row.name', 'row.name_key', sortKeys[sort.by].as('sort_key')])
    .offset(args.offset)
    .limit(args.limit)
    .as('window')
  const rows = await read
    .selectFrom(window)
    .innerJoin('working as row', 'row.id', 'window.id')
    .leftJoin('base', 'base.id', 'window.id')
    .leftJoin('queue as first', (join) => join.on('first.seq', '=', firstSeqOf('window.id')))
    .select([
      'row.id',
      'row.parent_id',
      'row.name',
      'row.tag',
      'row.key_id',
      'row.type',
      'row.is_secret',
      trust.as('trust'),
      'base.updated_at',
      'base.updated_by',
      'base.rev',
      sql<ConflictKind | null>`json_extract(first.conflict, '$.kind')`.as('conflict_kind'),
      ...syncColumns,
    ])
    .$if(sort.by !== 'name', (query) => query.orderBy('window.sort_key', sort.dir))
    .orderBy('window.name_key', nameDir)
    .orderBy('window.name', nameDir)
    .orderBy('window.id', nameDir)
    .$narrowType<{ name: string; parent_id: string }>()
    .execute()
  return { total, rows }
}

/** An end of a range: the row with this id or, if none matches, the one that is at this index. */
export interface RangeEnd {
  id: string | null
  index: number
}

export interface RangeColumns {
  id: string
  name: string
  rev: number | null
  change_kind: Entry['kind'] | null
}

/**
 * Returns the rows of `variablesWindow` between two of them, both included, or all for null. An end that is past the last row means up to
 * that one. They are of one state of the mirror, however many there are.
 */
export function variablesRange(tx: Tx, args: WindowArgs & { ends: readonly [RangeEnd, RangeEnd] | null }): RangeColumns[] {
  const { sort = byName, ends } = args
  const nameDir = sort.by === 'name' ? sort.dir : 'asc'
  const key = sortKeys[sort.by]
  const matching = matchingRows(build, args)
  const ordered = inOrder(build, args)
  const keys = ['row.id', 'row.name_key', 'row.name', key.as('sort_key')] as const
  const edgeAt = ({ id, index }: RangeEnd) =>
    (id === null ? undefined : tx.get(matching.select(keys).where('row.id', '=', id))) ??
    tx.get(ordered.select(keys).offset(index).limit(1))
  type Edge = Exclude<ReturnType<typeof edgeAt>, undefined>
  /** Whether a row is this one, or comes after it or before it. */
  const isFrom = (edge: Edge, side: 'after' | 'before') => {
    const beyond = (dir: 'asc' | 'desc') => sql.raw((dir === 'asc') === (side === 'after') ? '>' : '<')
    // Compared as one, so that the index is searched for both ends.
    const byNames = sql<boolean>`(row.name_key, row.name, row.id) ${beyond(nameDir)}= (${edge.name_key}, ${edge.name}, ${edge.id})`
    if (sort.by === 'name') return byNames
    return sql<boolean>`(${key} ${beyond(sort.dir)} ${edge.sort_key} OR (${key} = ${edge.sort_key} AND ${byNames}))`
  }
  const between = (first: Edge | undefined, last: Edge | undefined) =>
    tx.all(
      ordered
        .where(({ and }) => and([...(first ? [isFrom(first, 'after')] : []), ...(last ? [isFrom(last, 'before')] : [])]))
        .leftJoin('base', 'base.id', 'row.id')
        .leftJoin('queue as first', (join) => join.on('first.seq', '=', firstSeqOf('row.id')))
        .select(['row.id', 'row.name', 'base.rev', 'first.kind as change_kind'])
        .$narrowType<{ name: string }>(),
    )
  if (ends === null) return between(undefined, undefined)
  const [one, other] = ends.flatMap((end) => edgeAt(end) ?? [])
  if (one === undefined) return []
  const rows = between(one, other)
  // Only the database can tell which end comes first. No row is between the later end and the earlier one.
  return rows.length > 0 || other === undefined ? rows : between(other, one)
}
