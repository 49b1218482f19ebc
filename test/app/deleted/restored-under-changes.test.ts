import { describe, expect, test } from 'vitest'
import { unreachable, type Network } from '../../support/build-client.ts'
import { workspaceId } from '../../support/desk.ts'
import { valueOf } from '../../support/value-of.ts'
import { moveTo, type Person } from '../seen/two-people.ts'
import { withoutFeed } from '../../support/reduced-service.ts'
import { runningPeople, syncs } from './running-people.ts'

const { person } = runningPeople()
const whole: Network = (forward) => forward()

/** X of Dev at its user’s computer, offline. */
const mine = {
  edit: async (me: Person) => me.set('dev', 'X', 'mine'),
  rename: async (me: Person) => me.desk.client.renameVariable(me.environmentId('dev'), 'X', 'RENAMED'),
  move: async (me: Person) => {
    for (const row of await me.rows('dev')) await moveTo(me, 'prod', row)
  },
}

async function removeEnvironment(by: Person, slug: string): Promise<void> {
  await syncs(by)
  const { id, rev: seen } = await by.environment(slug)
  await valueOf(by.handlers['environments.delete']({ workspaceId, id, seen }))
}

/** The same X at their computer, meanwhile. */
const theirs = {
  'delete its environment': (them: Person) => removeEnvironment(them, 'dev'),
  'edit it and delete its environment': (them: Person) => {
    them.set('dev', 'X', 'theirs')
    return removeEnvironment(them, 'dev')
  },
  'move it and delete the environment it was in': async (them: Person) => {
    await moveTo(them, 'test', await them.row('dev', 'X'))
    await removeEnvironment(them, 'dev')
  },
  'move it and delete the environment it is in': async (them: Person) => {
    await moveTo(them, 'test', await them.row('dev', 'X'))
    await removeEnvironment(them, 'test')
  },
  'delete the other environment': (them: Person) => removeEnvironment(them, 'prod'),
}

type Mine = keyof typeof mine
/** `asks`: the fields in question, where the service keeps theirs; nobody is asked otherwise. */
const outcomes: Record<
  keyof typeof theirs,
  Partial<Record<Mine | `${Mine}, ${Mine}`, { ends: Record<string, string>; asks?: string[] }>>
> = {
  'delete its environment': {
    edit: { ends: { 'shop/dev/X': 'mine' } },
    rename: { ends: { 'shop/dev/RENAMED': 'one' } },
    move: { ends: { 'shop/prod/X': 'one' } },
    'edit, move': { ends: { 'shop/prod/X': 'mine' } },
    'rename, move': { ends: { 'shop/prod/RENAMED': 'one' } },
  },
  'edit it and delete its environment': {
    edit: { ends: { 'shop/dev/X': 'theirs' }, asks: ['value'] },
    rename: { ends: { 'shop/dev/RENAMED': 'theirs' } },
    'rename, move': { ends: { 'shop/prod/RENAMED': 'theirs' } },
    move: { ends: { 'shop/prod/X': 'theirs' } },
    'edit, move': { ends: { 'shop/dev/X': 'theirs' }, asks: ['parent', 'value'] },
  },
  'move it and delete the environment it was in': {
    edit: { ends: { 'shop/test/X': 'mine' } },
    rename: { ends: { 'shop/test/RENAMED': 'one' } },
    move: { ends: { 'shop/test/X': 'one' }, asks: ['parent'] },
    'edit, move': { ends: { 'shop/test/X': 'one' }, asks: ['parent', 'value'] },
    'rename, move': { ends: { 'shop/test/X': 'one' }, asks: ['name', 'parent'] },
  },
  'move it and delete the environment it is in': {
    edit: { ends: { 'shop/test/X': 'mine' } },
    rename: { ends: { 'shop/test/RENAMED': 'one' } },
    move: { ends: { 'shop/test/X': 'one' }, asks: ['parent'] },
    'edit, move': { ends: { 'shop/test/X': 'one' }, asks: ['parent', 'value'] },
    'rename, move': { ends: { 'shop/test/X': 'one' }, asks: ['name', 'parent'] },
  },
  'delete the other environment': {
    edit: { ends: { 'shop/dev/X': 'mine' } },
    rename: { ends: { 'shop/dev/RENAMED': 'one' } },
    move: { ends: { 'shop/prod/X': 'one' } },
    'edit, move': { ends: { 'shop/prod/X': 'mine' } },
    'rename, move': { ends: { 'shop/prod/RENAMED': 'one' } },
  },
}

const isMine = (name: string): name is Mine => name in mine
const rows = Object.entries(theirs).flatMap(([they, act]) =>
  Object.entries(outcomes[they as keyof typeof theirs]).map(([i, { ends, asks = [] }]) => ({ they, act, i, ends, asks })),
)

describe.each([
  { where: 'in which all is known', network: whole },
  { where: 'without a feed, which moves no variables', network: withoutFeed },
])('an unsent change of a variable on a service $where', ({ network }) => {
  test.each(rows)('($i) arrives or asks when others $they, and restore that', async ({ act, i, ends, asks }) => {
    const them = person()
    them.desk.client.createProject('Shop')
    for (const name of ['Prod', 'Dev', 'Test']) them.desk.client.createEnvironment('shop', name)
    them.set('prod', 'Y', 'one')
    them.set('dev', 'X', 'one')
    await syncs(them)
    const me = person()
    me.desk.client.network = network
    await syncs(me)
    me.desk.client.network = unreachable
    for (const each of i.split(', ').filter(isMine)) await mine[each](me)
    await act(them)
    await syncs(them)
    me.desk.client.network = network
    await syncs(me)

    const [deleted] = await valueOf(them.handlers['deleted.list']({ workspaceId }))
    await valueOf(them.handlers['deleted.restore']({ workspaceId, id: deleted?.id ?? 'none', from: 'service' }))
    for (const each of [me, them, me]) await syncs(each)
    const questions = await me.conflicts()
    expect(questions.flatMap(({ fields }) => fields.map(({ field }) => field)).toSorted()).toEqual(asks)
    expect(questions.filter(({ kind }) => kind !== 'fields')).toEqual([])
    const whereAll = { shop: '', 'shop/dev': '', 'shop/prod': '', 'shop/prod/Y': 'one', 'shop/test': '', ...ends }
    const waits = me.desk.client.queue().filter(({ state }) => state !== 'conflict')
    if (asks.length === 0) expect(me.contents()).toEqual(whereAll)
    // A move waits, with all that was typed since, for a service that can do it.
    const isWaiting = network === withoutFeed && asks.length === 0 && i.includes('move')
    expect(waits.map(({ state }) => state)).toEqual(isWaiting ? ['blocked'] : [])
    if (!isWaiting) expect(them.contents()).toEqual(whereAll)
    expect(me.desk.client.drift()).toEqual([])
  })
})
