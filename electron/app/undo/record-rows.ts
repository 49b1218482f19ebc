import { versionIdsBelow } from '../../mirror/past-layer.ts'
import { changesOfRow, descendantEntries, rowsInConflict } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, workingChildren, workingRows } from '../../mirror/working-layer.ts'
import { isChange, type Change, type Entry, type Row } from '../../queue/entry.ts'
import { mergeableOf, sameFields } from '../../queue/fields.ts'
import type { RowImage } from './step.ts'

export interface Recorder {
  /**
   * Records a row before it is changed. Only the first call for a row counts. `below`: all rows below it too. `new`: the id is unused. A
   * row: how a screen showed it; null: the screen did not show it.
   */
  remember(tx: Tx, rowId: string, how?: 'below' | 'new' | Row | null): void
  /** Records an entry that the edit removed from the queue. */
  rememberDropped(entry: Entry): void
  /** Returns the recorded rows that changed, with their new state. Call it in the same transaction. */
  finish(tx: Tx): RowImage[]
}

/** A row before an edit changes it. */
interface Recorded {
  before: Row | null
  unsent: readonly Change[]
  saw: Row | null
  versions: readonly string[]
}

/** What the edit has left of a row. */
interface Left {
  now: Row | null
  dropped: readonly Entry[] | undefined
  isInConflict: boolean
}

const nothing: Recorded = { before: null, unsent: [], saw: null, versions: [] }

/** Records one edit for undo. */
export function recordRows(): Recorder {
  const recorded = new Map<string, Recorded>()
  const dropped = new Map<string, Entry[]>()
  return {
    remember(tx, rowId, how) {
      if (recorded.has(rowId)) return
      if (how === 'new') return void recorded.set(rowId, nothing)
      const before = getWorking(tx, rowId)
      const saw = typeof how === 'object' ? how : null
      const row = { before, unsent: changesOfRow(tx, rowId), saw, versions: [] }
      recorded.set(rowId, row)
      if (before === null || how !== 'below') return
      recorded.set(rowId, { ...row, versions: versionIdsBelow(tx, rowId) })
      const unsent = Map.groupBy(descendantEntries(tx, rowId).filter(isChange), (change) => change.rowId)
      for (const below of descendants(tx, before))
        if (!recorded.has(below.id)) recorded.set(below.id, { ...nothing, before: below, unsent: unsent.get(below.id) ?? [] })
    },
    rememberDropped(entry) {
      const rowId = entry.rowKind === 'version' ? entry.ancestors[0] : entry.rowId
      dropped.set(rowId, [...(dropped.get(rowId) ?? []), entry])
    },
    finish(tx) {
      const rows = workingRows(tx, [...recorded.keys()])
      // Few rows had a conflict: the others need no look at the queue.
      const before = [...recorded].flatMap(([id, { unsent }]) => (unsent.some(isConflict) ? [id] : []))
      const after = before.length === 0 ? null : rowsInConflict(tx, before)
      return [...recorded].flatMap(([id, row]) => {
        const left = { now: rows.get(id) ?? null, dropped: dropped.get(id), isInConflict: after?.has(id) === true }
        return imageOf(row, left) ?? []
      })
    },
  }
}

const isConflict = ({ state }: Change): boolean => state === 'conflict'

/** Returns the image of a row; null: the edit did not change it. */
function imageOf({ before: was, unsent, saw, versions }: Recorded, { now, dropped, isInConflict }: Left): RowImage | null {
  const row = was ?? now
  const [before, after, shown] = [was && mergeableOf(was), now && mergeableOf(now), saw && mergeableOf(saw)]
  if (row === null || sameFields(before, after)) return null
  // If the conflict is still open after the edit, undo must not open it again: the user may have resolved it since.
  const ended = isInConflict ? undefined : unsent.find(isConflict)
  return {
    id: row.id,
    kind: row.kind,
    parentId: row.parentId,
    before,
    after,
    ...(shown && !sameFields(shown, before) && { saw: shown }),
    ...(ended && { asked: { base: ended.base, conflict: ended.conflict, reason: ended.reason } }),
    ...(after === null && unsent.length > 0 && { unsent }),
    ...(dropped && { dropped }),
    ...(versions.length > 0 && { versions }),
  }
}

/** Returns all rows below a row as the user sees them, parents first. */
function descendants(tx: Tx, row: Pick<Row, 'id' | 'kind'>): Row[] {
  if (row.kind === 'variable') return []
  const children = workingChildren(tx, row.kind === 'project' ? 'environment' : 'variable', row.id)
  return children.flatMap((child) => [child, ...descendants(tx, child)])
}
