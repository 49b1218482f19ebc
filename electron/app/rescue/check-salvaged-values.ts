import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getMeta, setMeta } from '../../mirror/meta.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { allChanges, putChange } from '../../mirror/queue-layer.ts'
import { isAct } from '../../sync/change.ts'
import type { SealedValue } from '../../sync/fields.ts'

const reason = 'Its value was damaged with the database. Type it again, or discard this change.'

/**
 * Once after a repair, before anything is sent: a sealed value looks the same with a byte turned over, and would overwrite a good one. What
 * our key sealed and does not open any more waits for the user.
 */
export function checkSalvagedValues(mirror: Mirror, cipher: WorkspaceCipher): void {
  if (mirror.snapshot((tx) => getMeta(tx, 'values-unchecked')) === null) return
  const isDamaged = ({ sealed, tag, keyId }: SealedValue): boolean => {
    if (keyId !== cipher.keyId || tag === null) return false
    const text = cipher.open(sealed)
    return text === null || cipher.tagOf(text) !== tag
  }
  mirror.write((tx) => {
    for (const change of allChanges(tx)) {
      if (isAct(change) || change.patch.value === undefined || !isDamaged(change.patch.value)) continue
      putChange(tx, { ...change, state: 'failed', conflict: null, reason, nextAttemptAt: null })
    }
    setMeta(tx, 'values-unchecked', null)
  })
}
