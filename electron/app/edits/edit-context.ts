import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Seen } from '../../mirror/past-layer.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Entry } from '../../queue/entry.ts'
import type { Tx } from '../../mirror/tx.ts'

/** The context of an edit: time, ids, and the recorder for undo. */
export interface EditContext extends EnqueueContext {
  /**
   * Called before a row is altered: `below` when all below it goes with it, `new` when it is made, else the revision that its user saw. Absent
   * where an edit is not to be remembered.
   */
  remember?: (tx: Tx, rowId: string, how?: 'below' | 'new' | Seen) => void
  /** Called with an entry that an edit of something else took out of the queue: undo puts it back. */
  rememberDropped?: (entry: Entry) => void
  /** Called with an operation that was queued, and the id it got. */
  rememberOperation?: (operation: NewOperation, changeId: string) => void
}
