import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { advance, allEntries } from '../../mirror/queue-layer.ts'
import { isOperation } from '../../queue/entry.ts'
import { damagedProblem } from '../../sync/adapters/shared/value-rules.ts'
import { isDamagedValue } from './is-damaged-value.ts'

/**
 * Runs once after a repair, before anything is sent. Parks each change whose value was sealed with our key and no longer opens: a damaged
 * byte doesn't show in a sealed value, and sending it would overwrite a good one.
 */
export function checkRepairedValues(mirror: Mirror, cipher: WorkspaceCipher, newId: () => string): void {
  if (mirror.snapshot((tx) => getState(tx, 'values-unchecked')) === null) return
  mirror.write((tx) => {
    for (const change of allEntries(tx)) {
      if (isOperation(change) || change.patch.value === undefined || !isDamagedValue(cipher, change.patch.value)) continue
      // A value entered again replaces the damaged one, except in a create that can still arrive.
      advance(tx, change, { is: 'reject', reason: damagedProblem, ...(change.kind !== 'create' && { id: newId() }) })
    }
    setState(tx, 'values-unchecked', null)
  })
}
