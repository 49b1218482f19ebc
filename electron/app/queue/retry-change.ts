import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getQueued, putChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { isAct, lookedForAgain, mayHaveActed } from '../../queue/entry.ts'
import { damagedValue } from '../edits/refusals.ts'
import { isDamagedValue } from '../rescue/is-damaged-value.ts'
import { notWaiting } from './not-waiting.ts'

/**
 * Makes a change that waits due at once. A value that damage has altered is never sent: errors `value-unreadable`, and those of `cipher` for a
 * value that cannot be looked at now.
 */
export function retryChange(tx: Tx, changeId: string, newId: () => string, cipher: Result<WorkspaceCipher, AppError>): Result<null> {
  const change = getQueued(tx, changeId)
  if (change === null) return notWaiting()
  if (change.state === 'failed' && !isAct(change) && change.patch.value !== undefined) {
    if (!cipher.ok) return cipher
    if (isDamagedValue(cipher.value, change.patch.value)) return damagedValue()
  }
  if (change.state === 'failed' && !isAct(change) && mayHaveActed(change)) {
    putChange(tx, lookedForAgain(change))
    return ok(null)
  }
  const isUnsent = change.state === 'failed' || change.state === 'blocked'
  // The outcome of one that is being sent is unknown; it keeps its Idempotency-Key and is only looked at sooner.
  // So does an act: what made it wait may have been that nobody could say whether it was done.
  const again = isUnsent ? { id: isAct(change) ? change.id : newId(), state: 'queued' as const, attempts: 0 } : {}
  putChange(tx, { ...change, ...again, nextAttemptAt: null, reason: null })
  return ok(null)
}
