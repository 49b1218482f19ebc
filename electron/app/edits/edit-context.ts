import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Entry, Row } from '../../queue/entry.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { OperationStep } from '../undo/step.ts'

/** The context of an edit: time, ids, and the recorder for undo. */
export interface EditContext extends EnqueueContext {
  /**
   * Called before a row is changed. `below`: all rows below it change too. `new`: the edit creates it. A row: as the user saw it; null: no
   * screen showed it. Missing if an edit is not recorded for undo.
   */
  remember?: (tx: Tx, rowId: string, how?: 'below' | 'new' | Row | null) => void
  /** Called with an entry that an edit of another row removed from the queue: undo restores it. */
  rememberDropped?: (entry: Entry) => void
  /** Called with a queued operation: it becomes a step of undo. */
  rememberOperation?: (asked: OperationStep) => void
}
