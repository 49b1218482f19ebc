import type { MemberList, MemberRow, RoleList } from '../../bridge/rows.ts'
import { allMembers, allRoles, type MemberColumns } from '../../mirror/members-layer.ts'
import { memberActs } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Act, InviteAct } from '../../queue/entry.ts'
import { limitOf } from '../../sync/effects/acts/limit-of.ts'

/** The members of a workspace with what is queued for them. */
export function listMembers(tx: Tx): MemberList {
  const acts = Map.groupBy(memberActs(tx), (act) => act.rowId)
  const members = allMembers(tx)
  const known = members.map((member) => memberRow(member, acts.get(member.id) ?? []))
  const here = new Set(members.map((member) => member.id))
  const invited = [...acts.values()].flat().filter((act) => act.kind === 'invite' && !here.has(act.rowId)) as InviteAct[]
  return {
    rows: [...known, ...invited.map(invitedRow)].sort((a, b) => a.email.localeCompare(b.email)),
    limit: limitOf(tx, 'no-member-list'),
  }
}

function memberRow(member: MemberColumns, acts: readonly Act[]): MemberRow {
  const first = acts[0]
  const role = acts.findLast((act) => act.kind === 'set-role')
  return {
    id: member.id,
    email: member.email,
    status: member.status,
    roleId: role?.detail.roleId ?? member.role_id,
    isLeaving: acts.some((act) => act.kind === 'remove'),
    since: member.created_at,
    sync: first?.state ?? 'synced',
    syncReason: first?.reason ?? null,
    changeId: first?.id ?? null,
  }
}

const invitedRow = (act: InviteAct): MemberRow => ({
  id: act.rowId,
  email: act.detail.email,
  status: 'unsent',
  roleId: act.detail.roleId,
  isLeaving: false,
  since: null,
  sync: act.state,
  syncReason: act.reason,
  changeId: act.id,
})

/** The roles there are to choose from. */
export function listRoles(tx: Tx): RoleList {
  const roles = allRoles(tx)
  const limit = limitOf(tx, 'no-role-list')
  // The JSON is our own.
  const rows = roles.map(({ id, name, permissions }) => ({ id, name, permissions: JSON.parse(permissions) as string[] }))
  if (rows.length > 0) return { rows, limit }
  const seen = [...new Set(allMembers(tx).map((member) => member.role_id))]
  return { rows: seen.map((id) => ({ id, name: id, permissions: [] })), limit }
}
