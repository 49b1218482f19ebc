import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { NewAct } from '../../queue/coalesce-operation.ts'
import type { Tx } from '../../mirror/tx.ts'

/** What an edit of the user runs with: time, ids, and a witness for undo. */
export interface EditContext extends EnqueueContext {
  /** Called before a row is altered, `below` when all below it goes with it; absent where an edit is not to be remembered. */
  remember?: (tx: Tx, rowId: string, below?: 'below') => void
  /** Called with an act that was queued, and the id it got; absent likewise. */
  rememberAct?: (act: NewAct, changeId: string) => void
}
