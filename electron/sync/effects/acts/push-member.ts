import { deleteMember, getMember, getMemberByRemote, putMember, rebindMember } from '../../../mirror/members-layer.ts'
import type { Tx } from '../../../mirror/tx.ts'
import type { RemoteError, RemoteMember } from '../../../remote/remote.ts'
import type { InviteAct, RemoveAct, SetRoleAct } from '../../../queue/entry.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { everyPage } from '../every-page.ts'
import { maxAttempts, type Pushed } from '../push-change.ts'
import { blockActs, endFailed, isNoList, lookAgainLater, parkAct, parkConflict, requeueAct, retryActLater, settleAct } from './act-ends.ts'
import { applyMember } from './apply-member.ts'

const unknownInvite =
  'Whether this invitation was sent is not known: the answer was lost, and this service lists no members to look in. Look there, then try again or discard it.'
const removedThere = 'This member was removed on the service. Choose whether to invite them again.'
const roleChanged = 'Somebody gave this member another role on the service. Choose which one to keep.'
const memberAlready = 'They are a member already, with another role. Choose which role to keep.'

const unknownMember = (id: string): string => `The service has no member with the ID ${id}. Check the ID, then discard this removal.`

type MemberAct = InviteAct | SetRoleAct | RemoveAct

/** Sends a change of members that is under way. */
export function pushMember(deps: EngineDeps, act: MemberAct): Promise<Pushed> {
  if (act.kind === 'invite') return pushInvite(deps, act)
  return act.kind === 'set-role' ? pushRole(deps, act) : pushRemoval(deps, act)
}

/** Settles one whose outcome is unknown: looks in the list of members. `error`: what hid the outcome. */
export async function lookAtMember(deps: EngineDeps, act: MemberAct, error: RemoteError | null): Promise<Pushed> {
  const listed = await everyPage((cursor) => deps.remote.listMembers(cursor))
  if (!listed.ok) return isNoList(listed.error) ? withoutList(deps, act, error) : lookAgainLater(deps, act, listed.error)
  const decided = deps.mirror.snapshot((tx) => decide(tx, act, listed.value, error))
  const again = (): Pushed => (error === null ? requeueAct(deps, act, null) : retryActLater(deps, act, error))
  const { member } = decided
  const keep = (tx: Tx) => (member === null ? deleteMember(tx, act.rowId) : bind(tx, act, member))
  switch (decided.do) {
    case 'settle':
      return settleAct(deps, act, keep)
    case 'send':
      if (member !== null) deps.mirror.write((tx) => applyMember(tx, member, () => deps.newId()))
      // After a failed If-Match the list has brought the new ETag; a 404 for a member that is there means that the route is not.
      if (error?.kind === 'stale' && act.attempts < maxAttempts) return requeueAct(deps, act, null)
      return error?.kind === 'missing' ? blockActs(deps, act) : again()
    case 'choose':
      deps.mirror.write(keep)
      return parkChoice(deps, act, member)
  }
}

interface Decided {
  do: 'settle' | 'choose' | 'send'
  member: RemoteMember | null
}

/** What the members of the server mean for an act. */
function decide(tx: Tx, act: MemberAct, members: readonly RemoteMember[], error: RemoteError | null): Decided {
  const remoteId = getMember(tx, act.rowId)?.remote_id
  const byEmail = members.find((each) => each.email.toLowerCase() === act.detail.email.toLowerCase())
  const member = (act.kind === 'invite' ? byEmail : members.find((each) => each.id === remoteId)) ?? null
  // A list may have been cut short: that somebody is not in it proves nothing until the removal itself finds nobody.
  if (act.kind === 'remove') return member === null && error?.kind === 'missing' ? { do: 'settle', member } : { do: 'send', member }
  if (member === null) return act.kind === 'invite' ? { do: 'send', member } : { do: 'choose', member }
  if (member.roleId === act.detail.roleId) return { do: 'settle', member }
  if (act.kind === 'set-role' && member.roleId === act.detail.was) return { do: 'send', member }
  return { do: 'choose', member }
}

/** A role and a removal may be asked for twice; an invitation may not. */
function withoutList(deps: EngineDeps, act: MemberAct, error: RemoteError | null): Pushed {
  if (act.kind === 'invite') return parkAct(deps, act, error?.kind === 'taken' ? error.message : unknownInvite)
  if (act.kind === 'remove' && error?.kind === 'missing') {
    // Known by nothing but the id that somebody typed: that nobody has it may be a slip.
    if (deps.mirror.snapshot((tx) => getMember(tx, act.rowId))?.status === '') return parkAct(deps, act, unknownMember(act.detail.email))
    return settleAct(deps, act, (tx) => deleteMember(tx, act.rowId))
  }
  if (act.kind === 'set-role' && error?.kind === 'missing') return blockActs(deps, act)
  return error === null ? requeueAct(deps, act, null) : retryActLater(deps, act, error)
}

function parkChoice(deps: EngineDeps, act: MemberAct, member: RemoteMember | null): Pushed {
  if (act.kind === 'remove') return requeueAct(deps, act, null)
  const by = member?.updatedBy ?? null
  if (member === null) return parkConflict(deps, act, { kind: 'deleted-remotely', theirs: null, by }, removedThere)
  const theirs = member.roleId
  if (act.kind === 'invite') {
    const parked: InviteAct = { ...act, detail: { ...act.detail, theirs } }
    return parkConflict(deps, parked, { kind: 'name-taken', theirs: null, by }, memberAlready)
  }
  const parked: SetRoleAct = { ...act, detail: { ...act.detail, theirs } }
  return parkConflict(deps, parked, { kind: 'fields', theirs: null, by }, roleChanged)
}

/** The member takes the local id that the user knows the invitation by. */
function bind(tx: Tx, act: MemberAct, member: RemoteMember): void {
  const known = getMemberByRemote(tx, member.id)
  if (known !== null && known.id !== act.rowId) rebindMember(tx, known.id, act.rowId)
  applyMember(tx, member, () => act.rowId)
}

async function pushInvite(deps: EngineDeps, act: InviteAct): Promise<Pushed> {
  const { email, roleId } = act.detail
  const sent = await deps.remote.inviteMember({ email, roleId }, { idempotencyKey: act.id })
  if (sent.ok) return settleAct(deps, act, (tx) => bind(tx, act, sent.value))
  if (sent.error.kind === 'missing') return blockActs(deps, act)
  return endFailed(deps, act, sent.error, () => lookAtMember(deps, act, sent.error))
}

async function pushRole(deps: EngineDeps, act: SetRoleAct): Promise<Pushed> {
  const unread = await rereadUnguarded(deps, act)
  if (unread !== null) return lookAgainLater(deps, act, unread)
  const member = deps.mirror.snapshot((tx) => getMember(tx, act.rowId))
  if (member === null) return parkConflict(deps, act, { kind: 'deleted-remotely', theirs: null, by: null }, removedThere)
  if (member.role_id !== act.detail.was) {
    if (member.role_id === act.detail.roleId) return settleAct(deps, act, () => undefined)
    const parked: SetRoleAct = { ...act, detail: { ...act.detail, theirs: member.role_id } }
    return parkConflict(deps, parked, { kind: 'fields', theirs: null, by: null }, roleChanged)
  }
  const options = { ifMatch: member.etag ?? undefined }
  const sent = await deps.remote.updateMember(member.remote_id, { roleId: act.detail.roleId }, options)
  if (sent.ok) return settleAct(deps, act, (tx) => putMember(tx, { ...member, ...columnsOf(sent.value) }))
  return endFailed(deps, act, sent.error, () => lookAtMember(deps, act, sent.error))
}

/** Without an ETag nothing but a look tells that somebody gave the member another role since; gives why a list that is there could not be read. */
async function rereadUnguarded(deps: EngineDeps, act: SetRoleAct): Promise<RemoteError | null> {
  const known = deps.mirror.snapshot((tx) => getMember(tx, act.rowId))
  if (known === null || known.etag !== null) return null
  const listed = await everyPage((cursor) => deps.remote.listMembers(cursor))
  if (!listed.ok && !isNoList(listed.error)) return listed.error
  const there = listed.ok ? listed.value.find((each) => each.id === known.remote_id) : undefined
  if (there !== undefined) deps.mirror.write((tx) => applyMember(tx, there, () => deps.newId()))
  return null
}

const columnsOf = ({ email, status, roleId, etag }: RemoteMember) => ({ email, status, role_id: roleId, etag: etag ?? null })

async function pushRemoval(deps: EngineDeps, act: RemoveAct): Promise<Pushed> {
  const member = deps.mirror.snapshot((tx) => getMember(tx, act.rowId))
  if (member === null) return settleAct(deps, act, () => undefined)
  const sent = await deps.remote.removeMember(member.remote_id)
  if (sent.ok) return settleAct(deps, act, (tx) => deleteMember(tx, act.rowId))
  return endFailed(deps, act, sent.error, () => lookAtMember(deps, act, sent.error))
}
