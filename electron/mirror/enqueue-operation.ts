import { mayBeUnderWay } from '../queue/coalesce.ts'
import { coalesceOperation, type NewOperation } from '../queue/coalesce-operation.ts'
import type { EnqueueContext } from './enqueue.ts'
import { addEntry, advance, dropEntry, operationsOf } from './queue-layer.ts'
import type { Tx } from './tx.ts'

type NewVersionOperation = Extract<NewOperation, { rowKind: 'version' }>

/** Queues a snapshot or rollback; returns the id of its entry. They never merge, because each marks a position among the edits. */
export const enqueueVersionOperation = (tx: Tx, next: NewVersionOperation, context: EnqueueContext): string =>
  addEntry(tx, { ...next, id: context.newId(), createdAt: context.now }).id

/**
 * Queues an operation of the user, or merges it with an earlier one (see `coalesceOperation`). Returns the id of its entry; null: no entry
 * is left.
 */
export function enqueueOperation(tx: Tx, next: NewOperation, context: EnqueueContext): string | null {
  const earlier = operationsOf(tx, next.rowId)
  const { dropped, amended, add } = coalesceOperation(earlier, next)
  for (const operation of dropped) dropEntry(tx, operation)
  // A new operation also retries an earlier one that failed, if the service may have done it.
  const failed = earlier.filter((operation) => operation.state === 'failed' && mayBeUnderWay(operation) && !dropped.includes(operation))
  for (const operation of failed) advance(tx, operation, { is: 'retry', id: context.newId() })
  if (add !== null) return addEntry(tx, { ...add, id: context.newId(), createdAt: context.now }).id
  if (amended === null) return null
  return advance(tx, amended.operation, { is: 'amend', id: context.newId(), detail: amended.detail })?.id ?? null
}
