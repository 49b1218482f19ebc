import { coalesce, claimsOfMerge, mayBeUnderWay, type NewChange } from '../queue/coalesce.ts'
import type { BaseRow, Change } from '../queue/entry.ts'
import { mergeableOf, sameField, sentFields } from '../queue/fields.ts'
import { replayRow } from '../queue/replay.ts'
import { conflictReason } from '../sync/plan/conflict-reason.ts'
import { rebaseChange } from '../sync/plan/rebase.ts'
import { getBase } from './base-layer.ts'
import { keepHistory } from './history-layer.ts'
import { forgetPast, lastOf } from './past-layer.ts'
import { addEntry, advance, childChanges, changesOfRow, dropEntry, hasOperationAfter, touchesClaimsAfter } from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { getWorking, pathFrom, refreshRow, showNewRow } from './working-layer.ts'

/** Time and ids for a new change, as arguments so that a run can be repeated. */
export interface EnqueueContext {
  /** Milliseconds since the epoch. */
  now: number
  /** UUIDv7. */
  newId(): string
}

/** Adds a change of the user to the queue, or merges it into the last one of the row (see `coalesce`), and refreshes the working row. */
export function enqueue(tx: Tx, next: NewChange, context: EnqueueContext): void {
  const base = getBase(tx, next.rowId)
  keepUnsent(tx, next, base, context.now)
  const earlier = changesOfRow(tx, next.rowId)
  const last = earlier.pop()
  const under = replayRow(base, earlier)
  const children = last !== undefined && next.kind === 'delete' && childChanges(tx, next.rowId).length > 0
  const crossed = last !== undefined && isCrossed(tx, last, next)
  const outcome = coalesce(last, next, { crossed, children, under: under && mergeableOf(under) })
  if (last !== undefined && outcome.do === 'drop') {
    dropEntry(tx, last)
    if (base === null) forgetPast(tx, next.rowId)
  }
  if (last !== undefined && outcome.do === 'amend') {
    const amended = advance(tx, last, { is: 'amend', id: context.newId(), ...outcome.to })
    if (amended !== null) withdrawQuestion(tx, amended, base, context)
  }
  if (outcome.do === 'add') {
    // An edit also retries an earlier change that failed, if the service may have done it.
    if (last?.state === 'failed' && mayBeUnderWay(last)) advance(tx, last, { is: 'retry', id: context.newId() })
    const remoteId = next.kind === 'create' ? context.newId() : null
    addEntry(tx, { leaves: [], seen: null, ...next, remoteId, id: context.newId(), createdAt: context.now })
  }
  if (next.kind !== 'create') meetRemote(tx, next.rowId, base, context)
  refreshRow(tx, next.rowId)
}

/** Queues the create of a row with an unused local id. It skips the reads of `enqueue`, because an import creates thousands. */
export function enqueueNew(tx: Tx, row: Pick<NewChange, 'rowKind' | 'rowId' | 'ancestors' | 'patch'>, context: EnqueueContext): void {
  const ids = { remoteId: context.newId(), id: context.newId() }
  const { rowId, rowKind, ancestors, patch } = row
  addEntry(tx, { ...row, ...ids, kind: 'create', base: null, leaves: [], seen: null, createdAt: context.now })
  showNewRow(tx, { id: rowId, kind: rowKind, parentId: ancestors[0] ?? null, fields: sentFields(patch) })
}

/** Ends a conflict about fields if the user has edited them back, or to the remote values. */
function withdrawQuestion(tx: Tx, change: Change, base: BaseRow | null, context: EnqueueContext): void {
  if (change.conflict?.kind !== 'fields' || base === null) return
  const rebased = rebaseChange(change, { fields: mergeableOf(base), ancestors: pathFrom(tx, base.parentId), by: base.updatedBy })
  if (rebased.do === 'confirm') advance(tx, change, { is: 'confirm' })
  if (rebased.do !== 'keep') return
  const { do: _do, ...bytes } = rebased
  advance(tx, change, { is: 'rebase', id: context.newId(), ...bytes })
}

/**
 * Whether an entry between two changes keeps them from merging. For example, a change queued before a snapshot stays as it is: otherwise
 * the snapshot would contain the new edit.
 */
function isCrossed(tx: Tx, last: Change, next: NewChange): boolean {
  const environments = next.rowKind === 'variable' ? new Set([last.ancestors[0], last.leaves[0], next.ancestors[0], next.leaves?.[0]]) : []
  return (
    touchesClaimsAfter(tx, last, claimsOfMerge(last, next)) ||
    [...environments].some((id) => id !== undefined && hasOperationAfter(tx, id, last.seq))
  )
}

/**
 * Rebases the last change of a row onto the present row, which may be newer than the user saw. As after a pull, the change is then
 * confirmed, merged or in conflict. A change that is in conflict, or behind one, stays as it is. Only a conflict about a name lets a
 * colleague's edits of other fields become a conflict too.
 */
function meetRemote(tx: Tx, rowId: string, base: BaseRow | null, context: EnqueueContext): void {
  const changes = changesOfRow(tx, rowId)
  const change = changes.pop()
  if (change === undefined || change.kind === 'create' || change.state === 'sending' || change.state === 'failed') return
  const isAboutName = change.conflict?.kind === 'name-taken' && change.conflict.remote === null
  if ((change.conflict !== null && !isAboutName) || changes.some(({ conflict }) => conflict !== null)) return
  const now = replayRow(base, changes)
  const by = base?.updatedBy ?? null
  const rebased = rebaseChange(change, { fields: now && mergeableOf(now), ancestors: pathFrom(tx, now?.parentId ?? null), by })
  if (isAboutName && rebased.do !== 'conflict') return
  if (rebased.do === 'confirm') advance(tx, change, { is: 'confirm' })
  else if (rebased.do === 'keep') {
    const { do: _do, ...bytes } = rebased
    advance(tx, change, { is: 'rebase', id: context.newId(), ...bytes })
  } else {
    const { conflict } = rebased
    const parked = { conflict, reason: conflictReason(conflict.kind) }
    if (now !== null) advance(tx, change, { is: 'park', ...parked })
    else {
      // Others deleted the row: the edit becomes a create of the row, with its last known fields.
      const { parent: _parent, ...patch } = { ...change.base, ...lastOf(tx, rowId), ...change.patch }
      advance(tx, change, { is: 'recreate', id: context.newId(), remoteId: context.newId(), patch, ...parked })
    }
  }
}

/**
 * Keeps an unsent value in the history before another one replaces it, because no other copy exists. A sent value is kept later, when base
 * is overwritten.
 */
function keepUnsent(tx: Tx, next: NewChange, base: BaseRow | null, now: number): void {
  if (next.rowKind !== 'variable' || (next.kind !== 'delete' && next.patch.value === undefined)) return
  const row = getWorking(tx, next.rowId)
  const sent = base?.fields.value
  if (row?.fields.value === undefined || sameField(row.fields.value, sent)) return
  if (next.kind !== 'delete' && sameField(row.fields.value, next.patch.value)) return
  keepHistory(tx, row, { whose: 'mine', why: next.kind === 'delete' ? 'deleted' : 'changed' }, now)
}
