import type { Change, RowKind } from '../../queue/entry.ts'
import type { NewAct } from '../../queue/coalesce-operation.ts'
import type { Fields } from '../../queue/fields.ts'

/** One row as an edit found it and as it left it; null: not there. Values are sealed. */
export interface RowImage {
  id: string
  kind: RowKind
  parentId: string | null
  before: Fields | null
  after: Fields | null
  /** The question about the row that was open when the edit was made: taken back, the edit leaves it open again. */
  asked?: Pick<Change, 'base' | 'conflict' | 'reason'>
}

/** One edit of the user, whole: what is undone and redone at once. */
export interface Step {
  /** What the user did, as a menu says it: "Delete 3 variables". */
  label: string
  /** A row before those below it: so parents come back first, and take their children along when they go. */
  images: readonly RowImage[]
  /** Instead of rows. */
  act?: ActStep
}

/** A snapshot, a rollback or a change of members that was queued as its own edit. */
export interface ActStep {
  act: NewAct
  /** Where it stands, or last stood, in the queue. */
  changeId: string
}

export type Direction = 'undo' | 'redo'
