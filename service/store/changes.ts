import { errorCodes } from '../protocol/error-codes.ts'
import { pageBytes } from '../protocol/limits.ts'
import type { FeedItem } from '../protocol/records.ts'
import { environmentRecord } from './environments.ts'
import { memberRecord } from './members.ts'
import { projectRecord } from './projects.ts'
import { Refusal } from './refusal.ts'
import type { Db } from './store.ts'
import { prepared } from './store.ts'
import type { EnvironmentTable, MemberTable, ProjectTable, VariableTable, VersionTable, WorkspaceTable } from './tables.ts'
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
  prepared<Range, Row>(
    (db, arg) =>
      db
        // The tables share the column that is used here; their rows are told apart by the caller.
        .selectFrom(table as 'tombstones')
        .selectAll()
        .where('seq', '>', arg('from'))
        .where('seq', '<=', arg('to'))
        .orderBy('seq')
        .limit(arg('count')) as never,
  )

interface Entry {
  seq: number
  bytes: number
  item: () => FeedItem
}

const source = <Row extends { seq: number; id: string }>(
  resource: Resource,
  read: (db: Db, range: Range) => Promise<Row[]>,
  record: (row: Row) => unknown,
  bytes: (row: Row) => number = () => 0,
) => {
  const entry = (row: Row): Entry => ({
    seq: row.seq,
    bytes: bytes(row),
    item: () => ({ resource, id: row.id, deleted: false, record: record(row) }) as FeedItem,
  })
  return async (db: Db, limits: Range): Promise<Entry[]> => (await read(db, limits)).map(entry)
}

const tombstones = range<{ seq: number; resource: Resource; id: string }>('tombstones')

const sources: readonly ((db: Db, limits: Range) => Promise<Entry[]>)[] = [
  source('workspace', range<WorkspaceTable>('workspaces'), workspaceRecord),
  source('project', range<ProjectTable>('projects'), projectRecord),
  source('environment', range<EnvironmentTable>('environments'), environmentRecord),
  source('variable', range<VariableTable>('variables'), variableRecord, (row) => row.value.length),
  source('version', range<VersionTable>('versions'), versionRecord),
  source('member', range<MemberTable>('members'), memberRecord),
  async (db, limits) =>
    (await tombstones(db, limits)).map(({ seq, resource, id }) => ({
      seq,
      bytes: 0,
      item: () => ({ resource, id, deleted: true, record: null }),
    })),
]

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
  let from = parseFeedCursor(query.cursor, clock)
  const items: FeedItem[] = []
  let bytes = 0
  let slice = 50
  for (;;) {
    const wanted = Math.min(slice, query.limit - items.length)
    const limits = { from, to: clock.seq, count: wanted + 1 }
    const read = await Promise.all(sources.map((readSource) => readSource(db, limits)))
    const filled = read.filter((list) => list.length > 0)
    const entries = filled.length === 1 && filled[0] !== undefined ? filled[0] : filled.flat().sort((a, b) => a.seq - b.seq)
    for (const entry of entries.slice(0, wanted)) {
      bytes += entry.bytes
      if (items.length > 0 && bytes > pageBytes) return { items, nextCursor: `${clock.epoch}.${from}`, more: true }
      items.push(entry.item())
      from = entry.seq
    }
    if (entries.length <= wanted) return { items, nextCursor: `${clock.epoch}.${clock.seq}`, more: false }
    if (items.length >= query.limit) return { items, nextCursor: `${clock.epoch}.${from}`, more: true }
    slice *= 2
  }
}
