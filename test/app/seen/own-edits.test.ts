import { describe, expect, test } from 'vitest'
import { sends } from '../../support/build-client.ts'
import { valueOf } from '../../support/value-of.ts'
import { createMeeting, moveTo, workspaceId } from './two-people.ts'

const meet = createMeeting()
type Person = Awaited<ReturnType<typeof meet>>['me']

const update = async (by: Person, { id, rev }: { id: string; rev: number }, fields: { name?: string; value?: string }) =>
  valueOf(by.handlers['variables.update']({ workspaceId, id, seen: rev, ...fields }))

const retype = (by: Person, type: 'number' | 'string') => async () => {
  const { id, rev } = await by.row('prod', 'X')
  await valueOf(by.handlers['variables.update']({ workspaceId, id, seen: rev, type }))
}

test('a screen that shows an unsent edit, undone later, has not shown the former value: to type it over theirs asks', async () => {
  const { me, them, theyDo, bothSync } = await meet()
  await update(me, await me.row('prod', 'X'), { value: 'mine' })
  const shown = await me.row('prod', 'X')
  const { client } = me.desk
  const no = () => Promise.resolve(Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 }))
  client.network = (forward, request) => (sends('update variable', request) ? no() : forward())
  await theyDo(retype(them, 'number'))
  expect([(await me.row('prod', 'X')).type, me.value('prod', 'X')]).toEqual(['number', 'mine'])
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  client.network = (forward) => forward()
  await theyDo(() => them.set('prod', 'X', 'theirs'))
  await update(me, shown, { value: 'one' })
  await bothSync()
  expect(them.value('prod', 'X')).toBe('theirs')
  expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'one', theirs: 'theirs' })
})

describe('a screen that shows an edit of its user, sent while others changed the row', () => {
  test('has not shown the former value: to type it is an edit', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    const shown = await me.row('prod', 'X')
    await theyDo(retype(them, 'number'))
    expect(me.desk.client.queue()).toEqual([])
    await update(me, shown, { value: 'one' })
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['one', []])
  })

  test('has not shown the former name either', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    await update(me, await me.row('prod', 'X'), { name: 'Y' })
    const shown = await me.row('prod', 'Y')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    expect(me.value('prod', 'Y')).toBe('theirs')
    await update(me, shown, { name: 'X' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('has not shown where it was: a move back there is one, over what has its name too', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'MOVED', 'one')
    await bothSync()
    await moveTo(me, 'dev', await me.row('prod', 'MOVED'))
    const shown = await me.row('dev', 'MOVED')
    await theyDo(() => them.set('prod', 'MOVED', 'theirs'))
    await bothSync()
    me.set('prod', 'MOVED', 'another')
    expect(await moveTo(me, 'prod', shown)).toEqual({ copied: 0, skipped: 0, overwritten: 1 })
    await bothSync()
    expect([them.value('prod', 'MOVED'), them.value('dev', 'MOVED')]).toEqual(['theirs', undefined])
  })

  test('has not shown what others wrote back: typing over it asks', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    const shown = await me.row('prod', 'X')
    await theyDo(retype(them, 'number'))
    await them.sync()
    await theyDo(() => them.set('prod', 'X', 'one'))
    await update(me, shown, { value: 'more of mine' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('one')
    expect(await me.question()).toEqual({ kind: 'fields', was: 'mine', mine: 'more of mine', theirs: 'one' })
  })

  test('has not shown what others wrote back: deleting it asks', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    const shown = await me.row('prod', 'X')
    await theyDo(retype(them, 'number'))
    await them.sync()
    await theyDo(retype(them, 'string'))
    await theyDo(() => them.set('prod', 'X', 'one'))
    await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id: shown.id, seen: shown.rev }] }))
    await bothSync()
    expect(them.value('prod', 'X')).toBe('one')
  })

  test('from before they changed it, has shown that edit: what is taken back there is an edit', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    for (const type of ['number', 'string'] as const) {
      await valueOf(me.handlers['variables.update-many']({ workspaceId, rows: [{ id: shown.id, seen: shown.rev }], type }))
      await bothSync()
    }
    expect([(await them.row('prod', 'X')).type, them.value('prod', 'X')]).toEqual(['string', 'theirs'])
  })

  test('has not shown the former value of a row that others deleted and its user kept', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    const shown = await me.row('prod', 'X')
    await theyDo(async () => {
      const { id, rev } = await them.row('prod', 'X')
      await valueOf(them.handlers['variables.delete']({ workspaceId, rows: [{ id, seen: rev }] }))
    })
    await answer(me, 'mine')
    await bothSync()
    await update(me, shown, { value: 'one' })
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['one', []])
  })
})

const answer = async (by: Person, take: 'mine' | 'theirs') => {
  const [conflict] = await by.conflicts()
  if (conflict === undefined) throw new Error('Nothing is asked.')
  const { changeId, fingerprint } = conflict
  await valueOf(by.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take } }))
}

const discard = async (by: Person) => {
  for (const { changeId } of await by.conflicts()) await valueOf(by.handlers['queue.discard']({ workspaceId, changeId }))
}

describe.each([
  ['discarded', discard],
  ['answered with theirs', (by: Person) => answer(by, 'theirs')],
] as const)('a screen that shows an edit of its user, in question and then %s', (_how, giveUp) => {
  const asked = async () => {
    const meeting = await meet()
    const { me, them, theyDo } = meeting
    me.set('prod', 'X', 'mine')
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await giveUp(me)
    return { ...meeting, shown }
  }

  test('has not shown what others wrote back: typing over it asks', async () => {
    const { me, them, theyDo, bothSync, shown } = await asked()
    await theyDo(() => them.set('prod', 'X', 'one'))
    await update(me, shown, { value: 'more of mine' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('one')
    expect(await me.question()).toMatchObject({ kind: 'fields', theirs: 'one' })
  })

  test('has not shown the former value: to type it is an edit', async () => {
    const { me, bothSync, shown } = await asked()
    await update(me, shown, { value: 'one' })
    await bothSync()
    expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'one', theirs: 'theirs' })
  })

  test('has not shown the former value on an older screen either', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(retype(them, 'number'))
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await giveUp(me)
    await update(me, shown, { value: 'one' })
    await bothSync()
    expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'one', theirs: 'theirs' })
  })
})

test('an edit over what was not shown, which others have taken back, is undone to what was shown', async () => {
  const { me, them, theyDo, bothSync } = await meet()
  const shown = await me.row('prod', 'X')
  await theyDo(() => them.set('prod', 'X', 'theirs'))
  await update(me, shown, { value: 'mine' })
  await theyDo(() => them.set('prod', 'X', 'one'))
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  await bothSync()
  expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['one', []])
})

test('a move from a screen that is older than an edited move that its user discarded is left out, and done from the present screen', async () => {
  const { me, bothSync } = await meet()
  me.set('prod', 'MOVED', 'one')
  await bothSync()
  const shown = await me.row('prod', 'MOVED')
  me.set('prod', 'MOVED', 'two')
  await moveTo(me, 'dev', shown)
  const [move] = me.desk.client.queue()
  await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: move?.id ?? '' }))
  expect(await moveTo(me, 'dev', shown)).toEqual({ copied: 0, skipped: 1, overwritten: 0 })
  expect(await moveTo(me, 'dev', await me.row('prod', 'MOVED'))).toEqual({ copied: 1, skipped: 0, overwritten: 0 })
  await bothSync()
  expect([me.value('prod', 'MOVED'), me.value('dev', 'MOVED')]).toEqual([undefined, 'one'])
})
