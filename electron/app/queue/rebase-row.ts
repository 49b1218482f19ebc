import { getBase } from '../../mirror/base-layer.ts'
import { advance, changesOfRow } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { pathFrom } from '../../mirror/working-layer.ts'
import type { BaseRow, Change } from '../../queue/entry.ts'
import { mergeableOf } from '../../queue/fields.ts'
import { followRow, rebaseAll } from '../../sync/plan/rebase.ts'
import type { Step } from '../../sync/plan/step.ts'

/**
 * Rebases the unsent changes of a row onto its base row. Fields that others changed too become conflicts. From the first change for which
 * `waits` is true, changes keep their base. `by`: who made the remote change, if not the author of the base row. If the row has no base,
 * the changes after its create take its present parents, so that they stay when a former parent is deleted.
 */
export function rebaseRow(tx: Tx, newId: () => string, rowId: string, waits: (change: Change) => boolean, by: string | null = null): void {
  const base = getBase(tx, rowId)
  const changes = changesOfRow(tx, rowId)
  for (const step of base === null ? followCreate(changes, newId) : rebaseOnto(base))
    if (step.do === 'advance') advance(tx, step.entry, step.event)

  function rebaseOnto(row: BaseRow): Step[] {
    const until = changes.findIndex(waits)
    const remote = { fields: mergeableOf(row), ancestors: pathFrom(tx, row.parentId), by: by ?? row.updatedBy }
    return rebaseAll(until < 0 ? changes : changes.slice(0, until), remote, newId)
  }
}

function followCreate([create, ...later]: readonly Change[], newId: () => string): Step[] {
  return create?.kind === 'create' ? followRow(later, create.ancestors, newId) : []
}
