import { sql } from 'kysely'
import { isAct, type Act, type Change, type Queued, type RowKind } from '../queue/entry.ts'
import { reusable } from './reusable.ts'
import { fromQueueColumns, toQueueColumns, type Unplaced } from './row-codec.ts'
import { build, type Tx } from './tx.ts'

// These run many times for every edit. SQLite plans a statement anew for each run when it has an order and an equality with a parameter, or a
// parameter as its limit; an `in` of one value, and a limit spelled out, are planned once.
const inOrder = build.selectFrom('queue').selectAll().orderBy('seq')
const one = sql<number>`1`

const ofRow = reusable(({ rowId }: { rowId: string }) => inOrder.where('row_id', 'in', [rowId]))
const below = reusable(({ parentId }: { parentId: string }) => inOrder.where('parent_id', 'in', [parentId]))
/** Spelled out, so that SQLite sees that the index of just these will do. */
const isOnVersion = sql<boolean>`row_kind = 'version'`
const actsBelow = reusable(({ parentId }: { parentId: string }) => inOrder.where('parent_id', 'in', [parentId]).where(isOnVersion))
interface Claim {
  kind: RowKind
  parentId: string
  key: string
}
const creates = inOrder.where('kind', 'in', ['create']).limit(one)
const claims = (at: (claim: Claim) => typeof creates) => {
  const ofKind = (claim: Claim) => at(claim).where('row_kind', 'in', [claim.kind])
  return {
    ofLost: reusable((claim: Claim) => ofKind(claim).where('key_before', 'in', [claim.key]).where('sought', 'is not', null)),
    ofNew: reusable((claim: Claim) => ofKind(claim).where('key_now', 'in', [claim.key])),
  }
}
/** Two, because `is` with a parameter would be planned anew at every run. */
const claimsBelow = claims(({ parentId }) => creates.where('parent_id', 'in', [parentId]))
const claimsOnTop = claims(() => creates.where('parent_id', 'is', null))
const add = reusable((columns: ReturnType<typeof toQueueColumns>) => build.insertInto('queue').values(columns))
const replace = reusable(({ seq, ...columns }: ReturnType<typeof toQueueColumns> & { seq: number }) =>
  build.updateTable('queue').set(columns).where('seq', '=', seq),
)
const remove = reusable(({ id }: { id: string }) => build.deleteFrom('queue').where('id', '=', id))

/** Every unsent change and act, in the order the user made them. */
export const allChanges = (tx: Tx): Queued[] => tx.all(inOrder).map(fromQueueColumns)

const isChange = (queued: Queued): queued is Change => !isAct(queued)

/** The unsent changes of one row, in order. */
export const changesOfRow = (tx: Tx, rowId: string): Change[] => tx.all(ofRow({ rowId })).map(fromQueueColumns).filter(isChange)

/** The unsent changes right below a row, in order. */
export const changesBelow = (tx: Tx, parentId: string): Change[] => tx.all(below({ parentId })).map(fromQueueColumns).filter(isChange)

/** The unsent acts about one version or member, in order. */
export const actsOf = (tx: Tx, rowId: string): Act[] => tx.all(ofRow({ rowId })).map(fromQueueColumns).filter(isAct)

/** The unsent acts on an environment, in order. */
export const actsOn = (tx: Tx, environmentId: string): Act[] =>
  tx
    .all(actsBelow({ parentId: environmentId }))
    .map(fromQueueColumns)
    .filter(isAct)

/** The unsent acts on members, in order. */
export const memberActs = (tx: Tx): Act[] =>
  tx
    .all(inOrder.where('row_kind', '=', 'member'))
    .map(fromQueueColumns)
    .filter(isAct)

/** Whether a snapshot or a rollback of that environment was queued after `seq`: then what was queued before it stays as it is. */
export const hasActAfter = (tx: Tx, environmentId: string, seq: number): boolean => actsOn(tx, environmentId).some((act) => act.seq > seq)

/** One unsent change of a row, or null when it has been settled or dropped. */
export function getChange(tx: Tx, id: string): Change | null {
  const queued = getQueued(tx, id)
  return queued === null || isAct(queued) ? null : queued
}

/** One unsent change or act, or null. */
export function getQueued(tx: Tx, id: string): Queued | null {
  const columns = tx.get(build.selectFrom('queue').selectAll().where('id', '=', id))
  return columns ? fromQueueColumns(columns) : null
}

/** What stands at a place of the queue now, also when it got another id there, or null. */
export function getQueuedAt(tx: Tx, seq: number): Queued | null {
  const columns = tx.get(build.selectFrom('queue').selectAll().where('seq', '=', seq))
  return columns ? fromQueueColumns(columns) : null
}

/**
 * The first unsent create that claims a natural key under a parent, or that a repair made of a record that bore it; null: there is none.
 * A record that was lost goes before a new one of that name, which the user can only have made after giving the other another.
 */
export function createClaiming(tx: Tx, kind: RowKind, parentId: string | null, key: string): Change | null {
  const { ofLost, ofNew } = parentId === null ? claimsOnTop : claimsBelow
  const claim = { kind, parentId: parentId ?? '', key }
  const columns = tx.get(ofLost(claim)) ?? tx.get(ofNew(claim))
  const found = columns ? fromQueueColumns(columns) : null
  return found === null || isAct(found) ? null : found
}

/** Whether the outcome of any request is unknown. */
export const anySending = (tx: Tx): boolean =>
  tx.get(build.selectFrom('queue').select('seq').where('state', '=', 'sending').limit(one)) !== undefined

/** The unsent changes of one kind of one kind of row, in order. */
export const queuedOfSort = (tx: Tx, kind: Queued['kind'], rowKind: Queued['rowKind']): Queued[] =>
  tx.all(inOrder.where('kind', '=', kind).where('row_kind', '=', rowKind)).map(fromQueueColumns)

/** Whether a change after `seq`, of another row of that kind under that parent, claims or frees one of `keys`. */
export function touchesKeysAfter(tx: Tx, { seq, rowKind, rowId, ancestors }: Change, keys: readonly string[]): boolean {
  if (keys.length === 0) return false
  const found = tx.get(
    build
      .selectFrom('queue')
      .select('seq')
      .where('parent_id', 'is', ancestors[0] ?? null)
      .where('row_kind', 'in', [rowKind])
      .where('row_id', '!=', rowId)
      .where('seq', '>', seq)
      .where((where) => where.or([where('key_now', 'in', keys), where('key_before', 'in', keys)]))
      .limit(one),
  )
  return found !== undefined
}

/** How many unsent changes there are of a row and of everything below it. */
export function countUnsentAt(tx: Tx, rowId: string): number {
  const at = build
    .selectFrom('queue')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where((where) => where.or([where('row_id', '=', rowId), where('ancestors', 'like', `%${rowId}%`)]))
  return tx.get(at)?.n ?? 0
}

/** Appends a change to the queue. */
export function addChange(tx: Tx, change: Unplaced): void {
  tx.run(add(toQueueColumns(change)))
}

/** Rewrites the change with the same `seq`. */
export function putChange(tx: Tx, change: Queued): void {
  tx.run(replace({ ...toQueueColumns(change), seq: change.seq }))
}

/** Takes a change out of the queue: it was settled, or the user dropped it. */
export function dropChange(tx: Tx, id: string): void {
  tx.run(remove({ id }))
}
