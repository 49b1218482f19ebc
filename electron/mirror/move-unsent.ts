import { isOperation, type Entry } from '../queue/entry.ts'
import { getBase } from './base-layer.ts'
import type { EnqueueContext } from './enqueue.ts'
import { advance, descendantEntries } from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { refreshRow } from './working-layer.ts'

/** Returns, in order, the entries below a row that can move to another parent: those of rows that exist only here. */
export function unsentDescendants(tx: Tx, id: string): Entry[] {
  return descendantEntries(tx, id).filter((entry) => {
    const between = entry.ancestors.slice(0, entry.ancestors.indexOf(id))
    const rows = isOperation(entry) ? between : [entry.rowId, ...between]
    // A rollback resets to a version of the existing record.
    return entry.kind !== 'rollback' && rows.every((each) => getBase(tx, each) === null)
  })
}

/** Moves these entries from below `from` to below `to`, in the transaction that created `to`. Records of the service stay below `from`. */
export function moveUnsent(tx: Tx, from: string, to: string, context: EnqueueContext): void {
  for (const entry of unsentDescendants(tx, from)) {
    const ancestors = entry.ancestors.map((id) => (id === from ? to : id))
    advance(tx, entry, { is: 'revise', id: context.newId(), ancestors })
    if (!isOperation(entry)) refreshRow(tx, entry.rowId)
  }
}
