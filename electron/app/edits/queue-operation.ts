import { isDeepStrictEqual } from 'node:util'
import { enqueueOperation, enqueueVersionOperation } from '../../mirror/enqueue-operation.ts'
import { operationsOf } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Operation } from '../../queue/entry.ts'
import type { EditContext } from './edit-context.ts'

/** Queues a snapshot or rollback. Returns the id of its entry. */
export const queueVersionOperation = (tx: Tx, context: EditContext, operation: Extract<NewOperation, { rowKind: 'version' }>): string =>
  remembered(tx, context, operation, () => enqueueVersionOperation(tx, operation, context))

/** Queues an operation, or merges it into the unsent ones on the same member. Returns the id of its entry; null: nothing is left to do. */
export const queueOperation = (tx: Tx, context: EditContext, operation: NewOperation): string | null =>
  remembered(tx, context, operation, () => enqueueOperation(tx, operation, context))

/** Queues an operation by `queue`, and remembers which operations that removed from the queue and added to it. */
function remembered<T>(tx: Tx, { rememberOperation }: EditContext, operation: NewOperation, queue: () => T): T {
  const before = operationsOf(tx, operation.rowId)
  const queued = queue()
  const after = operationsOf(tx, operation.rowId)
  // One that was merged has changed: it is both removed and added.
  const [removed, added] = [except(before, after), except(after, before)]
  if (removed.length + added.length > 0) rememberOperation?.({ operation, removed, added })
  return queued
}

const except = (some: readonly Operation[], others: readonly Operation[]): Operation[] =>
  some.filter((each) => !others.some((other) => isSameRequest(each, other)))

/** An operation that was only retried is neither removed nor added: the service may have done it, so undo leaves it in the queue. */
const isSameRequest = (one: Operation, other: Operation): boolean =>
  one.seq === other.seq && one.kind === other.kind && isDeepStrictEqual(one.detail, other.detail)
