import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Seen } from '../../mirror/past-layer.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Entry } from '../../queue/entry.ts'
import type { Tx } from '../../mirror/tx.ts'

/** The context of an edit: time, ids, and the recorder for undo. */
export interface EditContext extends EnqueueContext {
  /**
   * Called before a row is changed. `below`: all rows below it change too. `new`: the edit creates it. A number: the revision that the user
   * saw. Missing if an edit is not recorded for undo.
   */
  remember?: (tx: Tx, rowId: string, how?: 'below' | 'new' | Seen) => void
  /** Called with an entry that an edit of another row removed from the queue: undo restores it. */
  rememberDropped?: (entry: Entry) => void
  /** Called with a queued operation and the id of its entry. */
  rememberOperation?: (operation: NewOperation, changeId: string) => void
}
