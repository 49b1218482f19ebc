import { expect, test } from 'vitest'
import { valueOf } from '../../support/value-of.ts'
import { createMeeting, workspaceId } from './two-people.ts'

const meet = createMeeting()

test('a variable that was made again with its environment can be given back the value that it had before others edited it', async () => {
  const { me, them, theyDo, bothSync } = await meet()
  await theyDo(() => them.set('dev', 'X', 'two'))
  me.set('dev', 'X', 'three')
  await theyDo(async () => {
    const { id, rev: seen } = await them.environment('dev')
    await valueOf(them.handlers['environments.delete']({ workspaceId, id, seen }))
  })
  const [asked] = await me.conflicts()
  if (asked === undefined) throw new Error('nothing is asked')
  me.desk.client.resolve(asked.changeId, { take: 'mine' })
  await bothSync()
  expect([me.desk.client.queue(), them.value('dev', 'X')]).toEqual([[], 'three'])
  const { id, rev: seen } = await me.row('dev', 'X')
  await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'one' }))
  await bothSync()
  expect([me.value('dev', 'X'), them.value('dev', 'X')]).toEqual(['one', 'one'])
})
