import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { reseal, unboundAfter } from '../../mirror/reseal.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'

/** Short enough that nobody waits for it. */
const slice = 200

/** From now on everything is sent bound; see `continueBinding` for what is there already. */
export const beginBinding = (mirror: Mirror): void => mirror.write((tx) => setState(tx, 'values', 'binding'))

/**
 * Queues the values that are bound to no variable yet, if their user has asked for it, and calls the workspace bound when none is left. It goes
 * by what the mirror holds, so an interrupted run goes on where it was, and what other clients write meanwhile is bound as well. Values of
 * another key stay as they are. Gives how many it queued.
 */
export async function continueBinding(mirror: Mirror, cipher: WorkspaceCipher, context: () => EnqueueContext): Promise<number> {
  if (mirror.snapshot((tx) => getState(tx, 'values')) !== 'binding') return 0
  let queued = 0
  let left = 0
  for (let after = ''; ;) {
    const rows = mirror.snapshot((tx) => unboundAfter(tx, after, slice))
    // Throws once the keys are wiped: then all would look like values of another key, and the workspace bound.
    const ours = rows.filter(({ sealed }) => cipher.tagged(sealed).tag !== null)
    left += ours.length
    queued += mirror.write((tx) => ours.filter(({ id }) => reseal(tx, id, context())).length)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    await yieldToOthers()
  }
  if (left === 0) mirror.write((tx) => setState(tx, 'values', 'bound'))
  return queued
}
