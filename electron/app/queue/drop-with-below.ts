import { ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { keepGivenUp } from '../../mirror/past-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { advance, changesOfRow, descendantEntries, getEntryAt } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { carryOut } from '../../mirror/write-steps.ts'
import { isOperation, type Change } from '../../queue/entry.ts'
import { fieldNames, pickFields } from '../../queue/fields.ts'
import { dropWithDescendants } from '../../sync/plan/plan-record.ts'
import { restack } from './restack.ts'

/**
 * Drops a change. With a create, it also drops everything queued below its row. A variable that was moved there returns to its environment,
 * with later remote changes that no screen has shown. Error: that of `restack`, if the user has deleted that environment since.
 */
export function dropWithBelow(tx: Tx, context: EnqueueContext, change: Change): Result<null> {
  const below = change.kind === 'create' ? descendantEntries(tx, change.rowId).filter((entry) => !isOperation(entry)) : []
  const shown = [...new Set(below.map(({ rowId }) => rowId))].map((rowId) => getWorking(tx, rowId)).filter((row) => row !== null)
  carryOut(tx, context, (facts) => dropWithDescendants(change, facts))
  for (const entry of below.toReversed()) {
    if (getEntryAt(tx, entry.seq) !== null) continue
    keepInMove(tx, context, entry)
    const restacked = restack(tx, context, entry, shown.find(({ id }) => id === entry.rowId) ?? null)
    if (!restacked.ok) return restacked
  }
  // Rows that exist only here keep their past: undo may restore them.
  for (const row of shown) if (getBase(tx, row.id) !== null) keepGivenUp(tx, row, context.now)
  return ok(null)
}

/** A variable that was moved on from there keeps its destination, and takes along what its user had typed before. */
function keepInMove(tx: Tx, { newId }: EnqueueContext, { rowId, seq, patch, base }: Change): void {
  const next = changesOfRow(tx, rowId).find((change) => change.seq > seq)
  const { parent: _parent, ...typed } = patch
  if (next?.kind !== 'update' || next.state === 'sending' || Object.keys(typed).length === 0) return
  const under = pickFields(
    base ?? {},
    fieldNames.filter((name) => name in typed),
  )
  advance(tx, next, { is: 'revise', id: newId(), patch: { ...typed, ...next.patch }, base: { ...next.base, ...under } })
}
