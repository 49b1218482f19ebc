import { err } from '../../bridge/result.ts'
import type { Client } from '../client.ts'
import { notAService } from '../not-a-service.ts'
import { feedPage } from '../records/feed-page.ts'
import type { Remote } from '../remote.ts'
import { at, dataOf } from './reply.ts'

export const feedOperations = (client: Client): Pick<Remote, 'changes'> => ({
  async changes(cursor) {
    const page = await dataOf(client.send({ method: 'GET', path: ['changes'], query: at(cursor), extension: 'changes' }, feedPage))
    return page.ok && page.value.more && page.value.nextCursor === cursor
      ? err(notAService(client.host, 'answers with a change feed that never ends'))
      : page
  },
})
