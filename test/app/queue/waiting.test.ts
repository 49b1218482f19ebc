import { expect, test } from 'vitest'
import { createMeeting, workspaceId, type Person } from '../seen/two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const meet = createMeeting()

/** A person whose change of X waits for an answer, with a new slug of its environment queued behind it. */
async function stuck(): Promise<Person> {
  const { me, them } = await meet()
  me.set('prod', 'X', 'mine')
  them.set('prod', 'X', 'theirs')
  await them.sync()
  await me.sync()
  const { id, rev } = await me.environment('prod')
  await valueOf(me.handlers['environments.update']({ workspaceId, id, seen: rev, slug: 'live' }))
  await me.sync()
  return me
}

const listed = async (person: Person) =>
  (await valueOf(person.handlers['queue.list']({ workspaceId }))).map(({ subject, state, reason, waitsFor }) => ({
    subject,
    state,
    reason,
    waitsFor,
  }))

test('a change that waits for one in conflict says for which', async () => {
  expect(await listed(await stuck())).toEqual([
    { subject: 'variable', state: 'conflict', reason: expect.any(String), waitsFor: null },
    { subject: 'environment', state: 'queued', reason: null, waitsFor: { subject: 'variable', name: 'X' } },
  ])
})

test('and goes, with nothing more to say, once that one is answered', async () => {
  const me = await stuck()
  const [conflict] = await me.conflicts()
  const { changeId, fingerprint } = conflict ?? { changeId: '', fingerprint: '' }
  await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'theirs' } }))
  await me.sync()
  expect(await listed(me)).toEqual([])
  expect(me.value('live', 'X')).toBe('theirs')
})
