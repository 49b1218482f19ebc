import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { baseChildren, countBelow } from '../../mirror/base-layer.ts'
import { removeUnedited } from '../../mirror/remove-unedited.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import type { Entry } from '../../queue/entry.ts'
import { takesDescendants } from '../plan/start-entry.ts'
import type { Outcome } from '../port.ts'
import type { EngineDeps } from './engine-deps.ts'
import { stillSending } from './still-sending.ts'

/** How many variables one transaction removes: it takes some milliseconds. */
const sliceSize = 500

/**
 * Removes the unedited variables below a deletion that the service has confirmed, in slices if there are many: 100,000 variables in one
 * transaction would block everything else for seconds. Until the end the deletion stays `sending`, so that after a crash sync reconciles it
 * and goes on here.
 */
export async function emptyDeleted(deps: EngineDeps, entry: Entry, outcome: Outcome | null): Promise<void> {
  const { mirror } = deps
  if (!takesDescendants(entry) || !isDeleted(outcome)) return
  const environments = mirror.snapshot((tx) => {
    if (stillSending(tx, entry) === null || countBelow(tx, entry.rowId) <= sliceSize) return []
    return entry.rowKind === 'environment' ? [entry.rowId] : baseChildren(tx, entry.rowId).map(({ id }) => id)
  })
  for (const id of environments) {
    while (mirror.write((tx) => removeSlice(tx, entry, id, deps))) await yieldToOthers()
    // There may be thousands of environments, with few variables each.
    await yieldToOthers()
  }
}

const isDeleted = (outcome: Outcome | null): boolean =>
  (outcome?.is === 'confirmed' && outcome.row === null) || (outcome?.is === 'missing' && outcome.what === 'record')

/**
 * Removes one slice; returns whether more may be left. Variables with unsent changes stay, as do the project and its environments: the plan
 * for the deletion decides about them.
 */
function removeSlice(tx: Tx, entry: Entry, environmentId: string, deps: EngineDeps): boolean {
  if (stillSending(tx, entry) === null) return false
  const at = confirmedAt(tx, entry) ?? deps.now()
  setState(tx, `deleting-${entry.rowId}`, String(at))
  return removeUnedited(tx, environmentId, sliceSize, at) === sliceSize
}

/**
 * Returns when this deletion was confirmed; null: the removal of its rows has not begun. All of them are kept as deleted at that time, so
 * that they are restored together.
 */
export function confirmedAt(tx: Tx, entry: Entry): number | null {
  if (!takesDescendants(entry)) return null
  const at = getState(tx, `deleting-${entry.rowId}`)
  return at === null ? null : Number(at)
}
