import { z } from 'zod'
import { err, ok } from '../../bridge/result.ts'
import type { Client } from '../client.ts'
import { notAService } from '../not-a-service.ts'
import { feedPage } from '../records/feed-page.ts'
import { readRecord } from '../records/remote-record.ts'
import type { Remote } from '../remote.ts'
import { changeItems, readChangeAnswers } from './change-answers.ts'
import { at, dataOf, outOfBounds, wrongCount } from './reply.ts'

type ChangeOperations = Pick<Remote, 'changes' | 'pushChanges' | 'getRecord'>

/** Entries of the feed to a page: the most that the service gives. */
const pageSize = '1000'

export const changeOperations = (client: Client): ChangeOperations => ({
  async changes(cursor) {
    const query = { ...at(cursor), limit: pageSize }
    const page = await dataOf(client.send({ method: 'GET', path: ['changes'], query, extension: 'changes' }, feedPage))
    return page.ok && page.value.more && page.value.nextCursor === cursor
      ? err(notAService(client.host, 'sent a change feed that never ends'))
      : page
  },

  async pushChanges(changes) {
    if (outOfBounds(changes)) return err(wrongCount)
    const answer = await client.send({ method: 'POST', path: ['changes'], body: { changes }, extension: 'push' }, changeItems)
    if (!answer.ok) return answer
    const answers = readChangeAnswers(changes, answer.value.data.items, answer.value.itemError)
    return answers === null ? err(notAService(client.host, 'answered about other changes than the ones sent')) : ok(answers)
  },

  async getRecord(resource, id) {
    const read = await dataOf(client.send({ method: 'GET', path: ['records', resource, { id }], extension: 'records' }, z.unknown()))
    if (!read.ok) return read
    const record = readRecord(resource, id, read.value)
    return record === null ? err(notAService(client.host, 'answered with a different record')) : ok(record)
  },
})
