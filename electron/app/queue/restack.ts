import { getBase } from '../../mirror/base-layer.ts'
import { changesOfRow, dropChange, putChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import type { Change } from '../../queue/entry.ts'
import { rebaseRow } from '../../sync/effects/apply-theirs.ts'
import { changedFields, type Fields } from '../../queue/fields.ts'

/**
 * After the user took an earlier change of a row away: the later ones stand on base again, each on what
 * is left before it. Nobody else changed anything, so nothing here is a conflict, unless `taken` was one: then
 * base holds what somebody else wrote, and a later change that was made without knowing it has to ask in its turn.
 */
export function restack(tx: Tx, rowId: string, taken: Change): void {
  const base = getBase(tx, rowId)
  if (base !== null && taken.conflict?.theirs != null) {
    rebaseRow(tx, changesOfRow(tx, rowId), { fields: base.fields, by: taken.conflict.by })
  } else if (base !== null) {
    let fields: Fields = base.fields
    for (const change of changesOfRow(tx, rowId)) {
      if (change.kind !== 'update' || change.state === 'conflict' || change.state === 'sending') break
      const patch = changedFields(fields, change.patch)
      if (Object.keys(patch).length === 0) dropChange(tx, change.id)
      else putChange(tx, { ...change, base: fields, patch })
      fields = { ...fields, ...patch }
    }
  }
  refreshRow(tx, rowId)
}
