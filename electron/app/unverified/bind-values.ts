import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { hasUnbound, reseal, unboundAfter } from '../../mirror/reseal.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'

/** Few enough that no other work has to wait. */
const slice = 200

/** From now on every value is sent bound; `continueBinding` binds the existing ones. */
export const beginBinding = (mirror: Mirror): void => mirror.write((tx) => setState(tx, 'values', 'binding'))

const isBinding = (mirror: Mirror): boolean => mirror.snapshot((tx) => getState(tx, 'values')) === 'binding'

/**
 * Queues the values that are bound to no variable yet, if the user has asked for it. It reads them from the mirror, so an interrupted run
 * continues, and values that other clients write meanwhile are bound as well. Skips values of another key. Returns how many it queued.
 */
export async function continueBinding(mirror: Mirror, cipher: WorkspaceCipher, context: () => EnqueueContext): Promise<number> {
  if (!isBinding(mirror)) return 0
  let queued = 0
  for (let after = ''; ;) {
    const rows = mirror.snapshot((tx) => unboundAfter(tx, after, slice))
    // Throws once the keys are wiped: then all would look like values of another key.
    const ours = rows.filter(({ sealed }) => cipher.tagged(sealed).tag !== null)
    queued += mirror.write((tx) => ours.filter(({ id }) => reseal(tx, id, context())).length)
    const last = rows.at(-1)
    if (last === undefined) return queued
    after = last.id
    await yieldToOthers()
  }
}

/**
 * Marks the workspace as bound if no unbound value is left, checked in the same transaction. Call it only between two sync rounds: a round
 * may have accepted an unbound value that it has not written yet.
 */
export function endBinding(mirror: Mirror, cipher: WorkspaceCipher): void {
  if (!isBinding(mirror)) return
  mirror.write((tx) => {
    if (!hasUnbound(tx, cipher.keyId)) setState(tx, 'values', 'bound')
  })
}
