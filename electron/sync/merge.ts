import { sameField } from '../queue/fields.ts'

/** A field that both sides changed differently. `field` is `row` if one side deleted the whole row. */
export interface FieldConflict {
  field: string
  was: unknown
  mine: unknown
  theirs: unknown
}

/**
 * The result of a three-way merge: the row with the changes of both sides, and the conflicts. In a conflict the row keeps the value of
 * `mine`.
 */
export interface Merged<Row> {
  row: Row | null
  conflicts: FieldConflict[]
}

/**
 * Merges two changes of one row field by field. `base` is the row that both sides started from (null: both created it); `mine` and `theirs`
 * are the row on each side (null: deleted there). A field that is `undefined` on one side is unknown there, and the other side's value is
 * kept. Equal results are no conflict; they keep the bytes of `theirs`.
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
