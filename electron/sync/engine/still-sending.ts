import { getEntry } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Entry } from '../../queue/entry.ts'

/** Returns a sent entry as it is now. Null: it is no longer being sent under this id, because the user or another answer has changed it. */
export function stillSending(tx: Tx, sent: Entry): Entry | null {
  const entry = getEntry(tx, sent.id)
  return entry?.state === 'sending' ? entry : null
}
