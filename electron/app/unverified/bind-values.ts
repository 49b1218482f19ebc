import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { hasUnbound, reseal, unboundAfter } from '../../mirror/reseal.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import { inSlices } from '../in-slices.ts'

/** How many values are queued in one transaction, so that other work doesn't have to wait. */
const slice = 200

/** From now on every value is sent bound. `continueBinding` binds the existing values. */
export const beginBinding = (mirror: Mirror): void => mirror.write((tx) => setState(tx, 'values', 'binding'))

const isBinding = (mirror: Mirror): boolean => mirror.snapshot((tx) => getState(tx, 'values')) === 'binding'

/**
 * Queues the unbound values to be sealed again, if the user has requested it. Reads them from the mirror, so an interrupted run can
 * continue, and later values of other clients are bound too. Skips values of another key. Returns how many it queued.
 */
export async function continueBinding(mirror: Mirror, cipher: WorkspaceCipher, context: () => EnqueueContext): Promise<number> {
  if (!isBinding(mirror)) return 0
  let queued = 0
  await inSlices((after) => {
    const rows = mirror.snapshot((tx) => unboundAfter(tx, after, slice))
    // Throws after the keys were wiped: otherwise all values would count as values of another key.
    const ours = rows.filter(({ sealed }) => cipher.tagged(sealed).tag !== null)
    queued += mirror.write((tx) => ours.filter(({ id }) => reseal(tx, id, context())).length)
    return rows
  })
  return queued
}

/**
 * Marks the workspace as bound if it has no unbound value left. Call it only between two sync rounds: during a round, sync may have
 * accepted an unbound value and not written it yet.
 */
export function endBinding(mirror: Mirror, cipher: WorkspaceCipher): void {
  if (!isBinding(mirror)) return
  mirror.write((tx) => {
    if (!hasUnbound(tx, cipher.keyId)) setState(tx, 'values', 'bound')
  })
}
