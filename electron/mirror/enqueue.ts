import { sameField } from '../queue/fields.ts'
import { isAttempted } from '../queue/entry.ts'
import { coalesce, keysOfMerge, type NewChange } from '../queue/coalesce.ts'
import { conflictReason } from '../sync/plan/conflict-reason.ts'
import { rebaseChange } from '../sync/plan/rebase.ts'
import { replayRow } from '../queue/replay.ts'
import { getBase } from './base-layer.ts'
import { keepHistory } from './history-layer.ts'
import { addChange, changesBelow, changesOfRow, dropChange, hasActAfter, putChange, touchesKeysAfter } from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { getWorking, refreshRow } from './working-layer.ts'

/** Time and ids for a new change, given from outside so that a run can be repeated. */
export interface EnqueueContext {
  /** Milliseconds since the epoch. */
  now: number
  /** UUIDv7. */
  newId(): string
}

/** Puts a change of the user into the queue, merged where nobody could tell, and shows it in the working layer. */
export function enqueue(tx: Tx, next: NewChange, context: EnqueueContext): void {
  keepUnsent(tx, next, context.now)
  const last = changesOfRow(tx, next.rowId).at(-1)
  // What a snapshot or rollback was queued after stays as it is: merged into it, the new edit would be in the snapshot.
  const crossed =
    last !== undefined &&
    (touchesKeysAfter(tx, last, keysOfMerge(last, next)) ||
      (next.rowKind === 'variable' && hasActAfter(tx, next.ancestors[0] ?? '', last.seq)))
  const children = last !== undefined && next.kind === 'delete' && changesBelow(tx, next.rowId).length > 0
  const outcome = coalesce(last, next, { crossed, children })
  if (outcome.do === 'drop') dropChange(tx, outcome.id)
  if (outcome.do === 'amend' && last) {
    const { patch, base, requeue } = outcome
    const again = requeue ? { id: context.newId(), state: 'queued' as const, attempts: 0, nextAttemptAt: null, reason: null } : {}
    putChange(tx, { ...last, patch, base, ...again })
  }
  if (outcome.do === 'add') {
    addChange(tx, {
      ...outcome.change,
      id: context.newId(),
      state: 'queued',
      attempts: 0,
      nextAttemptAt: null,
      reason: null,
      conflict: null,
      createdAt: context.now,
    })
  }
  if (next.kind !== 'create') meetTheirs(tx, next.rowId)
  refreshRow(tx, next.rowId)
}

/**
 * Moves the change just made onto the row as it is now, which may be more than its user saw: the same outcome, a merge or a conflict, by the
 * rule of a pull. One that waits for the user already, or behind such a one, stays as it is.
 */
function meetTheirs(tx: Tx, rowId: string): void {
  const changes = changesOfRow(tx, rowId)
  const change = changes.pop()
  if (change?.state !== 'queued' || change.kind === 'create' || isAttempted(change) || changes.some(({ conflict }) => conflict !== null))
    return
  const base = getBase(tx, rowId)
  const now = replayRow(base, changes)
  const rebased = rebaseChange(change, { fields: now?.fields ?? null, by: base?.updatedBy ?? null })
  if (rebased.do === 'settle') dropChange(tx, change.id)
  else if (rebased.do === 'keep') putChange(tx, { ...change, patch: rebased.patch, base: rebased.base })
  else {
    const { conflict } = rebased
    const parked = { ...change, state: 'conflict' as const, conflict, reason: conflictReason(conflict.kind) }
    // Others deleted it: what was typed is kept as a row to create again.
    if (now === null) putChange(tx, { ...parked, kind: 'create', patch: { ...change.base, ...change.patch } })
    else putChange(tx, parked)
  }
}

/** A value that was typed and never sent is in no other place once another one is typed over it; what was sent is kept when it is overwritten there. */
function keepUnsent(tx: Tx, next: NewChange, now: number): void {
  if (next.rowKind !== 'variable' || (next.kind !== 'delete' && next.patch.value === undefined)) return
  const row = getWorking(tx, next.rowId)
  const sent = getBase(tx, next.rowId)?.fields.value
  if (row?.fields.value === undefined || sameField(row.fields.value, sent)) return
  if (next.kind !== 'delete' && sameField(row.fields.value, next.patch.value)) return
  keepHistory(tx, row, { whose: 'mine', why: next.kind === 'delete' ? 'deleted' : 'changed' }, now)
}
