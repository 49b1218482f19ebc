import { sql } from 'kysely'
import {
  isChange,
  isOperation,
  type Change,
  type ChangeKind,
  type Entry,
  type EntryState,
  type Life,
  type Operation,
  type RowKind,
  type UnplacedEntry,
  type Without,
} from '../queue/entry.ts'
import type { SealedValue } from '../queue/fields.ts'
import type { Claim } from '../queue/natural-key.ts'
import { transition, type EntryEvent } from '../queue/transition.ts'
import { one, reusable, textsIn } from './reusable.ts'
import { changedQueueColumns, fromQueueColumns, toQueueColumns } from './row-codec.ts'
import { build, type Tx } from './tx.ts'

// These queries run many times in one edit: see `one` for how they are written.

/** All entries, in the order the user made them. */
export const queueInOrder = build.selectFrom('queue').selectAll().orderBy('seq')

const any = reusable(() => build.selectFrom('queue').select('seq').limit(one))
const ofRow = reusable(({ rowId }: { rowId: string }) => queueInOrder.where('row_id', 'in', [rowId]))
const beside = reusable(({ rowId, seq }: { rowId: string; seq: number }) =>
  queueInOrder.where('row_id', 'in', [rowId]).where('seq', '<>', seq),
)
const inConflict = reusable(({ rowIds }: { rowIds: string }) =>
  build
    .selectFrom('queue')
    .select('row_id as rowId')
    .where('row_id', 'in', textsIn(rowIds))
    .where('state', 'in', ['conflict'])
    .where('kind', '<>', 'delete'),
)
const below = reusable(({ parentId }: { parentId: string }) => queueInOrder.where('parent_id', 'in', [parentId]))
const at = reusable(({ seq }: { seq: number }) => build.selectFrom('queue').selectAll().where('seq', '=', seq))
/** A literal, so that SQLite uses the partial index for it. */
const isOnVersion = sql<boolean>`row_kind = 'version'`
const operationsIn = reusable(({ parentId }: { parentId: string }) => queueInOrder.where('parent_id', 'in', [parentId]).where(isOnVersion))
const countIn = reusable(({ environmentId }: { environmentId: string }) =>
  build
    .selectFrom('queue')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('parent_id', '=', environmentId)
    .where('row_kind', '=', 'variable'),
)
interface Named {
  kind: RowKind
  key: string
}
const creates = queueInOrder.where('kind', 'in', ['create']).limit(one)
const claiming = (from: typeof creates, { kind, key }: Named) => from.where('row_kind', 'in', [kind]).where('key_now', 'in', [key])
/** Two queries, because SQLite plans a statement with `is ?` again at each run. */
const claimingIn = reusable(({ parentId, ...named }: Named & { parentId: string }) =>
  claiming(creates.where('parent_id', 'in', [parentId]), named),
)
const claimingOnTop = reusable((named: Named) => claiming(creates.where('parent_id', 'is', null), named))
const creating = reusable(({ remoteId }: { remoteId: string }) =>
  creates.where('remote_id', 'in', [remoteId]).where('remote_id', 'is not', null),
)
/** SQLite uses the index only for the same text. */
const deletedRecord = sql<string>`json_extract(conflict, '$.remoteId')`
const recreating = reusable(({ remoteId }: { remoteId: string }) =>
  creates.where('conflict', 'is not', null).where(deletedRecord, 'in', [remoteId]),
)
/** SQLite uses the index only for the same text. */
const isMadeAgain = sql<boolean>`kind = 'create' AND base IS NOT NULL`
const nameBefore = sql<string>`json_extract(base, '$.name')`
const madeAgain = reusable(({ parentId, name }: { parentId: string; name: string }) =>
  queueInOrder.where(isMadeAgain).where('parent_id', 'in', [parentId]).where(nameBefore, 'in', [name]).limit(one),
)
type Columns = ReturnType<typeof toQueueColumns>
const add = reusable((columns: Columns) => build.insertInto('queue').values(columns))
const replace = reusable(({ seq, ...columns }: Partial<Columns> & { seq: number }) =>
  build.updateTable('queue').set(columns).where('seq', '=', seq),
)
const remove = reusable(({ seq }: { seq: number }) => build.deleteFrom('queue').where('seq', '=', seq))

/** Returns all entries, in the order the user made them. */
export const allEntries = (tx: Tx): Entry[] => tx.all(queueInOrder).map(fromQueueColumns)

/** A literal, so that SQLite uses the partial index for it. */
export const isNotQueued = sql<boolean>`state <> 'queued'`

/** Returns the entries of one state, in order. Those that are sending have an unknown outcome. */
export const entriesIn = (tx: Tx, state: Exclude<EntryState, 'queued'>): Entry[] =>
  tx.all(queueInOrder.where(isNotQueued).where('state', '=', state)).map(fromQueueColumns)

/** Counts the unsent changes of the variables of an environment. */
export const countVariableChanges = (tx: Tx, environmentId: string): number => tx.get(countIn({ environmentId }))?.n ?? 0

export const isQueueEmpty = (tx: Tx): boolean => tx.get(any({})) === undefined

/** Returns the unsent changes of a row, in order. */
export const changesOfRow = (tx: Tx, rowId: string): Change[] => tx.all(ofRow({ rowId })).map(fromQueueColumns).filter(isChange)

/** Returns the other unsent changes of a change's row, in order. */
export const changesBeside = (tx: Tx, { rowId, seq }: Change): Change[] =>
  tx.all(beside({ rowId, seq })).map(fromQueueColumns).filter(isChange)

/** Returns the rows that have an edit in conflict. A deletion in conflict does not count. */
export const rowsInConflict = (tx: Tx, rowIds: readonly string[]): ReadonlySet<string> =>
  new Set(tx.all(inConflict({ rowIds: JSON.stringify(rowIds) })).map(({ rowId }) => rowId))

/** Returns the unsent changes of rows directly below a row, in order. A move counts as below its destination. */
export const childChanges = (tx: Tx, parentId: string): Change[] => tx.all(below({ parentId })).map(fromQueueColumns).filter(isChange)

/** Returns the unsent operations on a version or member, in order. */
export const operationsOf = (tx: Tx, rowId: string): Operation[] => tx.all(ofRow({ rowId })).map(fromQueueColumns).filter(isOperation)

/** Returns the unsent operations on an environment, in order. */
export const operationsOn = (tx: Tx, environmentId: string): Operation[] =>
  tx
    .all(operationsIn({ parentId: environmentId }))
    .map(fromQueueColumns)
    .filter(isOperation)

/** Returns the unsent operations on members, in order. */
export const memberOperations = (tx: Tx): Operation[] =>
  tx
    .all(queueInOrder.where('row_kind', '=', 'member'))
    .map(fromQueueColumns)
    .filter(isOperation)

/** Whether an operation of these kinds on the environment was queued after `seq`. */
export const hasOperationAfter = (
  tx: Tx,
  environmentId: string,
  seq: number,
  kinds: readonly Operation['kind'][] = ['snapshot', 'rollback'],
): boolean => operationsOn(tx, environmentId).some((operation) => operation.seq > seq && kinds.includes(operation.kind))

export function getEntry(tx: Tx, id: string): Entry | null {
  const columns = tx.get(build.selectFrom('queue').selectAll().where('id', '=', id))
  return columns ? fromQueueColumns(columns) : null
}

/** Returns the entry with this `seq`, or null. An entry keeps its `seq` when it gets another id; only `moveBehind` changes it. */
export function getEntryAt(tx: Tx, seq: number): Entry | null {
  const columns = tx.get(at({ seq }))
  return columns ? fromQueueColumns(columns) : null
}

/** Returns the first unsent create that claims a natural key under a parent, or null. */
export function createClaiming(tx: Tx, kind: RowKind, parentId: string | null, key: string): Change | null {
  const columns = tx.get(parentId === null ? claimingOnTop({ kind, key }) : claimingIn({ kind, parentId, key }))
  const found = columns ? fromQueueColumns(columns) : null
  return found === null || isOperation(found) ? null : found
}

/** Returns the unsent create that makes the record of this id, or that makes it again after others deleted it; or null. */
export function createOf(tx: Tx, kind: RowKind, remoteId: string): Change | null {
  const found = [creating, recreating].flatMap((query) => tx.all(query({ remoteId })).map(fromQueueColumns))
  return found.filter(isChange).find((change) => change.rowKind === kind) ?? null
}

/** Returns the unsent create of a variable that had this name in an environment before others deleted it, or null. */
export function createAgain(tx: Tx, parentId: string, name: string): Change | null {
  const columns = tx.get(madeAgain({ parentId, name }))
  const found = columns ? fromQueueColumns(columns) : null
  return found === null || isOperation(found) || found.rowKind !== 'variable' ? null : found
}

/** Returns the entries of one kind on one kind of row, in order. */
export const entriesOfSort = (tx: Tx, kind: Entry['kind'], rowKind: Entry['rowKind']): Entry[] =>
  tx.all(queueInOrder.where('kind', '=', kind).where('row_kind', '=', rowKind)).map(fromQueueColumns)

interface Touching {
  seq: number
  rowId: string
  rowKind: RowKind
  parentId: string | null
  key: string
}
const later = ({ seq, rowId, rowKind }: Touching) =>
  build.selectFrom('queue').select('seq').where('row_kind', 'in', [rowKind]).where('row_id', '!=', rowId).where('seq', '>', seq)
const touchingLater = reusable((claim: Touching) => {
  const freed = later(claim).where('key_before', 'in', [claim.key])
  return later(claim)
    .where('parent_id', 'is', claim.parentId)
    .where('key_now', 'in', [claim.key])
    .unionAll(freed.where('parent_id', 'is', claim.parentId).where(sql<boolean>`leaves = '[]'`))
    .unionAll(freed.where(sql<boolean>`leaves <> '[]'`).where(sql`leaves ->> '$[0]'`, '=', claim.parentId))
    .limit(one)
})

/** Whether a change after `seq`, of another row of that kind, claims or frees one of `claims`. */
export function touchesClaimsAfter(tx: Tx, { seq, rowKind, rowId }: Change, claims: readonly Claim[]): boolean {
  const each = new Map(claims.map((claim) => [JSON.stringify(claim), { seq, rowKind, rowId, ...claim }]))
  return [...each.values()].some((claim) => tx.get(touchingLater(claim)) !== undefined)
}

/** Counts the entries of a row and of all rows below it, including moves out of it. */
export function countUnsentAt(tx: Tx, rowId: string): number {
  const counted = build
    .selectFrom('queue')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where((where) =>
      where.or([where('row_id', '=', rowId), where('ancestors', 'like', `%${rowId}%`), where('leaves', 'like', `%${rowId}%`)]),
    )
  return tx.get(counted)?.n ?? 0
}

/** Returns the entries below a row at any depth, in order. */
export const descendantEntries = (tx: Tx, rowId: string): Entry[] =>
  tx.all(queueInOrder.where('ancestors', 'like', `%${rowId}%`)).map(fromQueueColumns)

/** An entry that was never in the queue. */
export type NewEntry = Without<Entry, 'seq' | keyof Life>

const newborn: Life = { state: 'queued', attempts: 0, nextAttemptAt: null, reason: null, conflict: null }

export function addEntry(tx: Tx, entry: Extract<NewEntry, { kind: ChangeKind }>): Change
export function addEntry(tx: Tx, entry: NewEntry): Entry
export function addEntry(tx: Tx, entry: NewEntry): Entry {
  return restoreEntry(tx, { ...entry, ...newborn })
}

/** Appends an entry that was dropped, in its former state. */
export function restoreEntry(tx: Tx, entry: UnplacedEntry): Entry {
  const { lastInsertRowid: seq } = tx.run(add(toQueueColumns(entry)))
  return { ...entry, seq }
}

/** Applies an event to an entry that this transaction read, and writes the result; null: it has left the queue. */
export function advance(tx: Tx, entry: Change, event: EntryEvent): Change | null
export function advance(tx: Tx, entry: Entry, event: EntryEvent): Entry | null
export function advance(tx: Tx, entry: Entry, event: EntryEvent): Entry | null {
  const after = transition(entry, event)
  if (after === null) tx.run(remove({ seq: entry.seq }))
  else {
    const changed = changedQueueColumns(entry, after)
    if (Object.keys(changed).length > 0) tx.run(replace({ ...changed, seq: after.seq }))
  }
  return after
}

/** Writes the value of a change as sealed with another key. The text is the same, so the request and its id stay too. */
export function putSealedAnew(tx: Tx, change: Change, value: SealedValue): void {
  const changed = changedQueueColumns(change, { ...change, patch: { ...change.patch, value } })
  if (Object.keys(changed).length > 0) tx.run(replace({ ...changed, seq: change.seq }))
}

const between = (first: number, last: number) =>
  build.selectFrom('queue').select(['seq', 'row_id']).where('seq', '>=', first).where('seq', '<=', last).orderBy('seq')

/**
 * Puts a change right behind a later one of another row, with the changes of its own row in between. All other entries keep their order, so
 * that a version still has what was queued before it. Returns the change in its new place.
 */
export function moveBehind(tx: Tx, change: Change, later: Change): Change {
  const entries = tx.all(between(change.seq, later.seq))
  const places = entries.map(({ seq }) => seq)
  const placesOf = (isOwn: boolean) => entries.filter(({ row_id }) => (row_id === change.rowId) === isOwn).map(({ seq }) => seq)
  const [own, others] = [placesOf(true), placesOf(false)]
  const move = (from: number, to: number) => tx.run(build.updateTable('queue').set({ seq: to }).where('seq', '=', from))
  // Its own places become free first: no two entries may have one place, even for a moment.
  for (const place of own) move(place, -place)
  for (const [at, place] of [...others, ...own.map((place) => -place)].entries()) move(place, places[at] ?? place)
  return { ...change, seq: places[others.length] ?? change.seq }
}

/** Removes an entry, in whatever state, because the service has what it requests. */
export function confirmEntry(tx: Tx, seq: number): void {
  tx.run(remove({ seq }))
}

export function dropEntry(tx: Tx, entry: Entry): void {
  advance(tx, entry, { is: 'drop' })
}

/** Removes an entry whose row no longer exists, even one that is being sent: its outcome no longer matters. */
export function forgetEntry(tx: Tx, entry: Entry): void {
  advance(tx, entry, { is: entry.state === 'sending' ? 'confirm' : 'drop' })
}

/** Moves the entries of one local id, and those below it, to another local id of the same record. */
export function rebindEntries(tx: Tx, from: string, to: string): void {
  const [was, is] = [JSON.stringify(from), JSON.stringify(to)]
  tx.run(build.updateTable('queue').set({ row_id: to }).where('row_id', '=', from))
  tx.run(build.updateTable('queue').set({ parent_id: to }).where('parent_id', '=', from))
  const replaced = (column: 'ancestors' | 'leaves' | 'patch' | 'base') =>
    build
      .updateTable('queue')
      .set({ [column]: sql<string>`replace(${sql.ref(column)}, ${was}, ${is})` })
      .where(column, 'like', `%${from}%`)
  tx.run(replaced('ancestors'))
  const moves = sql<boolean>`leaves <> '[]'`
  for (const column of ['leaves', 'patch', 'base'] as const) tx.run(replaced(column).where(moves))
}
