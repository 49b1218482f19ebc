import { errorCodes } from '../protocol/error-codes.ts'
import { pageBytes } from '../protocol/limits.ts'
import type { FeedItem } from '../protocol/records.ts'
import { environmentRecord } from './environments.ts'
import { memberRecord } from './members.ts'
import { projectRecord } from './projects.ts'
import { Refusal } from './refusal.ts'
import type { Db } from './store.ts'
import { countOf, prepared } from './store.ts'
import type { EnvironmentTable, MemberTable, ProjectTable, TombstoneTable, VariableTable, VersionTable, WorkspaceTable } from './tables.ts'
import type { Resource } from './tombstones.ts'
import { variableRecord } from './variables.ts'
import { versionRecord } from './versions.ts'
import { workspaceRecord } from './workspace.ts'

interface Range {
  from: number
  to: number
  count: number
}

const selectClock = prepared<object, { seq: number; epoch: string }>((db) => db.selectFrom('clock').select(['seq', 'epoch']))

const range = <Row>(table: 'workspaces' | 'projects' | 'environments' | 'variables' | 'versions' | 'members' | 'tombstones') =>
  prepared<Range, Row>((db, arg) =>
    db
      // The tables share the column that is used here; their rows are told apart by the caller.
      .selectFrom(table as 'tombstones')
      .selectAll()
      .where('seq', '>', arg('from'))
      .where('seq', '<=', arg('to'))
      .orderBy('seq')
      .limit(countOf(arg('count'))),
  )

interface Placed {
  seq: number
  id: string
}

/** One table of the feed: its rows in commit order, what each weighs, and its entry. */
interface Source<Row extends Placed = Placed> {
  read: (db: Db, range: Range) => Promise<Row[]>
  bytes: (row: Row) => number
  item: (row: Row) => FeedItem
}

const noBytes = () => 0

// What `item` gets came from `read` of the same source; only the list of all forgets the row's type.
const source = <Row extends Placed>(of: Source<Row>): Source => of as unknown as Source

const sources: readonly Source[] = [
  source({
    read: range<WorkspaceTable>('workspaces'),
    bytes: noBytes,
    item: (row) => ({ resource: 'workspace', id: row.id, deleted: false, record: workspaceRecord(row) }),
  }),
  source({
    read: range<ProjectTable>('projects'),
    bytes: noBytes,
    item: (row) => ({ resource: 'project', id: row.id, deleted: false, record: projectRecord(row) }),
  }),
  source({
    read: range<EnvironmentTable>('environments'),
    bytes: noBytes,
    item: (row) => ({ resource: 'environment', id: row.id, deleted: false, record: environmentRecord(row) }),
  }),
  source({
    read: range<VariableTable>('variables'),
    bytes: (row) => row.value.length,
    item: (row) => ({ resource: 'variable', id: row.id, deleted: false, record: variableRecord(row) }),
  }),
  source({
    read: range<VersionTable>('versions'),
    bytes: noBytes,
    item: (row) => ({ resource: 'version', id: row.id, deleted: false, record: versionRecord(row) }),
  }),
  source({
    read: range<MemberTable>('members'),
    bytes: noBytes,
    item: (row) => ({ resource: 'member', id: row.id, deleted: false, record: memberRecord(row) }),
  }),
  source({
    read: range<TombstoneTable & { resource: Resource }>('tombstones'),
    bytes: noBytes,
    item: ({ resource, id }) => ({ resource, id, deleted: true, record: null }),
  }),
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

const cursorShape = /^([a-z0-9]{1,32})\.(\d{1,16})$/

const gone = () =>
  new Refusal(errorCodes.cursorGone, 'This cursor is not of the present history. Read everything again, starting without a cursor.')

/** Where the feed goes on. Throws a 410 Refusal for a cursor that this history never gave. */
const parseFeedCursor = (cursor: string | undefined, clock: { seq: number; epoch: string }): number => {
  if (cursor === undefined) return 0
  const [, epoch, text] = cursorShape.exec(cursor) ?? []
  const seq = Number(text)
  if (epoch !== clock.epoch || !Number.isSafeInteger(seq) || seq > clock.seq) throw gone()
  return seq
}

/**
 * One page of the change feed: each record once, at the commit that wrote it last, and a tombstone for
 * each deleted one, in commit order. The newest commit is read first and bounds all other reads: a
 * record that is written again meanwhile leaves this page and comes with a later one, never with none.
 */
export const readChanges = async (
  db: Db,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ items: FeedItem[]; nextCursor: string; more: boolean }> => {
  const [clock] = await selectClock(db, {})
  if (clock === undefined) throw new Error('the clock row is missing')
  const to = clock.seq
  let from = parseFeedCursor(query.cursor, clock)
  const page = (more: boolean) => ({ items, nextCursor: `${clock.epoch}.${more ? from : to}`, more })
  const items: FeedItem[] = []
  let bytes = 0
  let slice = firstSlice
  // A source without rows in the range of this page has none in the rest of it.
  let live = sources
  for (;;) {
    const wanted = Math.min(slice, query.limit - items.length)
    const read = await Promise.all(live.map(async (source) => ({ source, rows: await source.read(db, { from, to, count: wanted + 1 }) })))
    const filled = read.filter(({ rows }) => rows.length > 0)
    live = filled.map(({ source }) => source)
    const entries = inOrder(filled)
    for (const { source, row } of entries.slice(0, wanted)) {
      bytes += source.bytes(row)
      if (items.length > 0 && bytes > pageBytes) return page(true)
      items.push(source.item(row))
      from = row.seq
    }
    if (entries.length <= wanted) return page(false)
    if (items.length >= query.limit) return page(true)
    slice *= 4
  }
}
