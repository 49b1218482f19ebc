import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { roleIds, roleNames, rolePermissions } from '../protocol/roles.ts'
import { reading, writing } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { memberEvent, memberRemoved } from '../store/events.ts'
import { inviteMember, listMembers, memberRecord, removeMember, updateMember } from '../store/members.ts'

export const memberEndpoints: readonly Endpoint[] = [
  reading({
    path: '/members',
    summary: 'List members',
    may: 'read',
    query: requests.pageQuery,
    data: records.page(records.memberRecord),
    handle: async (db, { query }) => ({ data: await listMembers(db, query) }),
  }),
  writing({
    operation: 13,
    method: 'POST',
    path: '/members',
    summary: 'Invite a member',
    may: 'members.write',
    changesMembers: true,
    body: requests.memberInvite,
    status: 201,
    message: 'Member invited.',
    data: records.memberInvited,
    takesIfMatch: false,
    handle: async (write, { body, principal }) => {
      const row = await inviteMember(write, principal.memberId, body)
      return {
        data: { id: row.id, email: row.email, status: row.status, roleId: row.role_id },
        seq: row.seq,
        audit: memberEvent('invite', row),
      }
    },
  }),
  writing({
    method: 'PATCH',
    path: '/members/{id}',
    summary: 'Change the role of a member',
    may: 'members.write',
    changesMembers: true,
    params: requests.idParams,
    body: requests.memberPatch,
    message: 'Member updated.',
    data: records.memberRecord,
    handle: async (write, { params, body, ifMatch, principal }) => {
      const row = await updateMember(write, principal.memberId, params.id, body, ifMatch)
      return {
        data: memberRecord(row),
        seq: row.seq,
        audit: memberEvent('update', row),
      }
    },
  }),
  writing({
    operation: 14,
    method: 'DELETE',
    path: '/members/{id}',
    summary: 'Remove a member and their keys',
    may: 'members.write',
    changesMembers: true,
    params: requests.idParams,
    message: 'Member removed.',
    data: records.memberRemoved,
    handle: async (write, { params, ifMatch, principal }) => {
      const row = await removeMember(write, principal.memberId, params.id, ifMatch)
      return {
        data: { id: row.id },
        audit: memberRemoved(row),
      }
    },
  }),
  reading({
    path: '/roles',
    summary: 'List roles and what each may do',
    may: 'read',
    query: requests.pageQuery,
    data: records.page(records.role),
    handle: () =>
      Promise.resolve({
        data: {
          items: roleIds.map((id) => ({ id, name: roleNames[id], system: true, permissions: rolePermissions[id] })),
          nextCursor: null,
        },
      }),
  }),
]
