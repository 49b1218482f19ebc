import { z } from 'zod'
import type { Client } from '../client.ts'
import { memberRecord } from '../records/member-record.ts'
import { pageOf } from '../records/page-of.ts'
import type { Remote } from '../remote.ts'
import { at, dataOf, doneOf, pageAfter } from './reply.ts'

export const memberOperations = (client: Client): Pick<Remote, 'listMembers' | 'inviteMember' | 'removeMember'> => ({
  listMembers: (cursor) =>
    pageAfter(client, cursor, client.send({ method: 'GET', path: ['members'], query: at(cursor) }, pageOf(memberRecord))),

  inviteMember: (body, options) => dataOf(client.send({ method: 'POST', path: ['members'], body, options }, memberRecord)),

  removeMember: (id) => doneOf(client.send({ method: 'DELETE', path: ['members', id] }, z.object({}))),
})
