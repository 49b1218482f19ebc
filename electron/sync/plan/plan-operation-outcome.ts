import type { Conflict, InviteOperation, Operation, RemoveOperation, SetRoleOperation } from '../../queue/entry.ts'
import type { Outcome, RemoteMemberRow } from '../port.ts'
import { conflictReason } from './conflict-reason.ts'
import { maxRetries, reject, waitForPull } from './plan-retry.ts'
import type { AnswerFacts, Step } from './step.ts'

const removedRemotely = 'This member was removed on the service. Choose whether to invite them again.'
const roleChanged = 'Someone gave this member another role. Choose which one to keep.'
const alreadyMember = 'They are already a member, with another role. Choose which role to keep.'
export const versionDeleted = 'This version no longer exists on the service, so there’s nothing to roll back to. Discard this rollback.'

/** Returns the steps for an outcome that operations handle in their own way. */
export function planOperationOutcome(operation: Operation, outcome: Outcome, facts: AnswerFacts): Step[] {
  switch (operation.kind) {
    case 'snapshot':
      if (outcome.is === 'confirmed') return confirm(operation, ...versionOf(outcome, operation.rowId))
      return outcome.is === 'taken' ? [reject(operation, outcome.message, facts)] : wait(operation, outcome, facts)
    case 'rollback':
      if (outcome.is === 'confirmed' && outcome.counts) {
        return [{ do: 'advance', entry: operation, event: { is: 'done', said: outcome.counts } }]
      }
      return outcome.is === 'missing' ? [reject(operation, versionDeleted, facts)] : wait(operation, outcome, facts)
    case 'invite':
      return planInvite(operation, outcome, facts)
    case 'set-role':
      return planRole(operation, outcome, facts)
    case 'remove':
      return planRemoval(operation, outcome, facts)
  }
}

const versionOf = (outcome: Outcome, id: string): Step[] =>
  outcome.is === 'confirmed' && outcome.version ? [{ do: 'write-version', version: outcome.version, id }] : []

const confirm = (entry: Operation, ...steps: Step[]): Step[] => [...steps, { do: 'advance', entry, event: { is: 'confirm' } }]

const wait = (entry: Operation, outcome: Outcome, facts: AnswerFacts): Step[] => {
  const reason = 'message' in outcome ? outcome.message : null
  return [waitForPull(entry, reason, reason ?? 'The service keeps refusing this. Discard it, or try again later.', facts)]
}

const writeMember = (member: RemoteMemberRow | null | undefined, id: string): Step[] =>
  member == null ? [] : [{ do: 'write-member', member, id }]

type RoleOperation = InviteOperation | SetRoleOperation

/** Parks an operation when both sides gave the member different roles, or others removed the member. */
function parkRole(operation: RoleOperation, kind: Conflict['kind'], member: RemoteMemberRow | null, reason: string): Step {
  const conflict: Conflict = { kind, remote: null, by: null }
  const detail = member === null ? operation.detail : { ...operation.detail, remote: member.roleId }
  return { do: 'advance', entry: operation, event: { is: 'park', conflict, reason, detail } }
}

function planInvite(operation: InviteOperation, outcome: Outcome, facts: AnswerFacts): Step[] {
  if (outcome.is === 'confirmed') return confirm(operation, ...writeMember(outcome.member, operation.rowId))
  if (outcome.is !== 'taken') return wait(operation, outcome, facts)
  const { member = null, message } = outcome
  if (member === null) return [reject(operation, message, facts)]
  const steps = writeMember(member, operation.rowId)
  if (member.roleId === operation.detail.roleId) return confirm(operation, ...steps)
  return [...steps, parkRole(operation, 'name-taken', member, alreadyMember)]
}

function planRole(operation: SetRoleOperation, outcome: Outcome, facts: AnswerFacts): Step[] {
  const { rowId, detail } = operation
  if (outcome.is === 'confirmed') return confirm(operation, ...writeMember(outcome.member, rowId))
  const isRemoved = outcome.is === 'missing' || (outcome.is === 'stale' && outcome.member == null)
  if (isRemoved) return [{ do: 'delete-member', id: rowId }, parkRole(operation, 'deleted-remotely', null, removedRemotely)]
  if (outcome.is !== 'stale' || outcome.member == null) return wait(operation, outcome, facts)
  const steps = writeMember(outcome.member, rowId)
  if (outcome.member.roleId === detail.roleId) return confirm(operation, ...steps)
  if (outcome.member.roleId !== detail.base) return [...steps, parkRole(operation, 'fields', outcome.member, roleChanged)]
  if (facts.timesStale >= maxRetries) return [...steps, reject(operation, conflictReason('fields'), facts)]
  return [...steps, { do: 'advance', entry: operation, event: { is: 'delay', nextAttemptAt: null, reason: null } }]
}

function planRemoval(operation: RemoveOperation, outcome: Outcome, facts: AnswerFacts): Step[] {
  const { rowId, detail } = operation
  if (outcome.is === 'confirmed') return confirm(operation, { do: 'delete-member', id: rowId })
  if (outcome.is === 'stale' && outcome.member != null) return [...writeMember(outcome.member, rowId), ...wait(operation, outcome, facts)]
  if (outcome.is !== 'missing' && outcome.is !== 'stale') return wait(operation, outcome, facts)
  // Only the id that the user typed is known of this member. A service without such a member may mean a typing mistake.
  if (facts.memberStatus(rowId) === '') {
    return [reject(operation, `The service has no member with the ID ${detail.email}. Check the ID, then discard this removal.`, facts)]
  }
  return confirm(operation, { do: 'delete-member', id: rowId })
}
