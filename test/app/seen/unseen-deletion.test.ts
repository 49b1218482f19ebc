import { expect, test } from 'vitest'
import { valueOf } from '../../support/value-of.ts'
import { createMeeting, workspaceId } from './two-people.ts'

const meet = createMeeting()

/** A file of unsent changes that deletes prod/Y. */
const deletesY = JSON.stringify({
  holdfast: 'unsent-edits',
  version: 1,
  workspace: { name: 'w', id: 'w' },
  requests: [],
  edits: [
    {
      kind: 'delete',
      subject: 'variable',
      project: { name: 'Shop', slug: 'shop' },
      environment: { name: 'Prod', slug: 'prod' },
      key: 'Y',
      set: {},
      whole: {},
      madeAt: '',
    },
  ],
})

test('a deletion from a file of what no screen had shown, undone after others changed it, leaves theirs', async () => {
  const { me, them, theyDo, bothSync } = await meet()
  const { rev: seen } = await me.project()
  await theyDo(() => them.set('prod', 'Y', 'one'))
  await valueOf(me.handlers['queue.apply']({ workspaceId, text: deletesY, seen }))
  await theyDo(() => them.set('prod', 'Y', 'two'))
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  await bothSync()
  expect([them.value('prod', 'Y'), await me.conflicts()]).toEqual(['two', []])
})

test('and what its user had typed there is back with it', async () => {
  const { me, them, theyDo, bothSync } = await meet()
  const { rev: seen } = await me.project()
  await theyDo(() => them.set('prod', 'Y', 'one'))
  me.set('prod', 'Y', 'mine')
  await valueOf(me.handlers['queue.apply']({ workspaceId, text: deletesY, seen }))
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  expect(me.value('prod', 'Y')).toBe('mine')
  await bothSync()
})
