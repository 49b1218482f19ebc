import { getBase } from '../../mirror/base-layer.ts'
import { keepGivenUp } from '../../mirror/past-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { descendantEntries, getEntryAt } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { carryOut } from '../../mirror/write-steps.ts'
import { isOperation, type Change } from '../../queue/entry.ts'
import { dropWithDescendants } from '../../sync/plan/plan-record.ts'
import { restack } from './restack.ts'

/**
 * Drops a change. With a create, it also drops everything queued below its row. A variable that was moved there returns to its environment,
 * with later remote changes that no screen has shown.
 */
export function dropWithBelow(tx: Tx, context: EnqueueContext, change: Change): void {
  const below = change.kind === 'create' ? descendantEntries(tx, change.rowId).filter((entry) => !isOperation(entry)) : []
  const shown = [...new Set(below.map(({ rowId }) => rowId))].map((rowId) => getWorking(tx, rowId)).filter((row) => row !== null)
  carryOut(tx, context, (facts) => dropWithDescendants(change, facts))
  // A variable that was moved there may have been moved on. Its later move then starts where the service has the variable.
  for (const entry of below) if (getEntryAt(tx, entry.seq) === null) restack(tx, context, entry, null)
  // Rows that exist only here keep their past: undo may restore them.
  for (const row of shown) if (getBase(tx, row.id) !== null) keepGivenUp(tx, row, context.now)
}
