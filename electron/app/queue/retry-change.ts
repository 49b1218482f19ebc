import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { advance, getEntry } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { isOperation } from '../../queue/entry.ts'
import { damagedValue, notWaiting } from '../edits/refusals.ts'
import { isDamagedValue } from '../repair/is-damaged-value.ts'

/**
 * Makes a waiting change due now. Errors: `value-unreadable` for a damaged value, which is never sent; those of `cipher` if the value can't
 * be checked now.
 */
export function retryChange(tx: Tx, changeId: string, newId: () => string, cipher: Result<WorkspaceCipher, AppError>): Result<null> {
  const change = getEntry(tx, changeId)
  if (change === null) return notWaiting()
  if (change.state === 'failed' && !isOperation(change) && change.patch.value !== undefined) {
    if (!cipher.ok) return cipher
    if (isDamagedValue(cipher.value, change.patch.value)) return damagedValue()
  }
  // A change whose outcome is unknown is not sent again, only reconciled sooner.
  if (change.state !== 'conflict') advance(tx, change, { is: 'retry', id: newId() })
  return ok(null)
}
