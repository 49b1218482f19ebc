import { err, ok, type Result } from '../../bridge/result.ts'
import { deleteMember, getMember } from '../../mirror/members-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { advance, operationsOf, dropEntry, getEntry } from '../../mirror/queue-layer.ts'
import { keepGivenUp, keepUnseen, keepWithdrawn } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { mayBeUnderWay } from '../../queue/coalesce.ts'
import { isOperation, isToBeChecked, type Operation, type SetRoleOperation } from '../../queue/entry.ts'
import { confirmedAt } from '../../sync/engine/empty-deleted.ts'
import { notWaiting } from '../edits/refusals.ts'
import { dropWithBelow } from './drop-with-below.ts'
import { restack } from './restack.ts'

/**
 * Removes an unsent entry, and the entries that depend on it, from the queue. Refused for an entry that is being sent, and where a
 * variable would go back to an environment that the user has deleted since.
 */
export function discardChange(tx: Tx, context: EnqueueContext, changeId: string): Result<null> {
  const found = getEntry(tx, changeId)
  // Nothing was sent since it was retried. If the service has confirmed a deletion, its rows are being removed here.
  const isAsBefore = found !== null && isToBeChecked(found) && confirmedAt(tx, found) === null
  const change = isAsBefore ? advance(tx, found, { is: 'reject', reason: '' }) : found
  if (change === null) return notWaiting()
  if (change.state === 'sending') {
    const message = 'This change may already have reached the service. You can undo it once the service has answered.'
    return err({ kind: 'invalid-input', message })
  }
  if (isOperation(change)) {
    dropOperation(tx, change, context)
    return ok(null)
  }
  const shown = getWorking(tx, change.rowId)
  const dropped = dropWithBelow(tx, context, change)
  if (!dropped.ok) return dropped
  const restacked = restack(tx, context, change, shown)
  if (!restacked.ok) return restacked
  if (shown !== null) keepGivenUp(tx, shown, context.now)
  else if (change.kind === 'delete') keepWithdrawn(tx, change, context.now)
  else if (change.conflict !== null) keepUnseen(tx, change.rowId)
  return ok(null)
}

/** Drops an operation. Dropping an invitation also drops the later operations on the future member. */
function dropOperation(tx: Tx, operation: Operation, { newId }: EnqueueContext): void {
  const { kind, rowId, seq } = operation
  const later = operationsOf(tx, rowId).filter((other) => other.seq > seq)
  for (const each of [operation, ...(kind === 'invite' ? later : [])]) dropEntry(tx, each)
  const next = later.find((other) => other.kind === 'set-role')
  if (operation.kind === 'set-role' && next !== undefined) rebaseRole(tx, next, operation, newId)
  // A member without a status was only added for this removal.
  if (kind === 'remove' && getMember(tx, rowId)?.status === '') deleteMember(tx, rowId)
}

/**
 * Bases a role on the one that the member has without the dropped change before it. A role that they have already is dropped too, unless the
 * service may have given them the other one.
 */
function rebaseRole(tx: Tx, later: SetRoleOperation, dropped: SetRoleOperation, newId: () => string): void {
  const { detail } = dropped
  const base = detail.remote ?? detail.base
  if (later.detail.roleId !== base) advance(tx, later, { is: 'revise', id: newId(), detail: { ...later.detail, base } })
  else if (!mayBeUnderWay(dropped)) dropEntry(tx, later)
}
