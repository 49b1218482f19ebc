import { getBase } from './base-layer.ts'
import { advance, changesOfRow } from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { pathFrom } from './working-layer.ts'
import type { BaseRow, Change } from '../queue/entry.ts'
import { fieldNames, mergeableOf, pickFields, sameField } from '../queue/fields.ts'
import { followRow, rebaseAll } from '../sync/plan/rebase.ts'
import type { Step } from '../sync/plan/step.ts'

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

/** Replaces a value that the dropped change had set, in the bases of later changes, by the value under the dropped change. */
export function uncover(tx: Tx, newId: () => string, rowId: string, { seq, patch, base: under }: Change): void {
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
