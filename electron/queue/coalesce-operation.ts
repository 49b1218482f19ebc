import type { Operation } from './entry.ts'

type Without<Each, Key extends keyof Each> = Each extends unknown ? Omit<Each, Key> : never

/** An operation the user just asked for, before it is in the queue. */
export type NewOperation = Without<Operation, 'seq' | 'id' | 'state' | 'attempts' | 'nextAttemptAt' | 'reason' | 'conflict' | 'createdAt'>

/** What becomes of the queue: `dropped` leave it, `amended` gets another detail (null: none), and `add` is appended (null: nothing is). */
export interface CoalescedOperation {
  dropped: readonly Operation[]
  amended: { operation: Operation; detail: Operation['detail'] } | null
  add: NewOperation | null
}

/**
 * Merges a new operation on a member into those of that member that the service has not heard of: an invitation that is withdrawn leaves
 * nothing, one whose role is changed is another invitation, of two roles the last counts. Snapshots and rollbacks never merge: each marks
 * its place among the edits. `earlier`: the unsent operations on the same row, in order.
 */
export function coalesceOperation(earlier: readonly Operation[], next: NewOperation): CoalescedOperation {
  const last = earlier.at(-1)
  const added: CoalescedOperation = { dropped: [], amended: null, add: next }
  if (next.rowKind !== 'member' || last === undefined || last.rowKind !== 'member' || isKnown(last)) return added
  if (next.kind === 'remove') {
    const unheard = earlier.filter((operation) => !isKnown(operation))
    return { dropped: unheard, amended: null, add: unheard.some(foundNobody) ? null : next }
  }
  if (next.kind !== 'set-role') return added
  const { roleId } = next.detail
  // It met an existing member: that one's role is what changes now.
  if (last.kind === 'invite' && last.conflict !== null) return { dropped: [last], amended: null, add: next }
  if (last.kind === 'invite') {
    return { dropped: [], amended: { operation: last, detail: { email: last.detail.email, roleId } }, add: null }
  }
  if (last.kind !== 'set-role') return added
  const { email } = last.detail
  const base = last.detail.remote ?? last.detail.base
  if (roleId === base) return { dropped: [last], amended: null, add: null }
  return { dropped: [], amended: { operation: last, detail: { email, base, roleId } }, add: null }
}

/** An invitation that has not met a member: without it there is nobody to remove. */
const foundNobody = (operation: Operation): boolean => operation.kind === 'invite' && operation.conflict === null

/** Whether the service may have heard of it. */
const isKnown = (operation: Operation): boolean => operation.state === 'sending'
