import { sameField } from '../queue/fields.ts'

/** One field that both sides changed, each to something else. `field` is `row` when a whole row was deleted on one side. */
export interface FieldConflict {
  field: string
  was: unknown
  mine: unknown
  theirs: unknown
}

/** What a three-way merge gives: the row with every change that does not collide, and the collisions, in which the row keeps mine. */
export interface Merged<Row> {
  row: Row | null
  conflicts: FieldConflict[]
}

/**
 * Merges two changes of one row field by field.
 *
 * `base` is the row both sides started from (null: both created it), `mine` and `theirs` are the row
 * on each side (null: deleted there). A field that is `undefined` on a side is unknown there and never
 * merged: the other side's stands. Equal outcomes are no conflict; the service's bytes are kept for them.
 */
export function mergeRow<Row extends object>(base: Row | null, mine: Row | null, theirs: Row | null): Merged<Row> {
  if (mine === null && theirs === null) return { row: null, conflicts: [] }
  if (mine === null || theirs === null) {
    const kept = mine ?? theirs
    const untouched = base !== null && kept !== null && !differs(base, kept)
    if (untouched) return { row: null, conflicts: [] }
    if (base === null) return { row: kept, conflicts: [] }
    return { row: mine, conflicts: [{ field: 'row', was: base, mine, theirs }] }
  }
  const row: Record<string, unknown> = {}
  const conflicts: FieldConflict[] = []
  const was = asRecord(base ?? {})
  const ours = asRecord(mine)
  const others = asRecord(theirs)
  for (const field of new Set([...Object.keys(others), ...Object.keys(ours)])) {
    const [b, m, t] = [was[field], ours[field], others[field]]
    if (t === undefined) {
      if (m !== undefined) row[field] = m
    } else if (m === undefined || sameField(m, t)) row[field] = t
    else if (base !== null && sameField(m, b)) row[field] = t
    else if (base !== null && sameField(t, b)) row[field] = m
    else {
      row[field] = m
      conflicts.push({ field, was: b, mine: m, theirs: t })
    }
  }
  return { row: row as Row, conflicts }
}

/** Whether a field known on both sides is different. */
function differs(a: object, b: object): boolean {
  const [left, right] = [asRecord(a), asRecord(b)]
  return Object.keys(left).some((field) => left[field] !== undefined && right[field] !== undefined && !sameField(left[field], right[field]))
}

const asRecord = (row: object): Record<string, unknown> => row as Record<string, unknown>
