import { changesOfRow, dropChange, putChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import { isParked, lookedForAgain, mayHaveActed } from '../../sync/change.ts'

/**
 * Drops the parked changes of a row that the user is deleting, and what waits behind them: what they asked is moot, they would hold the
 * delete back for ever, and what comes after a conflict must not be sent in its place. A create that may have been made stays, and is
 * looked for again: dropped, it would come back with the next pull.
 */
export function dropParked(tx: Tx, rowId: string): void {
  const changes = changesOfRow(tx, rowId)
  const first = changes.findIndex(isParked)
  if (first < 0) return refreshRow(tx, rowId)
  for (const change of changes.slice(first)) {
    if (isParked(change) && mayHaveActed(change)) putChange(tx, lookedForAgain(change))
    else if (change.state !== 'sending') dropChange(tx, change.id)
  }
  refreshRow(tx, rowId)
}
