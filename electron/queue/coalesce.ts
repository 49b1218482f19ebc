import { isAttempted, isParked, mayHaveActed, type Change } from './entry.ts'
import { changedFields, fieldNames, pickFields, type Fields } from './fields.ts'
import { touchedKeys } from './natural-key.ts'

/**
 * A change the user just made, before it has a place in the queue. Its `base` is the row as its user saw it; null where that is no new row: one
 * that had not come yet.
 */
export type NewChange = Pick<Change, 'kind' | 'rowKind' | 'rowId' | 'ancestors' | 'patch' | 'base' | 'after'>

/**
 * What becomes of the queue: `add` appends, `amend` rewrites an unsent change, `drop` removes one; `nothing` leaves it.
 * An amended change that the server had refused is `requeue`d under a new id: the same Idempotency-Key with another body is an error.
 */
export type Coalesced =
  | { do: 'add'; change: NewChange }
  | { do: 'amend'; id: string; patch: Fields; base: Fields | null; requeue: boolean }
  | { do: 'drop'; id: string }
  | { do: 'nothing' }

/** What the rest of the queue says about merging a new change into the last of its row. */
export interface Neighbours {
  /** A later change of a sibling claims or frees a natural key that one of the two touches, or a snapshot or rollback stands between them. */
  crossed: boolean
  /** Something is queued under this row. */
  children: boolean
}

/** The natural keys that must not have been touched in between for two changes of a row to merge. */
export const keysOfMerge = (last: Change, next: NewChange): string[] => [
  ...new Set([...touchedKeys(last), ...touchedKeys({ ...last, kind: next.kind, patch: next.patch, base: next.base })]),
]

/**
 * Merges a new change into the last unsent change of its row where nobody could tell the difference:
 * never one that may have reached the server, never past a later change that claims or frees one of
 * the names involved, and never a delete of a row under which something else was queued.
 */
export function coalesce(last: Change | undefined, next: NewChange, { crossed, children }: Neighbours): Coalesced {
  if (last === undefined) {
    return next.kind === 'update' && Object.keys(next.patch).length === 0 ? { do: 'nothing' } : { do: 'add', change: next }
  }
  const mayMerge = last.kind !== 'delete' && (isParked(last) ? !mayHaveActed(last) : !isAttempted(last)) && !crossed
  if (!mayMerge) return { do: 'add', change: next }
  if (next.kind === 'delete') {
    return last.kind === 'create' && !children ? { do: 'drop', id: last.id } : { do: 'add', change: next }
  }
  const patch = { ...last.patch, ...next.patch }
  const requeue = last.state === 'failed'
  if (last.kind === 'create') return { do: 'amend', id: last.id, patch, base: last.base, requeue }
  // A base of null says that the row was bound to a record met under its name: what the user chooses then depends on it.
  const added = fieldNames.filter((name) => next.patch[name] !== undefined && last.patch[name] === undefined)
  const base = last.base && { ...last.base, ...pickFields(next.base ?? {}, added) }
  const still = changedFields(base ?? {}, patch)
  const reverted = Object.keys(still).length === 0 && last.conflict === null
  return reverted ? { do: 'drop', id: last.id } : { do: 'amend', id: last.id, patch: still, base, requeue }
}
