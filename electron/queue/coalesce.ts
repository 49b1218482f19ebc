import type { Change } from './entry.ts'
import { changedFields, fieldNames, pickFields } from './fields.ts'
import { touchedClaims, type Claim } from './natural-key.ts'
import type { Bytes } from './transition.ts'

/**
 * A change the user just made, before it is in the queue. `base`: the row as the user saw it (of a move with `parent`); null for a new row,
 * or one that sync had not pulled yet.
 */
export type NewChange = Pick<Change, 'kind' | 'rowKind' | 'rowId' | 'ancestors' | 'patch' | 'base'> &
  Partial<Pick<Change, 'leaves' | 'seen'>>

/**
 * How a new change enters the queue: `add` appends it, `amend` rewrites the last unsent change, `drop` removes that one, `nothing` leaves
 * all as it is.
 */
export type Coalesced = { do: 'add' } | { do: 'amend'; to: Required<Omit<Bytes, 'detail'>> } | { do: 'drop' } | { do: 'nothing' }

/** Facts about the other entries that can keep a new change from merging into the last one of its row. */
export interface Neighbours {
  /** A later change of a sibling touches a claim of one of the two, or a snapshot or rollback was queued between them. */
  crossed: boolean
  /** Another entry is queued below this row. */
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
 * Whether a request of this change may have reached the service, or may reach it yet. A create can arrive long after a reconcile found no
 * record or could not be made: the record then has the old bytes, and the service would take a retry with new ones for a repeat. A create
 * that was surely refused counts no attempts.
 */
export const mayBeUnderWay = ({ kind, state, attempts }: Change): boolean =>
  state === 'sending' || (kind === 'create' && (state === 'queued' || state === 'failed') && attempts > 0)

/**
 * Merges a new change into the last unsent change of its row where that makes no difference to others: never into one whose request may be
 * under way, never past a later change that touches one of the names involved, and never a delete of a row with entries queued below it.
 */
export function coalesce(last: Change | undefined, next: NewChange, { crossed, children }: Neighbours): Coalesced {
  // The row was saved unchanged: a parked change stays parked.
  if (next.kind === 'update' && Object.keys(next.patch).length === 0) return { do: 'nothing' }
  if (last === undefined) return { do: 'add' }
  if (last.kind === 'delete' || mayBeUnderWay(last) || crossed) return { do: 'add' }
  if (next.kind === 'delete') return last.kind === 'create' && !children ? { do: 'drop' } : { do: 'add' }
  // Amending would lose the reseal if the user then typed the old value back.
  if (last.state === 'queued' && last.patch.value?.reseal === true && next.patch.value !== undefined) return { do: 'add' }
  const { ancestors } = next.patch.parent === undefined ? last : next
  if (last.kind === 'create') {
    const { parent: _parent, ...patch } = { ...last.patch, ...next.patch }
    return { do: 'amend', to: { patch, base: last.base, ancestors, leaves: [] } }
  }
  // A null base marks a row that was bound to an existing record of its name: the user's choice depends on it.
  const added = fieldNames.filter((name) => next.patch[name] !== undefined && last.patch[name] === undefined)
  // The user has not seen the base of a field that was not on the screen, even if the earlier change has it.
  if (added.some((name) => last.base?.[name] !== undefined && next.base?.[name] === undefined)) return { do: 'add' }
  const base = last.base && { ...last.base, ...pickFields(next.base ?? {}, added) }
  const patch = changedFields(base ?? {}, { ...last.patch, ...next.patch })
  if (Object.keys(patch).length === 0 && last.conflict === null) return { do: 'drop' }
  const left = last.leaves.length > 0 ? last.leaves : (next.leaves ?? [])
  return { do: 'amend', to: { patch, base, ancestors, leaves: patch.parent === undefined ? [] : left } }
}
