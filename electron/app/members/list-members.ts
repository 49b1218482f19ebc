import { z } from 'zod'
import type { MemberList, MemberRow, RoleList } from '../../bridge/rows.ts'
import { allMembers, allRoles, type MemberColumns } from '../../mirror/members-layer.ts'
import { memberOperations } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState } from '../../mirror/workspace-state.ts'
import type { Operation, InviteOperation } from '../../queue/entry.ts'
import { limitOf } from '../capabilities/limit-of.ts'

const texts = z.array(z.string())

/** Returns the members of a workspace, with their queued operations. */
export function listMembers(tx: Tx): MemberList {
  const operations = Map.groupBy(memberOperations(tx), (operation) => operation.rowId)
  const members = allMembers(tx)
  const you = getState(tx, 'member')
  const known = members.map((member) => memberRow(member, operations.get(member.id) ?? [], member.remote_id === you))
  const here = new Set(members.map((member) => member.id))
  const invited = [...operations.values()]
    .flat()
    .filter((operation) => operation.kind === 'invite')
    .filter((operation) => !here.has(operation.rowId))
  return {
    rows: [...known, ...invited.map(invitedRow)].sort((a, b) => a.email.localeCompare(b.email)),
    limit: limitOf(tx, 'members'),
  }
}

function memberRow(member: MemberColumns, operations: readonly Operation[], isYou: boolean): MemberRow {
  const first = operations[0]
  const role = operations.findLast((operation) => operation.kind === 'set-role')
  return {
    id: member.id,
    email: member.email,
    isYou,
    status: member.status,
    roleId: role?.detail.roleId ?? member.role_id,
    isLeaving: operations.some((operation) => operation.kind === 'remove'),
    since: member.created_at,
    sync: first?.state ?? 'synced',
    syncReason: first?.reason ?? null,
    changeId: first?.id ?? null,
  }
}

const invitedRow = (operation: InviteOperation): MemberRow => ({
  id: operation.rowId,
  email: operation.detail.email,
  isYou: false,
  status: 'unsent',
  roleId: operation.detail.roleId,
  isLeaving: false,
  since: null,
  sync: operation.state,
  syncReason: operation.reason,
  changeId: operation.id,
})

/** Returns the roles to choose from. If the service doesn't list roles: those that members have. */
export function listRoles(tx: Tx): RoleList {
  const roles = allRoles(tx)
  const limit = limitOf(tx, 'roles')
  const rows = roles.map(({ id, name, permissions }) => ({ id, name, permissions: texts.parse(JSON.parse(permissions)) }))
  if (rows.length > 0) return { rows, limit }
  const seen = [...new Set(allMembers(tx).map((member) => member.role_id))]
  return { rows: seen.map((id) => ({ id, name: id, permissions: [] })), limit }
}
