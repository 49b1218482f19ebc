import { mayBeUnderWay } from './coalesce.ts'
import type { Life, Operation, Without } from './entry.ts'

/** An operation the user just asked for, before it is in the queue. */
export type NewOperation = Without<Operation, 'seq' | 'id' | 'createdAt' | keyof Life>

/** The changes to the queue for a new operation. `dropped` operations leave the queue, `amended` gets another detail, `add` is appended. */
export interface CoalescedOperation {
  dropped: readonly Operation[]
  amended: { operation: Operation; detail: Operation['detail'] } | null
  add: NewOperation | null
}

/**
 * Merges a new operation on a member into the unsent operations on that member. Removing an invited person drops the invitation, and a new
 * role amends it. Of two role changes the last one wins; one in conflict stays so, unless the new role is the remote one. Snapshots and
 * rollbacks never merge: each marks a point between edits. `earlier`: the unsent operations on the same row, in order.
 */
export function coalesceOperation(earlier: readonly Operation[], next: NewOperation): CoalescedOperation {
  const last = earlier.at(-1)
  const added: CoalescedOperation = { dropped: [], amended: null, add: next }
  if (next.rowKind !== 'member' || last === undefined || last.rowKind !== 'member') return added
  if (next.kind === 'remove') {
    const moot = earlier.filter(isMootOnceRemoved)
    return { dropped: moot, amended: null, add: moot.some(invitesNewMember) ? null : next }
  }
  if (next.kind !== 'set-role' || mayBeUnderWay(last)) return added
  const { roleId } = next.detail
  // The invitation met an existing member: the new role is for that member.
  if (last.kind === 'invite' && last.conflict !== null) return { dropped: [last], amended: null, add: next }
  if (last.kind === 'invite') {
    return { dropped: [], amended: { operation: last, detail: { email: last.detail.email, roleId } }, add: null }
  }
  if (last.kind !== 'set-role') return added
  const { base, remote = base } = last.detail
  if (roleId === remote) return { dropped: [last], amended: null, add: null }
  // In a conflict, the list shows the user their own role: the question about the remote one remains.
  return { dropped: [], amended: { operation: last, detail: { ...last.detail, roleId } }, add: null }
}

/** Whether an operation invites someone who is not a member yet: once it is dropped, there is no member to remove. */
const invitesNewMember = (operation: Operation): boolean => operation.kind === 'invite' && operation.conflict === null

/** Whether an operation no longer matters once its member is removed. An invitation that may have arrived has to be withdrawn. */
const isMootOnceRemoved = (operation: Operation): boolean =>
  operation.state !== 'sending' && !(operation.kind === 'invite' && mayBeUnderWay(operation))
