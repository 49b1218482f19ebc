import { seenRow, versionIdsBelow, type Seen } from '../../mirror/past-layer.ts'
import { changesOfRow, descendantEntries } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, workingChildren, workingRows } from '../../mirror/working-layer.ts'
import { isChange, type Change, type Entry, type Row } from '../../queue/entry.ts'
import { fieldNames, mergeableOf, sameField, type Fields } from '../../queue/fields.ts'
import type { RowImage } from './step.ts'

export interface Recorder {
  /**
   * Records a row before it is changed. Only the first call for a row counts. `below`: all rows below it too. `new`: the id is unused. A
   * revision: also records the row as a screen of that revision showed it.
   */
  remember(tx: Tx, rowId: string, how?: 'below' | 'new' | Seen): void
  /** Records an entry that the edit removed from the queue. */
  rememberDropped(entry: Entry): void
  /** Returns the recorded rows that changed, with their new state. Call it in the same transaction. */
  finish(tx: Tx): RowImage[]
}

/** Records one edit for undo. */
export function recordRows(): Recorder {
  const before = new Map<string, Row | null>()
  const unsent = new Map<string, readonly Change[]>()
  const dropped = new Map<string, Entry[]>()
  const seen = new Map<string, Row>()
  const versions = new Map<string, readonly string[]>()
  const look = (id: string, row: Row | null, changes: readonly Change[]) => {
    before.set(id, row)
    if (changes.length > 0) unsent.set(id, changes)
  }
  return {
    remember(tx, rowId, how) {
      if (before.has(rowId)) return
      if (how === 'new') return void before.set(rowId, null)
      const row = getWorking(tx, rowId)
      look(rowId, row, changesOfRow(tx, rowId))
      const saw = typeof how === 'number' ? seenRow(tx, rowId, how) : null
      if (saw !== null) seen.set(rowId, saw)
      if (row === null || how !== 'below') return
      const below = Map.groupBy(descendantEntries(tx, rowId).filter(isChange), (change) => change.rowId)
      for (const each of descendants(tx, row)) if (!before.has(each.id)) look(each.id, each, below.get(each.id) ?? [])
      versions.set(rowId, versionIdsBelow(tx, rowId))
    },
    rememberDropped(entry) {
      const rowId = entry.rowKind === 'version' ? entry.ancestors[0] : entry.rowId
      dropped.set(rowId, [...(dropped.get(rowId) ?? []), entry])
    },
    finish(tx) {
      const rows = workingRows(tx, [...before.keys()])
      return [...before].flatMap(([id, was]) => {
        const now = rows.get(id) ?? null
        const row = was ?? now
        const [before, after] = [was && mergeableOf(was), now && mergeableOf(now)]
        if (row === null || sameFields(before, after)) return []
        const [changes = [], gone, had = []] = [unsent.get(id), dropped.get(id), versions.get(id)]
        const open = changes.find(({ state }) => state === 'conflict')
        const asked = open && { base: open.base, conflict: open.conflict, reason: open.reason }
        const lost = after === null && changes.length > 0 ? changes : undefined
        const saw = seen.get(id) ?? null
        const shown = saw && mergeableOf(saw)
        const image = {
          id,
          kind: row.kind,
          parentId: row.parentId,
          before,
          after,
          ...(!sameFields(shown, before) && shown && { saw: shown }),
        }
        return [
          {
            ...image,
            ...(asked && { asked }),
            ...(lost && { unsent: lost }),
            ...(gone && { dropped: gone }),
            ...(had.length > 0 && { versions: had }),
          },
        ]
      })
    },
  }
}

/** Returns all rows below a row as the user sees them, parents first. */
function descendants(tx: Tx, row: Pick<Row, 'id' | 'kind'>): Row[] {
  if (row.kind === 'variable') return []
  const children = workingChildren(tx, row.kind === 'project' ? 'environment' : 'variable', row.id)
  return children.flatMap((child) => [child, ...descendants(tx, child)])
}

/** Whether two states of a row are known to be the same in every field. */
function sameFields(a: Fields | null, b: Fields | null): boolean {
  if (a === null || b === null) return a === b
  return fieldNames.every((field) => sameField(a[field], b[field]))
}
