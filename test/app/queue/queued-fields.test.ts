import { expect, test } from 'vitest'
import type { QueuedField } from '../../../electron/bridge/rows.ts'
import { createMeeting, moveTo, workspaceId, type Person } from '../seen/two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const meet = createMeeting()

/** What the only unsent change of a person does, each field as "field: was > now". */
async function shown({ handlers }: Person, reveal = false): Promise<string[]> {
  const [change, ...more] = await valueOf(handlers['queue.list']({ workspaceId }))
  if (change === undefined || more.length > 0) throw new Error('not one change')
  const fields = await valueOf(handlers['queue.show']({ workspaceId, changeId: change.changeId, reveal }))
  const words = (side: QueuedField['was']) => (side.state === 'shown' ? side.text : side.state)
  return fields.map(({ field, was, now }) => `${field}: ${words(was)} > ${words(now)}`)
}

const update = async (me: Person, change: object) => {
  const { id, rev } = await me.row('prod', 'X')
  return valueOf(me.handlers['variables.update']({ workspaceId, id, seen: rev, ...change }))
}

test.each<{ what: string; act: (me: Person) => unknown; fields: string[] }>([
  { what: 'another value', act: (me) => me.set('prod', 'X', 'two'), fields: ['value: one > two'] },
  {
    what: 'another name and type',
    act: (me) => update(me, { name: 'Y', type: 'number' }),
    fields: ['name: X > Y', 'type: string > number'],
  },
  {
    what: 'a new variable',
    act: (me) => me.set('prod', 'NEW', 'v'),
    fields: ['value: absent > v', 'type: absent > string', 'isSecret: absent > not secret'],
  },
  {
    what: 'a deletion',
    act: (me) => me.desk.client.deleteVariable(me.environmentId('prod'), 'X'),
    fields: ['value: one > absent', 'type: string > absent', 'isSecret: not secret > absent'],
  },
  { what: 'a new project', act: (me) => me.desk.client.createProject('Tools'), fields: ['slug: absent > tools'] },
])('the queue shows of $what what was and what is now', async ({ act, fields }) => {
  const { me } = await meet()
  await act(me)
  expect(await shown(me)).toEqual(fields)
})

test('a move shows the environment it leaves and the one it goes to', async () => {
  const { me } = await meet()
  me.set('prod', 'Z', '1')
  await me.sync()
  await moveTo(me, 'dev', await me.row('prod', 'Z'))
  expect(await shown(me)).toEqual(['parent: Prod > Dev'])
})

test.each([
  { what: 'that becomes secret', before: false, now: true },
  { what: 'that was secret', before: true, now: false },
])('both values of a variable $what are masked until they are revealed', async ({ before, now }) => {
  const { me } = await meet()
  if (before) await update(me, { isSecret: before })
  await me.sync()
  await update(me, { value: 'two', isSecret: now })
  const word = (isSecret: boolean) => (isSecret ? 'secret' : 'not secret')
  const secrecy = `isSecret: ${word(before)} > ${word(now)}`
  expect(await shown(me)).toEqual(['value: masked > masked', secrecy])
  expect(await shown(me, true)).toEqual(['value: one > two', secrecy])
})

test('a change that was sent or discarded in the meantime shows nothing', async () => {
  const { me } = await meet()
  expect(await valueOf(me.handlers['queue.show']({ workspaceId, changeId: 'gone', reveal: true }))).toEqual([])
})

test('values typed before others made the variable a secret are masked, also behind a question', async () => {
  const { me, them, theyDo } = await meet()
  me.set('prod', 'X', 'mine')
  await valueOf(me.handlers['versions.create']({ workspaceId, environmentId: me.environmentId('prod'), label: 'v1', note: '' }))
  me.set('prod', 'X', 'later')
  await theyDo(() => update(them, { value: 'theirs', isSecret: true }))
  const changes = (await valueOf(me.handlers['queue.list']({ workspaceId }))).filter(({ subject }) => subject === 'variable')
  expect(changes).toHaveLength(2)
  for (const { changeId } of changes) {
    const fields = await valueOf(me.handlers['queue.show']({ workspaceId, changeId, reveal: false }))
    expect(fields.flatMap(({ was, now }) => [was.state, now.state])).toEqual(['masked', 'masked'])
  }
})
