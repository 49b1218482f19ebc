import { getBase } from '../../mirror/base-layer.ts'
import { advance, changesOfRow } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { pathFrom } from '../../mirror/working-layer.ts'
import type { Change } from '../../queue/entry.ts'
import { mergeableOf } from '../../queue/fields.ts'
import { rebaseAll } from '../../sync/plan/rebase.ts'

/**
 * Rebases the unsent changes of a row onto its base row: fields that others changed too come into conflict. Changes from the
 * first one that `waits` on keep their base. `by`: who made the remote change, if not the author of the base row.
 */
export function rebaseRow(tx: Tx, newId: () => string, rowId: string, waits: (change: Change) => boolean, by: string | null = null): void {
  const base = getBase(tx, rowId)
  if (base === null) return
  const changes = changesOfRow(tx, rowId)
  const until = changes.findIndex(waits)
  const remote = { fields: mergeableOf(base), ancestors: pathFrom(tx, base.parentId), by: by ?? base.updatedBy }
  for (const step of rebaseAll(until < 0 ? changes : changes.slice(0, until), remote, newId))
    if (step.do === 'advance') advance(tx, step.entry, step.event)
}
