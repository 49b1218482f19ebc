import type { Change } from './entry.ts'
import { changedFields, fieldNames, pickFields } from './fields.ts'
import { touchedClaims, type Claim } from './natural-key.ts'
import type { Bytes } from './transition.ts'

/**
 * A change the user just made, before it is in the queue. Its `base` is the row as its user saw it (of a move with `parent`); null for a new
 * row or one that had not come yet.
 */
export type NewChange = Pick<Change, 'kind' | 'rowKind' | 'rowId' | 'ancestors' | 'patch' | 'base'> &
  Partial<Pick<Change, 'leaves' | 'seen'>>

/** What becomes of the queue: `add` appends, `amend` rewrites an unsent change, `drop` removes one; `nothing` leaves it. */
export type Coalesced = { do: 'add' } | { do: 'amend'; to: Required<Omit<Bytes, 'detail'>> } | { do: 'drop' } | { do: 'nothing' }

/** What the rest of the queue says about merging a new change into the last of its row. */
export interface Neighbours {
  /** A later change of a sibling touches a claim of one of the two, or a snapshot or rollback was queued between them. */
  crossed: boolean
  /** Something is queued below this row. */
  children: boolean
}

/** The claims that no sibling may have touched in between for two changes of a row to merge. */
export function claimsOfMerge(last: Change, next: NewChange): Claim[] {
  const own = touchedClaims({ ...next, leaves: next.leaves ?? [] })
  // A create takes its name along where it is moved.
  const moved = last.kind === 'create' ? touchedClaims({ ...last, ancestors: next.ancestors }) : []
  return [...touchedClaims(last), ...own, ...moved]
}

/**
 * Whether a request of it may still reach the service, or may have. That of a create can, long after it was looked for and not found, or could
 * not be looked for: the record then has its bytes, and a retry with others would be taken for a repeat of it. One that was surely refused counts
 * no attempts.
 */
export const mayBeUnderWay = ({ kind, state, attempts }: Change): boolean =>
  state === 'sending' || (kind === 'create' && (state === 'queued' || state === 'failed') && attempts > 0)

/**
 * Merges a new change into the last unsent change of its row where nobody could tell the difference: never one whose request may be under way,
 * never past a later change that touches one of the names involved, and never a delete of a row under which something else was queued.
 */
export function coalesce(last: Change | undefined, next: NewChange, { crossed, children }: Neighbours): Coalesced {
  // Saved as it was: what waits for its user goes on waiting.
  if (next.kind === 'update' && Object.keys(next.patch).length === 0) return { do: 'nothing' }
  if (last === undefined) return { do: 'add' }
  if (last.kind === 'delete' || mayBeUnderWay(last) || crossed) return { do: 'add' }
  if (next.kind === 'delete') return last.kind === 'create' && !children ? { do: 'drop' } : { do: 'add' }
  // A value that is to be sealed anew still is when what was typed over it is typed back.
  if (last.state === 'queued' && last.patch.value?.reseal === true && next.patch.value !== undefined) return { do: 'add' }
  const { ancestors } = next.patch.parent === undefined ? last : next
  if (last.kind === 'create') {
    const { parent: _parent, ...patch } = { ...last.patch, ...next.patch }
    return { do: 'amend', to: { patch, base: last.base, ancestors, leaves: [] } }
  }
  // A base of null says that the row was bound to a record met under its name: what the user chooses then depends on it.
  const added = fieldNames.filter((name) => next.patch[name] !== undefined && last.patch[name] === undefined)
  const base = last.base && { ...last.base, ...pickFields(next.base ?? {}, added) }
  const patch = changedFields(base ?? {}, { ...last.patch, ...next.patch })
  if (Object.keys(patch).length === 0 && last.conflict === null) return { do: 'drop' }
  const left = last.leaves.length > 0 ? last.leaves : (next.leaves ?? [])
  return { do: 'amend', to: { patch, base, ancestors, leaves: patch.parent === undefined ? [] : left } }
}
