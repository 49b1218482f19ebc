import { getBase } from '../../mirror/base-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { advance, changesOfRow } from '../../mirror/queue-layer.ts'
import { reseal } from '../../mirror/reseal.ts'
import { isBroughtBack } from '../../mirror/superseded-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { pathFrom, refreshRow } from '../../mirror/working-layer.ts'
import type { Change } from '../../queue/entry.ts'
import { fieldNames, mergeableOf, pickFields, sameField } from '../../queue/fields.ts'
import { rebaseAll } from '../../sync/plan/rebase.ts'

/**
 * After the user dropped a change of a row: the later ones stand on what that one was made on, and are moved onto the row as it is. One that was
 * made without knowing what others wrote meanwhile, and was not asked about because `dropped` was, asks in its turn.
 */
export function restack(tx: Tx, context: EnqueueContext, rowId: string, dropped: Change): void {
  const { newId } = context
  uncover(tx, newId, rowId, dropped)
  const base = getBase(tx, rowId)
  if (base !== null) {
    const changes = changesOfRow(tx, rowId)
    const isOther = dropped.conflict?.remote == null
    // A request under way moves the later ones when it is answered, and so does another question.
    const waits = changes.findIndex(({ state }) => state === 'sending' || (state === 'conflict' && isOther))
    const moved = waits < 0 ? changes : changes.slice(0, waits)
    const remote = { fields: mergeableOf(base), ancestors: pathFrom(tx, base.parentId), by: dropped.conflict?.by ?? base.updatedBy }
    for (const step of rebaseAll(moved, remote, newId)) if (step.do === 'advance') advance(tx, step.entry, step.event)
  }
  // A change that would have sealed it anew is gone.
  if (isBroughtBack(tx, rowId)) reseal(tx, rowId, context)
  refreshRow(tx, rowId)
}

/** Where the base of a later change holds what the dropped one set, it holds from now on what that one was made on. */
function uncover(tx: Tx, newId: () => string, rowId: string, { seq, patch, base: under }: Change): void {
  if (under === null) return
  let names = fieldNames.filter((name) => patch[name] !== undefined)
  for (const change of changesOfRow(tx, rowId)) {
    if (change.seq < seq) continue
    const { base, state } = change
    const stale = names.filter((name) => base !== null && sameField(base[name], patch[name]))
    if (stale.length > 0 && state !== 'sending')
      advance(tx, change, { is: 'revise', id: newId(), base: { ...base, ...pickFields(under, stale) } })
    names = names.filter((name) => change.patch[name] === undefined)
  }
}
