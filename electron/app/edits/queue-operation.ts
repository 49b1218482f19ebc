import { enqueueOperation, enqueueVersionOperation } from '../../mirror/enqueue-operation.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { EditContext } from './edit-context.ts'

/** Queues a snapshot or rollback. Returns the id of its entry. */
export function queueVersionOperation(tx: Tx, context: EditContext, operation: Extract<NewOperation, { rowKind: 'version' }>): string {
  const changeId = enqueueVersionOperation(tx, operation, context)
  context.rememberOperation?.(operation, changeId)
  return changeId
}

/**
 * Queues an operation. Returns the id of its entry; null: nothing is left to do. An operation that merges into an earlier one, or cancels
 * it, is not a step of undo.
 */
export function queueOperation(tx: Tx, context: EditContext, operation: NewOperation): string | null {
  const changeId = enqueueOperation(tx, operation, context)
  const entry = changeId === null ? null : getEntry(tx, changeId)
  if (changeId !== null && entry?.kind === operation.kind) context.rememberOperation?.(operation, changeId)
  return changeId
}
