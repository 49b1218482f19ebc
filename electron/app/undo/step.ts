import type { Change, Entry, RowKind } from '../../queue/entry.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Fields } from '../../queue/fields.ts'

/** One row as an edit found it and as it left it; null: not there. Values are sealed. */
export interface RowImage {
  id: string
  kind: RowKind
  parentId: string | null
  /** With `parent`, of a variable. */
  before: Fields | null
  after: Fields | null
  /** What its user had seen of the row, where others had changed it since: done again, the edit goes over nothing else. */
  saw?: Fields
  /** The question about the row that was open when the edit was made: taken back, the edit leaves it open again. */
  asked?: Pick<Change, 'base' | 'conflict' | 'reason'>
  /** Entries that the edit took out of the queue: of the row, and operations on it. */
  dropped?: readonly Entry[]
}

/** One edit by the user: the unit of undo and redo. */
export interface Step {
  /** The label in a menu: "Delete 3 variables". */
  label: string
  /** A row before those below it: so parents come back first, and take their children along when they go. */
  images: readonly RowImage[]
  /** Instead of rows. */
  asked?: OperationStep
}

/** A snapshot, a rollback or a change of members that was queued as its own edit. */
export interface OperationStep {
  operation: NewOperation
  /** Its id in the queue, also when it has left it. */
  changeId: string
}

export type Direction = 'undo' | 'redo'
