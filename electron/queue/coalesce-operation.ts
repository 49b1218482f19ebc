import { isAttempted, isParked, type Act } from './entry.ts'

type Without<Each, Key extends keyof Each> = Each extends unknown ? Omit<Each, Key> : never

/** An act the user just asked for, before it has a place in the queue. */
export type NewAct = Without<Act, 'seq' | 'id' | 'state' | 'attempts' | 'nextAttemptAt' | 'reason' | 'conflict' | 'createdAt'>

/** What becomes of the queue: `amended` is rewritten under a new id (null: none), `dropped` leave it, and `add` is appended (null: nothing is). */
export interface CoalescedAct {
  dropped: readonly Act[]
  amended: Act | null
  add: NewAct | null
}

/**
 * Merges a new act on a member into those of that member that nobody has heard of yet: an invitation that is taken back leaves nothing,
 * one whose role is changed is another invitation, of two roles the last counts. Snapshots and rollbacks never merge: each marks its
 * place among the edits. `earlier`: the unsent acts on the same row, in order.
 */
export function coalesceAct(earlier: readonly Act[], next: NewAct): CoalescedAct {
  const last = earlier.at(-1)
  const added: CoalescedAct = { dropped: [], amended: null, add: next }
  if (next.rowKind !== 'member' || last === undefined || last.rowKind !== 'member' || isKnown(last)) return added
  if (next.kind === 'remove') {
    const unheard = earlier.filter((act) => !isKnown(act))
    return { dropped: unheard, amended: null, add: unheard.some(foundNobody) ? null : next }
  }
  if (next.kind !== 'set-role') return added
  const { roleId } = next.detail
  // It met who is a member already: that one's role is what changes now.
  if (last.kind === 'invite' && last.conflict !== null) return { dropped: [last], amended: null, add: next }
  if (last.kind === 'invite') return { dropped: [], amended: { ...last, detail: { email: last.detail.email, roleId } }, add: null }
  if (last.kind !== 'set-role') return added
  const { email } = last.detail
  const was = last.detail.theirs ?? last.detail.was
  if (roleId === was) return { dropped: [last], amended: null, add: null }
  return { dropped: [], amended: { ...last, detail: { email, was, roleId } }, add: null }
}

/** An invitation that has not met a member: without it there is nobody to remove. */
const foundNobody = (act: Act): boolean => act.kind === 'invite' && act.conflict === null

/** Whether the server may have heard of it, and the outcome still counts. */
const isKnown = (act: Act): boolean => isAttempted(act) && !isParked(act)
