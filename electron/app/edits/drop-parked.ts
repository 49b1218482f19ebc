import { changesOfRow, dropChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import { isParked } from '../../sync/change.ts'

/** Drops the parked changes of a row that the user is deleting: what they asked is moot, and they would hold the delete back for ever. */
export function dropParked(tx: Tx, rowId: string): void {
  for (const change of changesOfRow(tx, rowId)) if (isParked(change)) dropChange(tx, change.id)
  refreshRow(tx, rowId)
}
