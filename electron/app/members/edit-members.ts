import type { AppError } from '../../bridge/app-error.ts'
import type { Commands } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { allMembers, getMember, getMemberByRemote, putMember } from '../../mirror/members-layer.ts'
import { getMeta } from '../../mirror/meta.ts'
import { actsOf, memberActs } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { queueAct } from '../edits/queue-act.ts'
import { invalid, notFound } from '../edits/refusals.ts'

/** What every mail server takes, and no more is checked here: whether the address is anybody's only a message shows. */
const looksLikeEmail = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]+$/u

const fold = (email: string): string => email.toLowerCase()

/** Queues an invitation; gives the local id of the member that it will make. */
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
  const isLeaving = member !== undefined && actsOf(tx, member.id).some((act) => act.kind === 'remove')
  const isInvited = memberActs(tx).some((act) => act.kind === 'invite' && fold(act.detail.email) === fold(email))
  if ((member !== undefined && !isLeaving) || isInvited) return alreadyMember(email)
  const rowId = context.newId()
  queueAct(tx, context, { kind: 'invite', rowKind: 'member', rowId, ancestors: [], detail: { email, roleId } })
  return ok({ id: rowId })
}

const alreadyMember = (email: string): { ok: false; error: AppError } =>
  err({ kind: 'name-taken', name: email, message: `${email} is already a member or invited. Change their role in the list instead.` })

/** Queues another role. */
export function setRole(tx: Tx, context: EditContext, id: string, role: string): Result<null> {
  const member = getMember(tx, id)
  const acts = actsOf(tx, id)
  const invite = acts.find((act) => act.kind === 'invite')
  const roleId = role.trim()
  if (roleId === '') return invalid('roleId', 'Choose a role.')
  if (member === null && invite === undefined) return notFound('member')
  if (acts.some((act) => act.kind === 'remove')) {
    return err({ kind: 'invalid-input', message: 'The removal of this member is queued. Discard it first.' })
  }
  const email = member?.email ?? invite?.detail.email ?? ''
  const was = member?.role_id ?? invite?.detail.roleId ?? ''
  if (roleId === was && !acts.some((act) => act.kind === 'set-role')) return ok(null)
  queueAct(tx, context, { kind: 'set-role', rowKind: 'member', rowId: id, ancestors: [], detail: { email, roleId, was } })
  return ok(null)
}

/** Queues a removal, or takes back an invitation that was not sent. */
export function removeMember(tx: Tx, context: EditContext, id: string): Result<null> {
  const member = getMember(tx, id) ?? memberById(tx, context, id)
  const invite = actsOf(tx, id).find((act) => act.kind === 'invite')
  const email = member?.email ?? invite?.detail.email
  if (email === undefined) return notFound('member')
  const rowId = member?.id ?? id
  if (actsOf(tx, rowId).some((act) => act.kind === 'remove')) return ok(null)
  queueAct(tx, context, { kind: 'remove', rowKind: 'member', rowId, ancestors: [], detail: { email } })
  return ok(null)
}

/** Where the server lists no members, the user knows them by the server's ids. */
function memberById(tx: Tx, context: EditContext, remoteId: string) {
  if (getMeta(tx, 'no-member-list') === null || actsOf(tx, remoteId).length > 0) return null
  const known = getMemberByRemote(tx, remoteId)
  if (known !== null) return known
  const member = { id: context.newId(), remote_id: remoteId, email: remoteId, status: '', role_id: '', etag: null, created_at: null }
  putMember(tx, member)
  return member
}
