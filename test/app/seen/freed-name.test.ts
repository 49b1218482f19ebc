import { describe, expect, test } from 'vitest'
import { createMeeting, moveTo, type Person } from './two-people.ts'

const meet = createMeeting()

const takes: [string, (me: Person) => unknown][] = [
  ['creates', (me) => me.set('prod', 'X', 'new')],
  [
    'renames and edits',
    (me) => {
      const { client } = me.desk
      client.updateVariable(client.find('variable', me.environmentId('prod'), 'OTHER').id, { name: 'X', value: 'new' })
    },
  ],
  [
    'edits and moves there',
    async (me) => {
      me.set('dev', 'X', 'new')
      await moveTo(me, 'prod', await me.row('dev', 'X'))
    },
  ],
]
const frees: [string, (me: Person) => unknown][] = [
  ['deletes', (me) => me.desk.client.deleteVariable(me.environmentId('prod'), 'Y')],
  ['renames', (me) => me.desk.client.renameVariable(me.environmentId('prod'), 'Y', 'Z')],
]
const orders = [true, false] as const

describe('a variable takes a name for good that others gave meanwhile to one which its user then gives up:', () => {
  test.each(
    takes.flatMap(([take, taking]) =>
      frees.flatMap(([free, freeing]) => orders.map((isFirst) => ({ take, taking, free, freeing, isFirst }))),
    ),
  )('it $take, its user $free the other ($isFirst: asked about it first)', async ({ taking, freeing, isFirst }) => {
    const { me, them, theyDo, bothSync } = await meet()
    const { client } = me.desk
    me.set('prod', 'OTHER', 'other')
    client.renameVariable(me.environmentId('prod'), 'X', 'Y')
    await bothSync()
    await taking(me)
    await freeing(me)
    await theyDo(() => them.desk.client.renameVariable(them.environmentId('prod'), 'Y', 'X'))
    for (let round = 0; round < 3; round += 1) {
      const asked = client.queue().filter(({ conflict }) => conflict !== null)
      for (const { id } of isFirst ? asked : asked.toReversed()) client.resolve(id, { take: 'mine' })
      await me.sync()
    }
    await bothSync()
    expect([client.queue(), me.value('prod', 'X'), them.value('prod', 'X')]).toEqual([[], 'new', 'new'])
  })
})

test.each(takes)('a variable that its user %s, and moves on before they keep it, goes where they moved it', async (_take, taking) => {
  const { me, them, theyDo, bothSync } = await meet()
  const { client } = me.desk
  client.createEnvironment('shop', 'Stage')
  me.set('prod', 'OTHER', 'other')
  client.renameVariable(me.environmentId('prod'), 'X', 'Y')
  await bothSync()
  await taking(me)
  client.renameVariable(me.environmentId('prod'), 'Y', 'Z')
  await theyDo(() => them.desk.client.renameVariable(them.environmentId('prod'), 'Y', 'X'))
  const [takesName, freesName] = client.queue()
  if (takesName === undefined || freesName === undefined) throw new Error('both are asked about')
  client.resolve(freesName.id, { take: 'mine' })
  await moveTo(me, 'stage', await me.row('prod', 'X'))
  client.resolve(takesName.id, { take: 'mine' })
  await bothSync()
  expect([client.queue(), me.value('stage', 'X'), them.value('stage', 'X'), them.value('prod', 'X'), them.value('prod', 'Z')]).toEqual([
    [],
    'new',
    'new',
    undefined,
    'one',
  ])
})

test.each(takes)(
  'a version that is saved while it is asked about has a variable that its user %s, once they keep it',
  async (_take, taking) => {
    const { me, them, theyDo, bothSync } = await meet()
    const { client } = me.desk
    const prod = me.environmentId('prod')
    me.set('prod', 'OTHER', 'other')
    client.renameVariable(prod, 'X', 'Y')
    await bothSync()
    await taking(me)
    client.renameVariable(prod, 'Y', 'Z')
    await theyDo(() => them.desk.client.renameVariable(them.environmentId('prod'), 'Y', 'X'))
    const asked = client.queue().filter(({ conflict }) => conflict !== null)
    expect(asked).toHaveLength(2)
    client.snapshot(prod, { label: 'saved' })
    me.set('prod', 'X', 'newer')
    for (const { id } of asked.toReversed()) client.resolve(id, { take: 'mine' })
    await bothSync()
    expect([client.queue(), me.value('prod', 'X'), them.value('prod', 'X'), them.value('prod', 'Z')]).toEqual([[], 'newer', 'newer', 'one'])
    const version = them.desk.client.version(them.environmentId('prod'), 'saved')
    const saved = Object.fromEntries(them.desk.client.savedIn(version.id).map(({ name, value }) => [name, value]))
    expect(saved).toMatchObject({ X: 'new', Z: 'one' })
  },
)
