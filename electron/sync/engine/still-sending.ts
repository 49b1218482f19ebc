import { getEntryAt } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Entry } from '../../queue/entry.ts'

/** An entry that was sent, as it is now; null: its user, or another answer, has taken it from there. */
export function stillSending(tx: Tx, sent: Entry): Entry | null {
  const entry = getEntryAt(tx, sent.seq)
  return entry?.state === 'sending' && entry.id === sent.id ? entry : null
}
