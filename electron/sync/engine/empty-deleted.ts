import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { baseChildren, countBelow } from '../../mirror/base-layer.ts'
import { removeUnedited } from '../../mirror/remove-unedited.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import type { Entry } from '../../queue/entry.ts'
import type { Outcome } from '../port.ts'
import type { EngineDeps } from './engine-deps.ts'
import { stillSending } from './still-sending.ts'

/** So many variables leave in one transaction: some milliseconds. */
const sliceSize = 500

/**
 * Removes what is in a project or environment whose deletion the service has confirmed, a slice at a time where it is much: 100,000 variables in
 * one transaction would hold up everything else for seconds. The deletion itself stays `sending`: a crash in between has it reconciled, and this goes on.
 */
export async function emptyDeleted(deps: EngineDeps, entry: Entry, outcome: Outcome | null): Promise<void> {
  const { mirror } = deps
  if (entry.kind !== 'delete' || entry.rowKind === 'variable' || !isGone(outcome)) return
  const environments = mirror.snapshot((tx) => {
    if (stillSending(tx, entry) === null || countBelow(tx, entry.rowId) <= sliceSize) return []
    return entry.rowKind === 'environment' ? [entry.rowId] : baseChildren(tx, entry.rowId).map(({ id }) => id)
  })
  for (const id of environments) while (mirror.write((tx) => removeSlice(tx, entry, id, deps))) await yieldToOthers()
}

const isGone = (outcome: Outcome | null): boolean =>
  (outcome?.is === 'confirmed' && outcome.row === null) || (outcome?.is === 'missing' && outcome.what === 'record')

/**
 * Whether more is left in the environment. Variables with unsent changes stay: what comes after decides about them, as about the places, with all
 * that is known of the deletion.
 */
function removeSlice(tx: Tx, entry: Entry, environmentId: string, deps: EngineDeps): boolean {
  if (stillSending(tx, entry) === null) return false
  const at = confirmedAt(tx, entry) ?? deps.now()
  setState(tx, `deleting-${entry.rowId}`, String(at))
  return removeUnedited(tx, environmentId, sliceSize, at) === sliceSize
}

/** When this deletion was confirmed, if the removal of its rows has begun: all of them are kept as deleted then, so that they are restored together. */
export function confirmedAt(tx: Tx, { rowId }: Entry): number | null {
  const at = getState(tx, `deleting-${rowId}`)
  return at === null ? null : Number(at)
}
