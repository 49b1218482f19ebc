import { getBase } from '../../mirror/base-layer.ts'
import { lastDeleted } from '../../mirror/deleted-layer.ts'
import { changesOfRow, descendantEntries } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { mayBeUnderWay } from '../../queue/coalesce.ts'
import { isMove, isOperation, type Entry } from '../../queue/entry.ts'

/**
 * Returns whether only this computer has a row and all rows below it. False if the row's create may have arrived. With rows below it, false
 * too if others deleted the row, if a row below may have arrived, or if it is a variable that was moved there or a version to save.
 */
export function isNeverSent(tx: Tx, id: string): boolean {
  if (getBase(tx, id) !== null || changesOfRow(tx, id).some(mayBeUnderWay)) return false
  const below = descendantEntries(tx, id)
  const isOwn = (entry: Entry) => !isOperation(entry) && !isMove(entry) && !mayBeUnderWay(entry) && getBase(tx, entry.rowId) === null
  return below.length === 0 || (lastDeleted(tx, id) === null && below.every(isOwn))
}
