import type { Change, Entry, Operation, RowKind } from '../../queue/entry.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Fields } from '../../queue/fields.ts'

/** One row before and after an edit; null: it did not exist. Values are sealed. */
export interface RowImage {
  id: string
  kind: RowKind
  parentId: string | null
  /** For a variable, with `parent`. */
  before: Fields | null
  after: Fields | null
  /** The row as the user saw it, if others had changed it since. A redo overwrites only these values. */
  saw?: Fields
  /** The open conflict of the row that the edit ended: undo opens it again. */
  asked?: Pick<Change, 'base' | 'conflict' | 'reason'>
  /**
   * For a deleted project or environment: the remote ids of the versions in it. A redo is refused if it has others. Missing for a row
   * deleted with its parent.
   */
  versions?: readonly string[]
  /** For a deleted row: its unsent changes, in order. */
  unsent?: readonly Change[]
  /** Entries that the edit removed from the queue: changes of the row, and operations on it. */
  dropped?: readonly Entry[]
}

/** Returns the image of a row with the unsent entries of another image of it; or with none. */
export function withEntriesOf(
  { asked: _asked, unsent: _unsent, dropped: _dropped, versions: _versions, ...image }: RowImage,
  { asked, unsent, dropped, versions }: Partial<RowImage> = {},
): RowImage {
  return { ...image, ...(asked && { asked }), ...(unsent && { unsent }), ...(dropped && { dropped }), ...(versions && { versions }) }
}

/** One edit by the user: the unit of undo and redo. */
export interface Step {
  /** The label in a menu: "Delete 3 variables". */
  label: string
  /** Parents before their children. */
  images: readonly RowImage[]
  /** The operation that was queued, instead of edited rows. */
  asked?: OperationStep
}

/** An operation that was queued as its own edit, and what that did to the unsent operations on the same member or version. */
export interface OperationStep {
  operation: NewOperation
  /** As they were: undo queues them again. */
  removed: readonly Operation[]
  /** Undo discards them, unless they have left the queue. */
  added: readonly Operation[]
}

export type Direction = 'undo' | 'redo'

/** A step that was undone or redone. */
export interface AppliedStep {
  /** As it is recorded now. */
  step: Step
  /** Local ids that had to change, old to new. */
  moved: ReadonlyMap<string, string>
  /** Nothing was left to change. */
  isIdle?: boolean
}
