import { coalesce, claimsOfMerge, mayBeUnderWay, type Coalesced, type NewChange } from '../queue/coalesce.ts'
import { isAttempted, type BaseRow, type Change, type Row } from '../queue/entry.ts'
import { mergeableOf, sameField, sentFields } from '../queue/fields.ts'
import { replayRow } from '../queue/replay.ts'
import type { EntryEvent } from '../queue/transition.ts'
import { conflictReason } from '../sync/plan/conflict-reason.ts'
import { pathOf, rebaseChange, type Rebased } from '../sync/plan/rebase.ts'
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
  if (outcome.do === 'drop' && base === null) forgetPast(tx, next.rowId)
  const changes = [...earlier, ...writeCoalesced(tx, outcome, { last, next, base }, context)]
  const met = next.kind === 'create' ? changes : meetRemote(tx, changes, base, context)
  refreshRow(tx, next.rowId, replayRow(base, met))
}

interface Coalescing {
  last: Change | undefined
  next: NewChange
  base: BaseRow | null
}

/** Writes what becomes of a row's last change and of the new one, and returns the changes that are left of the two. */
function writeCoalesced(tx: Tx, outcome: Coalesced, { last, next, base }: Coalescing, context: EnqueueContext): Change[] {
  if (outcome.do === 'add') {
    // An edit also retries an earlier change that failed, if the service may have done it.
    const isRetried = last?.state === 'failed' && mayBeUnderWay(last)
    const before = isRetried ? advance(tx, last, { is: 'retry', id: context.newId() }) : last
    const remoteId = next.kind === 'create' ? context.newId() : null
    const known = last === undefined ? baseOnceMet(next, base) : next.base
    const made = { ...next, base: known, remoteId, id: context.newId(), createdAt: context.now }
    return [...(before ? [before] : []), addEntry(tx, { leaves: [], seen: null, ...made })]
  }
  if (last === undefined) return []
  if (outcome.do === 'nothing') return [last]
  if (outcome.do === 'drop') {
    dropEntry(tx, last)
    return []
  }
  const amended = advance(tx, last, { is: 'amend', id: context.newId(), ...outcome.to })
  const left = amended && withdrawQuestion(tx, amended, base, context)
  return left === null ? [] : [left]
}

/** Returns the base that `meetRemote` gives the first change of a row if nothing is in conflict: the change is then written only once. */
function baseOnceMet(next: NewChange, present: BaseRow | null): NewChange['base'] {
  if (next.kind !== 'update' || present === null) return next.base
  const remote = { fields: mergeableOf(present), ancestors: next.ancestors, by: null }
  const rebased = rebaseChange({ ...next, leaves: [] }, remote)
  return rebased.do === 'keep' ? rebased.base : next.base
}

/** Queues the create of a row with an unused local id. It skips the reads of `enqueue`, because an import creates thousands. */
export function enqueueNew(tx: Tx, row: Pick<NewChange, 'rowKind' | 'rowId' | 'ancestors' | 'patch'>, context: EnqueueContext): void {
  const ids = { remoteId: context.newId(), id: context.newId() }
  const { rowId, rowKind, ancestors, patch } = row
  addEntry(tx, { ...row, ...ids, kind: 'create', base: null, leaves: [], seen: null, createdAt: context.now })
  showNewRow(tx, { id: rowId, kind: rowKind, parentId: ancestors[0] ?? null, fields: sentFields(patch) })
}

/** Ends a conflict about fields if the user has taken their edit back, or made it the remote values. Returns the change that is left, or null. */
function withdrawQuestion(tx: Tx, change: Change, base: BaseRow | null, context: EnqueueContext): Change | null {
  if (change.conflict?.kind !== 'fields' || base === null) return change
  const rebased = rebaseChange(change, { fields: mergeableOf(base), ancestors: pathFrom(tx, base.parentId), by: base.updatedBy })
  if (rebased.do === 'confirm') return advance(tx, change, { is: 'confirm' })
  if (rebased.do !== 'keep') return change
  const { do: _do, ...bytes } = rebased
  return advance(tx, change, { is: 'rebase', id: context.newId(), ...bytes })
}

/**
 * Whether an entry between two changes keeps them from merging. For example, a change queued before a snapshot stays as it is: otherwise
 * the snapshot would contain the new edit. If the service has refused the change, that snapshot waits for its correction, which would wait
 * for the snapshot.
 */
export function isCrossed(tx: Tx, last: Change, next: NewChange): boolean {
  const kinds = last.state === 'failed' && !isAttempted(last) ? (['rollback'] as const) : undefined
  const environments = next.rowKind === 'variable' ? new Set([last.ancestors[0], last.leaves[0], next.ancestors[0], next.leaves?.[0]]) : []
  return (
    touchesClaimsAfter(tx, last, claimsOfMerge(last, next)) ||
    [...environments].some((id) => id !== undefined && hasOperationAfter(tx, id, last.seq, kinds))
  )
}

/**
 * Rebases the last of a row's changes onto the present row, which may be newer than the user saw. As after a pull, the change is then
 * confirmed, merged or in conflict. A change that is in conflict, or behind one, stays as it is. Only a conflict about a name lets a
 * colleague's edits of other fields become a conflict too. Returns the row's changes as they are then.
 */
function meetRemote(tx: Tx, changes: readonly Change[], base: BaseRow | null, context: EnqueueContext): readonly Change[] {
  const change = changes.at(-1)
  if (change === undefined || change.kind === 'create' || change.state === 'sending' || change.state === 'failed') return changes
  const earlier = changes.slice(0, -1)
  const isAboutName = change.conflict?.kind === 'name-taken' && change.conflict.remote === null
  if ((change.conflict !== null && !isAboutName) || earlier.some(({ conflict }) => conflict !== null)) return changes
  const now = replayRow(base, earlier)
  const by = base?.updatedBy ?? null
  const rebased = rebaseChange(change, { fields: now && mergeableOf(now), ancestors: pathFrom(tx, now?.parentId ?? null), by })
  if (isAboutName && rebased.do !== 'conflict') return changes
  const met = advance(tx, change, eventOf(tx, change, rebased, now, context))
  return met === null ? earlier : [...earlier, met]
}

/** Returns the event for what a rebase found. `now`: the row as it is; null: others have deleted it. */
function eventOf(tx: Tx, change: Change, rebased: Rebased, now: Row | null, context: EnqueueContext): EntryEvent {
  if (rebased.do === 'confirm') return { is: 'confirm' }
  if (rebased.do === 'keep') {
    const { do: _do, ...bytes } = rebased
    return { is: 'rebase', id: context.newId(), ...bytes }
  }
  const { conflict } = rebased
  const parked = { conflict, reason: conflictReason(conflict.kind) }
  if (now !== null) return { is: 'park', ...parked, ...pathOf(change, pathFrom(tx, now.parentId)) }
  // Others deleted the row: the edit becomes a create of the row, with its last known fields.
  const { parent: _parent, ...patch } = { ...change.base, ...lastOf(tx, change.rowId), ...change.patch }
  return { is: 'recreate', id: context.newId(), remoteId: context.newId(), patch, ...parked }
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
