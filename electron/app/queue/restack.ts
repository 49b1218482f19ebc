import { getBase } from '../../mirror/base-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { advance, changesOfRow, dropEntry } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { pathFrom, refreshRow } from '../../mirror/working-layer.ts'
import type { BaseRow, Change } from '../../queue/entry.ts'
import { changedFields, mergeableOf, sentFields } from '../../queue/fields.ts'
import { rebaseAll } from '../../sync/plan/rebase.ts'

/**
 * After the user dropped an earlier change of a row: the later ones start from base again, each from what
 * is left before it. Nobody else changed anything, so nothing here is a conflict, unless `dropped` was one: then
 * base holds what others wrote, and a later change that was made without knowing it has to ask in its turn.
 */
export function restack(tx: Tx, { newId }: EnqueueContext, rowId: string, dropped: Change): void {
  const base = getBase(tx, rowId)
  if (base !== null && dropped.conflict?.remote != null) {
    const remote = { fields: mergeableOf(base), ancestors: pathFrom(tx, base.parentId), by: dropped.conflict.by }
    for (const step of rebaseAll(changesOfRow(tx, rowId), remote, newId)) if (step.do === 'advance') advance(tx, step.entry, step.event)
  } else if (base !== null) startAgain(tx, newId, base)
  refreshRow(tx, rowId)
}

function startAgain(tx: Tx, newId: () => string, row: BaseRow): void {
  let base = mergeableOf(row)
  let here = pathFrom(tx, row.parentId)
  for (const change of changesOfRow(tx, row.id)) {
    if (change.kind === 'create' || change.state === 'conflict' || change.state === 'sending') return
    const patch = changedFields(base, change.patch)
    const path = patch.parent === undefined ? { ancestors: here, leaves: [] } : { ancestors: change.ancestors, leaves: here }
    if (change.kind === 'delete') advance(tx, change, { is: 'revise', id: newId(), ...path })
    else if (Object.keys(patch).length === 0) dropEntry(tx, change)
    else advance(tx, change, { is: 'revise', id: newId(), patch, base, ...path })
    base = { ...base, ...sentFields(patch) }
    here = [...path.ancestors]
  }
}
