import type { AppError } from '../../bridge/app-error.ts'
import type { Commands } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { allMembers, getMember, getMemberByRemote, putMember } from '../../mirror/members-layer.ts'
import { lacksList } from '../capabilities/limit-of.ts'
import { operationsOf, memberOperations } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { mayBeUnderWay } from '../../queue/coalesce.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { queueOperation } from '../edits/queue-operation.ts'
import { invalid, notFound } from '../edits/refusals.ts'

/** Accepts all addresses that mail servers accept. Only a message shows whether an address exists. */
const looksLikeEmail = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]+$/u

const fold = (email: string): string => email.toLowerCase()

/** Queues an invitation. Returns the local id of the future member. */
export function inviteMember(
  tx: Tx,
  context: EditContext,
  input: Omit<Commands['members.invite']['args'], 'workspaceId'>,
): Result<{ id: string }> {
  const email = input.email.trim()
  const roleId = input.roleId.trim()
  if (!looksLikeEmail.test(email)) return invalid('email', 'Enter a valid email address, such as name@example.com.')
  if (roleId === '') return invalid('roleId', 'Choose a role for the new member.')
  const member = allMembers(tx).find((each) => fold(each.email) === fold(email))
  const isLeaving = member !== undefined && operationsOf(tx, member.id).some((operation) => operation.kind === 'remove')
  const isInvited = memberOperations(tx).some((operation) => operation.kind === 'invite' && fold(operation.detail.email) === fold(email))
  if ((member !== undefined && !isLeaving) || isInvited) return alreadyMember(email, isInvited || member?.status === 'invited')
  const rowId = context.newId()
  queueOperation(tx, context, { kind: 'invite', rowKind: 'member', rowId, ancestors: [], detail: { email, roleId } })
  return ok({ id: rowId })
}

const alreadyMember = (email: string, isInvited: boolean): { ok: false; error: AppError } =>
  err({
    kind: 'name-taken',
    message: `${email} is already ${isInvited ? 'invited' : 'a member'}. Change their role in the list instead.`,
  })

/** Queues a new role, based on the role that the user saw. */
export function setRole(
  tx: Tx,
  context: EditContext,
  { id, seen, roleId: role }: Omit<Commands['members.set-role']['args'], 'workspaceId'>,
): Result<null> {
  const member = getMember(tx, id)
  const operations = operationsOf(tx, id)
  const invite = operations.find((operation) => operation.kind === 'invite')
  const roleId = role.trim()
  if (roleId === '') return invalid('roleId', 'Choose a role.')
  const known = member === null ? invite?.detail : { email: member.email, roleId: member.role_id }
  if (known === undefined) return notFound('member')
  if (operations.some((operation) => operation.kind === 'remove')) {
    return err({ kind: 'invalid-input', message: 'The removal of this member is queued. Discard it first.' })
  }
  const earlier = operations.filter((operation) => operation.kind === 'set-role')
  if (earlier.length === 0 && roleId === known.roleId) return ok(null)
  // A role of their own that may have been sent is the base of the new one.
  const base = earlier.findLast(mayBeUnderWay)?.detail.roleId ?? seen
  const detail = { email: known.email, roleId, base }
  queueOperation(tx, context, { kind: 'set-role', rowKind: 'member', rowId: id, ancestors: [], detail })
  return ok(null)
}

/** Queues a removal, or drops an unsent invitation. */
export function removeMember(tx: Tx, context: EditContext, id: string): Result<null> {
  const member = getMember(tx, id) ?? memberById(tx, context, id)
  const invite = operationsOf(tx, id).find((operation) => operation.kind === 'invite')
  const email = member?.email ?? invite?.detail.email
  if (email === undefined) return notFound('member')
  const rowId = member?.id ?? id
  if (operationsOf(tx, rowId).some((operation) => operation.kind === 'remove')) return ok(null)
  queueOperation(tx, context, { kind: 'remove', rowKind: 'member', rowId, ancestors: [], detail: { email } })
  return ok(null)
}

/** Returns the member with this remote id, which users enter if the service doesn't list members. Adds an unknown one, with only its id. */
function memberById(tx: Tx, context: EditContext, remoteId: string) {
  if (!lacksList(tx, 'members') || operationsOf(tx, remoteId).length > 0) return null
  const known = getMemberByRemote(tx, remoteId)
  if (known !== null) return known
  const member = { id: context.newId(), remote_id: remoteId, email: remoteId, status: '', role_id: '', etag: null, created_at: null }
  putMember(tx, member)
  return member
}
