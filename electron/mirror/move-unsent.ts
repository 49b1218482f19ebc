import { isAct, type Queued } from '../queue/entry.ts'
import { getBase } from './base-layer.ts'
import { putChange } from './queue-layer.ts'
import { fromQueueColumns } from './row-codec.ts'
import { build, type Tx } from './tx.ts'
import { refreshRow } from './working-layer.ts'

/** What the user made below a row and the server has not seen yet, in order. What hangs on a record of the server in between is none of it. */
export function unsentBelow(tx: Tx, id: string): Queued[] {
  const below = build.selectFrom('queue').selectAll().where('ancestors', 'like', `%${id}%`).orderBy('seq')
  return tx
    .all(below)
    .map(fromQueueColumns)
    .filter((queued) => {
      const above = queued.ancestors.slice(0, queued.ancestors.indexOf(id))
      const between = isAct(queued) ? above : [queued.rowId, ...above]
      // A version that can be rolled back to is one of the record that is there.
      return queued.kind !== 'rollback' && between.every((each) => getBase(tx, each) === null)
    })
}

/** Hangs these on `to`, in the transaction that made it. Records of the server below `from` stay where they are. */
export function moveUnsent(tx: Tx, from: string, to: string): void {
  for (const queued of unsentBelow(tx, from)) {
    putChange(tx, { ...queued, ancestors: queued.ancestors.map((id) => (id === from ? to : id)) })
    if (!isAct(queued)) refreshRow(tx, queued.rowId)
  }
}
