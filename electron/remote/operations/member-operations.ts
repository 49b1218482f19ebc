import { z } from 'zod'
import type { Client } from '../client.ts'
import { memberRecord, roleRecord } from '../records/member-record.ts'
import { pageOf } from '../records/page-of.ts'
import type { Remote } from '../remote.ts'
import { at, dataOf, doneOf, pageAfter } from './reply.ts'

type MemberOperations = Pick<Remote, 'listMembers' | 'inviteMember' | 'removeMember' | 'listRoles'>

export const memberOperations = (client: Client): MemberOperations => ({
  listMembers: (cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: ['members'], query: at(cursor), extension: 'members' }, pageOf(memberRecord)),
    ),

  inviteMember: (body, options) => dataOf(client.send({ method: 'POST', path: ['members'], body, options }, memberRecord)),

  removeMember: (id) => doneOf(client.send({ method: 'DELETE', path: ['members', { id }] }, z.object({}))),

  listRoles: (cursor) =>
    pageAfter(client, cursor, client.send({ method: 'GET', path: ['roles'], query: at(cursor), extension: 'roles' }, pageOf(roleRecord))),
})
