import type { Change, Entry, RowKind } from '../../queue/entry.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Fields } from '../../queue/fields.ts'

/** One row before and after an edit; null: it did not exist. Values are sealed. */
export interface RowImage {
  id: string
  kind: RowKind
  parentId: string | null
  /** With `parent`, of a variable. */
  before: Fields | null
  after: Fields | null
  /** The row as the user saw it, if others had changed it since: a redo overwrites nothing else. */
  saw?: Fields
  /** The open conflict of the row when the edit was made: undo opens it again. */
  asked?: Pick<Change, 'base' | 'conflict' | 'reason'>
  /** Of a deleted project or environment: the service’s ids of the versions in it. A redo deletes no others. Of what goes with its parent, the parent says it. */
  versions?: readonly string[]
  /** Of a deleted row: its changes that had not been sent, in order. */
  unsent?: readonly Change[]
  /** Entries that the edit removed from the queue: changes of the row, and operations on it. */
  dropped?: readonly Entry[]
}

/** One edit by the user: the unit of undo and redo. */
export interface Step {
  /** The label in a menu: "Delete 3 variables". */
  label: string
  /** Parents before their children: a restored parent comes first, and a removed one takes its children with it. */
  images: readonly RowImage[]
  /** Instead of rows. */
  asked?: OperationStep
}

/** A snapshot, a rollback or a change of members that was queued as its own edit. */
export interface OperationStep {
  operation: NewOperation
  /** The id of its entry, also after it has left the queue. */
  changeId: string
}

export type Direction = 'undo' | 'redo'
