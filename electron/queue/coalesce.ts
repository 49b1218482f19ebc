import type { Change, Entry } from './entry.ts'
import { changedFields, fieldNames, sameField, type FieldName, type Fields } from './fields.ts'
import { touchedClaims, type Claim } from './natural-key.ts'
import type { Bytes } from './transition.ts'

/**
 * A change the user just made, before it is in the queue. `base`: the row as the user saw it, with `parent` for a move; null for a new row,
 * and for a row that sync had not pulled yet.
 */
export type NewChange = Pick<Change, 'kind' | 'rowKind' | 'rowId' | 'ancestors' | 'patch' | 'base'> &
  Partial<Pick<Change, 'leaves' | 'seen'>> & {
    /** The edit takes back another one. A question about a field ends if the field goes back to what the first edit had covered. */
    takesBack?: boolean
  }

/**
 * How a new change enters the queue: `add` appends it, `amend` rewrites the last unsent change of the row, `drop` removes that last change,
 * `nothing` leaves the queue as it is.
 */
export type Coalesced = { do: 'add' } | { do: 'amend'; to: Required<Omit<Bytes, 'detail'>> } | { do: 'drop' } | { do: 'nothing' }

/** Facts about the other entries that can keep a new change from merging into the last one of its row. */
export interface Neighbours {
  /** Between the two changes, a sibling's change touched a claim of either, or a snapshot or rollback was queued. */
  crossed: boolean
  /** Another entry is queued below this row. */
  children: boolean
  /** The fields of the row without its last change; null: it does not exist. */
  under: Fields | null
}

/** Returns the claims of two changes of a row. The changes merge only if no sibling's change between them touched one of these claims. */
export function claimsOfMerge(last: Change, next: NewChange): Claim[] {
  const own = touchedClaims({ ...next, leaves: next.leaves ?? [] })
  // A moved create claims its name in the new environment.
  const moved = last.kind === 'create' ? touchedClaims({ ...last, ancestors: next.ancestors }) : []
  return [...touchedClaims(last), ...own, ...moved]
}

/**
 * Whether a request for this entry may have reached the service, or may still reach it. A failed entry that the service certainly refused
 * has no attempts; one with attempts could not be reconciled. A create can arrive long after a reconcile found no record. The record then
 * has the old bytes, and the service treats a retry with new bytes as a repeat.
 */
export const mayBeUnderWay = ({ kind, state, attempts }: Pick<Entry, 'kind' | 'state' | 'attempts'>): boolean =>
  state === 'sending' || (attempts > 0 && (state === 'failed' || (kind === 'create' && state === 'queued')))

/**
 * Merges a new change into the last unsent change of its row, if nobody else can tell the difference. Two changes stay apart if the request
 * of the last one may be under way, if a later change touches one of their claims, or if the new one deletes a row with entries queued
 * below it.
 */
export function coalesce(last: Change | undefined, next: NewChange, { crossed, children, under }: Neighbours): Coalesced {
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
  const added = fieldNames.filter((name) => next.patch[name] !== undefined && last.patch[name] === undefined)
  // A field without a base in the new change was not on the screen: the user has not seen the base that the earlier change has for it.
  if (added.some((name) => last.base?.[name] !== undefined && next.base?.[name] === undefined)) return { do: 'add' }
  // In a conflict, the user saw their own edit, and a question about it. What they then type is an edit even if it is the former value. Without
  // a base of its own it would count as no edit, and the remote value would win without an answer.
  const isAsked = last.conflict?.kind === 'fields' && next.takesBack !== true
  const isTypedBack = (name: FieldName) => isAsked && next.patch[name] !== undefined && sameField(next.patch[name], last.base?.[name])
  const shown = fieldNames.filter((name) => added.includes(name) || isTypedBack(name)).map((name) => [name, next.base?.[name]])
  // A null base stays null: it marks a row that was bound to an existing record of its name, and the user's choice depends on it.
  const base = last.base && { ...last.base, ...Object.fromEntries(shown) }
  const patch = changedFields(base ?? {}, { ...last.patch, ...next.patch })
  // Others have made the same change in the meantime. Dropping the last change would leave the row as they made it, instead of setting it
  // back.
  const isTheirsToo = (name: FieldName) => last.patch[name] !== undefined && sameField(under?.[name], last.patch[name])
  if (fieldNames.some((name) => next.patch[name] !== undefined && patch[name] === undefined && isTheirsToo(name))) return { do: 'add' }
  if (Object.keys(patch).length === 0 && last.conflict === null) return { do: 'drop' }
  const left = last.leaves.length > 0 ? last.leaves : (next.leaves ?? [])
  return { do: 'amend', to: { patch, base, ancestors, leaves: patch.parent === undefined ? [] : left } }
}
