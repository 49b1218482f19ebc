import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { errorCodes } from '../protocol/error-codes.ts'
import { pageBytes } from '../protocol/limits.ts'
import type { FeedItem } from '../protocol/records.ts'
import { environmentRecord } from './environments.ts'
import { memberRecord } from './members.ts'
import { projectRecord } from './projects.ts'
import { roomFor, countThatFits, type PageQuery } from './page.ts'
import { Refusal, workspaceDeleted } from './refusal.ts'
import type { Soon } from './soon.ts'
import type { Db } from './store.ts'
import { countOf, prepared, type Arg } from './store.ts'
import type {
  ClockTable,
  EnvironmentTable,
  MemberTable,
  ProjectTable,
  Tables,
  TombstoneTable,
  VariableTable,
  VersionTable,
  WorkspaceTable,
} from './tables.ts'
import type { Resource } from './tombstones.ts'
import { recordColumns, variableRecord } from './variables.ts'
import { versionRecord } from './versions.ts'
import { bytesOf } from './weigh.ts'
import { workspaceRecord } from './workspace.ts'

interface Range {
  from: number
  to: number
  count: number
}

type RangeArg = Arg<Range & { workspace: string }>

export type Clock = Pick<ClockTable, 'seq' | 'epoch' | 'pruned_to' | 'gap_before'>

const selectClock = prepared<object, Clock>((db, arg) =>
  db.selectFrom('clock').select(['seq', 'epoch', 'pruned_to', 'gap_before']).where('workspace_id', '=', arg('workspace')),
)

/** The clock in the snapshot of this reader. Throws a 401 Refusal when the workspace was deleted. */
export const readClock = async (db: Db): Promise<Clock> => {
  const [clock] = await selectClock(db, {})
  if (clock === undefined) throw workspaceDeleted()
  return clock
}

type FeedTable = 'workspaces' | 'projects' | 'environments' | 'variables' | 'versions' | 'members' | 'tombstones'

/** The rows of a table within a range, in commit order. */
const within = (table: FeedTable, db: Kysely<Tables>, arg: RangeArg) =>
  db
    // The tables share the column that is used here; their rows are told apart by the caller.
    .selectFrom(table as 'tombstones')
    // The row of a workspace is of itself.
    .where(table === 'workspaces' ? ('id' as 'workspace_id') : 'workspace_id', '=', arg('workspace'))
    .where('seq', '>', arg('from'))
    .where('seq', '<=', arg('to'))
    .orderBy('seq')
    .limit(countOf(arg('count')))

/** Reads the rows of a range: all their columns, or these. Each column of a page of variables takes a tenth of a millisecond. */
const range = <Row>(table: FeedTable, columns?: readonly (keyof Row)[]) =>
  prepared<Range, Row>((db, arg) => {
    const rows = within(table, db, arg)
    // They are columns of the table that is meant.
    return columns === undefined ? rows.selectAll() : rows.select(columns as readonly 'id'[])
  })

interface Placed {
  seq: number
  id: string
}

/** One table of the feed: its rows in commit order, and their entries. */
interface Source {
  table: FeedTable
  read: (db: Db, range: Range) => Soon<Placed[]>
  item: (row: Placed) => FeedItem
}

const source = <Row extends Placed>(table: FeedTable, item: (row: Row) => FeedItem, columns?: readonly (keyof Row)[]): Source =>
  // `item` gets rows of `read` of the same source; the list of sources erases the type.
  ({ table, read: range<Row>(table, columns), item }) as unknown as Source

const sources: readonly Source[] = [
  source<WorkspaceTable>('workspaces', (row) => ({ resource: 'workspace', id: row.id, deleted: false, record: workspaceRecord(row) })),
  source<ProjectTable>('projects', (row) => ({ resource: 'project', id: row.id, deleted: false, record: projectRecord(row) })),
  source<EnvironmentTable>('environments', (row) => ({
    resource: 'environment',
    id: row.id,
    deleted: false,
    record: environmentRecord(row),
  })),
  source<Pick<VariableTable, (typeof recordColumns)[number]>>(
    'variables',
    (row) => ({ resource: 'variable', id: row.id, deleted: false, record: variableRecord(row) }),
    recordColumns,
  ),
  source<VersionTable>('versions', (row) => ({ resource: 'version', id: row.id, deleted: false, record: versionRecord(row) })),
  source<MemberTable>('members', (row) => ({ resource: 'member', id: row.id, deleted: false, record: memberRecord(row) })),
  source<TombstoneTable & { resource: Resource }>('tombstones', ({ resource, id }) => ({ resource, id, deleted: true, record: null })),
]

interface Entry {
  source: Source
  row: Placed
}

/** The rows of all sources in one commit order. */
const inOrder = (read: readonly { source: Source; rows: Placed[] }[]): Entry[] => {
  const entries = read.flatMap(({ source, rows }) => rows.map((row) => ({ source, row })))
  return read.length < 2 ? entries : entries.sort((a, b) => a.row.seq - b.row.seq)
}

const firstSlice = 100

const cursorShape = /^([a-z0-9]{1,32})\.(\d{1,16})(?:\.(\d{1,16}))?$/

const otherHistory = () =>
  new Refusal(errorCodes.gone, 'This cursor belongs to another history. Read everything again, starting without a cursor.')

const pruned = () =>
  new Refusal(errorCodes.gone, 'Deletions after this cursor were pruned. Read everything again, starting without a cursor.', {
    data: { pruned: true },
  })

/** How far a follower has read. */
export interface FeedPosition {
  /** The last commit it has read. */
  from: number
  /** Of a follower on its first way through: the newest commit when it began. It need not learn of deletions up to that commit. */
  began: number | null
}

/** The position that a cursor names. Throws a 410 Refusal for a cursor of another history. */
export const parseFeedCursor = (cursor: string | undefined, clock: Clock): FeedPosition => {
  if (cursor === undefined) return { from: 0, began: clock.seq }
  const [, epoch, text, begun] = cursorShape.exec(cursor) ?? []
  const from = Number(text)
  const began = begun === undefined ? null : Number(begun)
  const newest = Math.max(from, began ?? 0)
  if (epoch !== clock.epoch || !Number.isSafeInteger(newest) || newest > clock.seq) throw otherHistory()
  return { from, began }
}

const selectGap = prepared<{ at: number }, { gap_after: number }>((db, arg) =>
  db
    .selectFrom('gaps')
    .select('gap_after')
    .where('workspace_id', '=', arg('workspace'))
    .where('gap_after', '<', arg('at'))
    .where('gap_before', '>', arg('at'))
    .limit(1),
)

/** Throws a 410 Refusal for a position that was undone by putting an older database back: commits of this history are in no gap. */
export const requireNotUndone = async (db: Db, { from, began }: FeedPosition, clock: Clock): Promise<void> => {
  const at = Math.max(from, began ?? 0)
  if (at < clock.gap_before && (await selectGap(db, { at })).length > 0) throw otherHistory()
}

/** Throws a 410 Refusal when tombstones that a follower at this position has not read were pruned. */
const requireTombstones = ({ from, began }: FeedPosition, clock: Clock): void => {
  if (Math.max(from, began ?? 0) < clock.pruned_to) throw pruned()
}

const valuesIn = (db: Kysely<Tables>, arg: RangeArg) => within('variables', db, arg).select(['seq', bytesOf('value').as('bytes')])
const notesIn = (db: Kysely<Tables>, arg: RangeArg) => within('versions', db, arg).select(['seq', bytesOf('note').as('bytes')])
/** The sizes of the rows of the feed that can be large. */
const sizes = [prepared<Range, { seq: number; bytes: number }>(valuesIn), prepared<Range, { seq: number; bytes: number }>(notesIn)]

/** What there is in a range: the first commit of each table, null where it has none, and how many bytes of long texts. */
type Survey = { readonly [T in FeedTable | 'values' | 'notes']: number | null }

const surveyRange = prepared<Range, Survey>((db, arg) =>
  db.selectNoFrom(() => {
    // PostgreSQL plans `exists` without its order and limit, and would read the tables.
    const first = ({ table }: Source) => within(table, db, arg).select('seq').limit(sql.lit(1)).as(table)
    const sum = (sized: ReturnType<typeof valuesIn>) => db.selectFrom(sized.as('sized')).select(({ fn }) => fn.sum('bytes').as('bytes'))
    return [...sources.map(first), sum(valuesIn(db, arg)).as('values'), sum(notesIn(db, arg)).as('notes')]
  }),
)

/**
 * The last commit that a page after `from` may reach so that its long texts, of so many `bytes`, stay within 4 MiB, computed before any of
 * them is read. Waits until there is room for an answer of that size.
 */
const reachOf = async (db: Db, from: number, to: number, limit: number, bytes: number): Promise<number> => {
  if (bytes <= pageBytes) {
    await db.admit?.(roomFor(bytes, limit))
    return to
  }
  const range = { from, to, count: limit + 1 }
  const sizesAt = (await Promise.all(sizes.map(async (read) => read(db, range)))).flat().sort((a, b) => a.seq - b.seq)
  const count = countThatFits(sizesAt.map((position) => position.bytes))
  await db.admit?.(
    roomFor(
      sizesAt.slice(0, count).reduce((all, position) => all + position.bytes, 0),
      limit,
    ),
  )
  const next = sizesAt[count]
  return next === undefined ? to : next.seq - 1
}

/** One page after `position`, up to the commit `newest`. `last` is the commit of its last item. */
const readItems = async (
  db: Db,
  position: number,
  newest: number,
  limit: number,
): Promise<{ items: FeedItem[]; last: number; more: boolean }> => {
  const [found] = await surveyRange(db, { from: position, to: newest, count: limit + 1 })
  if (found === undefined) throw new Error('a range was not surveyed')
  const to = await reachOf(db, position, newest, limit, (found.values ?? 0) + (found.notes ?? 0))
  let last = position
  const items: FeedItem[] = []
  // A source that gives no rows for this page has none later in its range.
  let live = sources.filter(({ table }) => found[table] !== null)
  // Where one source alone has rows, all that are read are of this page.
  let slice = live.length === 1 ? limit : firstSlice
  for (;;) {
    const from = last
    const wanted = Math.min(slice, limit - items.length)
    const read = await Promise.all(live.map(async (source) => ({ source, rows: await source.read(db, { from, to, count: wanted + 1 }) })))
    const filled = read.filter(({ rows }) => rows.length > 0)
    live = filled.map(({ source }) => source)
    const entries = inOrder(filled)
    for (const { source, row } of entries.slice(0, wanted)) {
      items.push(source.item(row))
      last = row.seq
    }
    if (entries.length <= wanted) return { items, last: to < newest ? to : last, more: to < newest }
    if (items.length >= limit) return { items, last, more: true }
    slice *= 4
  }
}

/**
 * One page of the change feed: each record once, at the commit that wrote it last, and a tombstone for
 * each deleted one, in commit order. The newest commit is read first and bounds all other reads: a
 * record that is written again meanwhile moves to a later page, so no follower misses it.
 */
export const readChanges = async (
  db: Db,
  query: PageQuery,
): Promise<{ history: string; items: FeedItem[]; nextCursor: string; more: boolean }> => {
  const clock = await readClock(db)
  const position = parseFeedCursor(query.cursor, clock)
  await requireNotUndone(db, position, clock)
  requireTombstones(position, clock)
  const { items, last, more } = await readItems(db, position.from, clock.seq, query.limit)
  // The page is not one snapshot: tombstones of its range may have been pruned, or all of it replaced, while it was read.
  const after = await readClock(db)
  // Read again, a cursor is of another history, and a first page is of the new one.
  if (after.epoch !== clock.epoch) return readChanges(db, query)
  requireTombstones(position, after)
  const way = position.began === null ? [last] : [last, position.began]
  // Joined in one piece, as `etagOf` says.
  return { history: clock.epoch, items, nextCursor: [clock.epoch, ...(more ? way : [clock.seq])].join('.'), more }
}
