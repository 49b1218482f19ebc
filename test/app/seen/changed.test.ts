import { describe, expect, test } from 'vitest'
import { createMeeting, workspaceId, type Person } from './two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const meet = createMeeting()
const shown = (value: string) => ({ state: 'shown', value })

/** What the screen that was read at `since` is told of an environment. */
const told = async (me: Person, since: number, slug = 'prod') => {
  const of = { environmentId: me.environmentId(slug), since }
  const { rows } = await valueOf(me.handlers['variables.changed']({ workspaceId, of, reveal: true }))
  return rows.map(({ name, was, now }) => ({ name, was, now })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

describe('whoever is about to overwrite or delete variables is told', () => {
  test('what others changed, added and deleted since, with both values', async () => {
    const { me, them, theyDo } = await meet()
    me.set('prod', 'GONE', 'two')
    await me.sync()
    await them.sync()
    const { rev } = await me.environment('prod')
    await theyDo(async () => {
      them.set('prod', 'X', 'theirs')
      them.set('prod', 'NEW', 'came')
      them.desk.client.deleteVariable(them.environmentId('prod'), 'GONE')
      them.set('dev', 'X', 'elsewhere')
    })
    const all = [
      { name: 'GONE', was: shown('two'), now: null },
      { name: 'NEW', was: null, now: shown('came') },
      { name: 'X', was: shown('one'), now: shown('theirs') },
    ]
    expect(await told(me, rev)).toEqual(all)
    expect(await told(me, (await me.environment('prod')).rev)).toEqual([])
  })

  test('what they changed beside the value', async () => {
    const { me, them, theyDo } = await meet()
    const { id, rev: seen } = await me.row('prod', 'X')
    await theyDo(async () =>
      them.desk.client.updateVariable((await them.row('prod', 'X')).id, { type: 'number', isSecret: true, name: 'Y' }),
    )
    const of = { rows: [{ id, seen }] }
    const [row] = (await valueOf(me.handlers['variables.changed']({ workspaceId, of, reveal: true }))).rows
    expect(row).toMatchObject({
      name: 'Y',
      isOtherValue: false,
      others: [
        { field: 'name', was: 'X', now: 'Y' },
        { field: 'type', was: 'string', now: 'number' },
        { field: 'isSecret', was: 'not secret', now: 'secret' },
      ],
    })
  })

  test('what others moved there or away', async () => {
    const { me, them, theyDo } = await meet()
    them.set('prod', 'M', 'moved')
    await them.sync()
    await me.sync()
    const [{ rev }, { id, rev: seen }] = [await me.environment('prod'), await them.row('prod', 'M')]
    const environmentId = them.environmentId('dev')
    await theyDo(() =>
      valueOf(them.handlers['variables.copy-to']({ workspaceId, rows: [{ id, seen }], environmentId, seen, onTaken: 'skip', move: true })),
    )
    expect(await told(me, rev)).toEqual([{ name: 'M', was: shown('moved'), now: null }])
    expect(await told(me, rev, 'dev')).toEqual([{ name: 'M', was: null, now: shown('moved') }])
  })

  test('nothing of what its own user did', async () => {
    const { me } = await meet()
    const { rev } = await me.environment('prod')
    me.set('prod', 'X', 'mine')
    me.set('prod', 'NEW', 'mine')
    await me.sync()
    expect(await told(me, rev)).toEqual([])
  })

  test('of single rows, each as it was last shown', async () => {
    const { me, them, theyDo } = await meet()
    const before = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const now = await me.row('prod', 'X')
    const of = (seen: number) => ({ workspaceId, of: { rows: [{ id: before.id, seen }] }, reveal: true })
    const first = await valueOf(me.handlers['variables.changed'](of(before.rev)))
    expect(first.rows).toEqual([{ id: before.id, name: 'X', was: shown('one'), now: shown('theirs'), isOtherValue: true, others: [] }])
    expect((await valueOf(me.handlers['variables.changed'](of(now.rev)))).rows).toEqual([])
    expect((await valueOf(me.handlers['variables.changed'](of(first.rev)))).rows).toEqual([])
  })
})
