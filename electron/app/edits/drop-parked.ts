import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import { changesOfRow, dropChange, putChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import { isParked, lookedForAgain, mayHaveActed, type Row } from '../../queue/entry.ts'
import { fieldNames, pickFields, type Fields } from '../../queue/fields.ts'

/**
 * Drops the parked changes of a row that the user is deleting, and what waits behind them: what they asked is moot, they would hold the
 * delete back for ever, and what comes after a conflict must not be sent in its place. A create that may have been made stays, and is
 * looked for again: dropped, it would come back with the next pull. Gives what its user knew of the row, as the base of the deletion: of
 * fields in conflict not theirs, which only the answer to the conflict would accept.
 */
export function dropParked(tx: Tx, row: Row, seen: Seen): Fields | null {
  const changes = changesOfRow(tx, row.id)
  const first = changes.findIndex(isParked)
  for (const change of first < 0 ? [] : changes.slice(first)) {
    if (isParked(change) && mayHaveActed(change)) putChange(tx, lookedForAgain(change))
    else if (change.state !== 'sending') dropChange(tx, change.id)
  }
  refreshRow(tx, row.id)
  const asked = changes.find(({ conflict }) => conflict?.theirs != null)
  const saw = seenRow(tx, row.id, seen)
  if (asked === undefined) return saw?.fields ?? null
  const inQuestion = fieldNames.filter((name) => asked.patch[name] !== undefined)
  return { ...saw?.fields, ...pickFields(asked.base ?? row.fields, inQuestion) }
}
