import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { hasUnbound, reseal, unboundAfter } from '../../mirror/reseal.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'

/** Short enough that nobody waits for it. */
const slice = 200

/** From now on every value is sent bound; `continueBinding` binds the existing ones. */
export const beginBinding = (mirror: Mirror): void => mirror.write((tx) => setState(tx, 'values', 'binding'))

const isBinding = (mirror: Mirror): boolean => mirror.snapshot((tx) => getState(tx, 'values')) === 'binding'

/**
 * Queues the values that are bound to no variable yet, if their user has asked for it. It goes by what the mirror holds, so an interrupted run goes
 * on where it was, and what other clients write meanwhile is bound as well. Values of another key stay as they are. Gives how many it queued.
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
 * Calls the workspace bound when no value is left to bind, in one transaction with the look at them. Only between two rounds of sync: a value that a
 * round has taken because values were being bound, and not written yet, would end up in a bound workspace.
 */
export function endBinding(mirror: Mirror, cipher: WorkspaceCipher): void {
  if (!isBinding(mirror)) return
  mirror.write((tx) => {
    if (!hasUnbound(tx, cipher.keyId)) setState(tx, 'values', 'bound')
  })
}
