import { coalesceAct, type NewAct } from '../queue/coalesce-operation.ts'
import type { EnqueueContext } from './enqueue.ts'
import { actsOf, addChange, dropChange, putChange } from './queue-layer.ts'
import type { Tx } from './tx.ts'

/** Puts an act of the user into the queue, merged where nobody could tell; gives the id under which it stands there, or null. */
export function enqueueAct(tx: Tx, next: NewAct, context: EnqueueContext): string | null {
  const { dropped, amended, add } = coalesceAct(actsOf(tx, next.rowId), next)
  for (const act of dropped) dropChange(tx, act.id)
  const fresh = {
    id: context.newId(),
    state: 'queued' as const,
    attempts: 0,
    nextAttemptAt: null,
    reason: null,
    conflict: null,
    createdAt: context.now,
  }
  // Another body under the same Idempotency-Key would be an error.
  if (amended !== null) putChange(tx, { ...amended, ...fresh, createdAt: amended.createdAt })
  if (add !== null) addChange(tx, { ...add, ...fresh })
  return amended === null && add === null ? null : fresh.id
}
