import { z } from 'zod'
import type { Client } from '../client.ts'
import { deletedRecord } from '../records/deleted-record.ts'
import { pageOf } from '../records/page-of.ts'
import type { Remote } from '../remote.ts'
import { at, doneOf, pageAfter } from './reply.ts'

type DeletedOperations = Pick<Remote, 'listDeleted' | 'restoreDeleted'>

export const deletedOperations = (client: Client): DeletedOperations => ({
  listDeleted: (cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: ['deleted'], query: at(cursor), extension: 'deleted' }, pageOf(deletedRecord)),
    ),

  restoreDeleted: (id, slug) =>
    doneOf(
      client.send(
        { method: 'POST', path: ['deleted', { id }, 'restore'], body: slug === undefined ? {} : { slug }, extension: 'deleted' },
        z.object({}),
      ),
    ),
})
