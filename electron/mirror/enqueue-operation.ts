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
  const { dropped, amended, add } = coalesceOperation(operationsOf(tx, next.rowId), next)
  for (const operation of dropped) dropEntry(tx, operation)
  if (add !== null) return addEntry(tx, { ...add, id: context.newId(), createdAt: context.now }).id
  if (amended === null) return null
  return advance(tx, amended.operation, { is: 'amend', id: context.newId(), detail: amended.detail })?.id ?? null
}
