import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VariableRow } from '../../../electron/bridge/rows.ts'
import { createWorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { getBase } from '../../../electron/mirror/base-layer.ts'
import { TestClient } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { startTamperingProxy, type TamperingProxy, type WireVariable } from '../../support/tampering-proxy.ts'
import { moveTo, Person } from '../seen/two-people.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let service: StartedService
let proxy: TamperingProxy
let me: Person
/** STRIPE_KEY of prod as it was before it was rotated. */
let rotated: WireVariable

const key = new Uint8Array(32).fill(7)

beforeEach(async () => {
  service = await startService()
  proxy = await startTamperingProxy(service.url)
  me = new Person(deskOf(new TestClient({ service: { ...service, url: proxy.url }, key, values: 'bound', random: seededRandom(1) })))
  const { client } = me.desk
  client.createProject('Shop')
  for (const name of ['Dev', 'Prod']) client.createEnvironment('shop', name)
  for (const slug of ['dev', 'prod']) {
    me.set(slug, 'STRIPE_KEY', `sk_old_${slug}`)
    me.set(slug, 'DATABASE_URL', `postgres://${slug}`)
    me.set(slug, 'LOG_URL', '${DATABASE_URL}/log')
    me.set(slug, 'KEPT', 'kept')
  }
  for (const slug of ['dev', 'prod']) {
    for (const { id } of await me.rows(slug)) client.updateVariable(id, { isSecret: true })
  }
  await me.sync()
  rotated = shownBy('prod', 'STRIPE_KEY')
  for (const slug of ['dev', 'prod']) me.set(slug, 'STRIPE_KEY', `sk_${slug}`)
  await me.sync()
})

afterEach(async () => {
  await me.desk.client.close()
  await proxy.close()
  await service.close()
})

/** The record as the true service shows it. */
function shownBy(slug: string, name: string): WireVariable {
  const { client } = me.desk
  const environment = client.mirror.snapshot((tx) => getBase(tx, me.environmentId(slug)))
  const found = [...proxy.seen.values()].find((each) => each.environmentId === environment?.remoteId && each.name === name)
  if (found === undefined) throw new Error(`the service showed no ${name}`)
  return found
}

interface Forgery {
  name: string
  doubt: string
  forge(): WireVariable[]
}

/** The five that were tried on a service without the key. */
const forgeries: Record<string, Forgery> = {
  'the key of development in the place of the one of production': {
    name: 'STRIPE_KEY',
    doubt: 'elsewhere',
    forge: () => [{ ...shownBy('prod', 'STRIPE_KEY'), value: shownBy('dev', 'STRIPE_KEY').value }],
  },
  'a live key that is said to be no secret': {
    name: 'KEPT',
    doubt: 'kind',
    forge: () => [{ ...shownBy('prod', 'KEPT'), isSecret: false }],
  },
  'a plaintext': {
    name: 'DATABASE_URL',
    doubt: 'plain',
    forge: () => [{ ...shownBy('prod', 'DATABASE_URL'), value: 'postgres://attacker' }],
  },
  'a secret from before it was rotated': {
    name: 'STRIPE_KEY',
    doubt: 'superseded',
    forge: () => [rotated],
  },
  'a variable that nobody added': {
    name: 'NODE_OPTIONS',
    doubt: 'plain',
    forge: () => {
      const like = shownBy('prod', 'KEPT')
      return [{ ...like, id: '01900000-0000-7000-8000-00000000ffff', name: 'NODE_OPTIONS', value: '--require ./evil.js', isSecret: false }]
    },
  },
}

/** Every way out of the table, as one text. */
async function everythingOut(): Promise<string> {
  const environmentId = me.environmentId('prod')
  const rows = await me.rows('prod')
  const outs = [
    valueOf(me.handlers['export.text']({ workspaceId, environmentId, format: 'env', reveal: true, resolve: true })),
    valueOf(me.handlers['export.text']({ workspaceId, environmentId, format: 'json', reveal: true, resolve: false })),
    valueOf(me.handlers['variables.values']({ workspaceId, ids: rows.map(({ id }) => id), reveal: true })),
    ...rows.map(({ id }) => valueOf(me.handlers['variables.show']({ workspaceId, id, reveal: true }))),
    ...rows.map(({ id }) => valueOf(me.handlers['references.resolve']({ workspaceId, id, reveal: true }))),
  ]
  return JSON.stringify(await Promise.all(outs))
}

const list = async () => (await valueOf(me.handlers['unverified.list']({ workspaceId }))).rows
const seenOf = (rows: readonly { id: string; rev: number }[]) => rows.map(({ id, rev }) => ({ id, seen: rev }))

async function attack(...which: Forgery[]): Promise<void> {
  proxy.forge(which.flatMap((forgery) => forgery.forge()))
  await me.sync()
}

test('what its members wrote is verified', async () => {
  expect(await valueOf(me.handlers['unverified.list']({ workspaceId }))).toEqual({ total: 0, rows: [] })
})

describe.each(Object.entries(forgeries))('%s', (_what, forgery) => {
  test('is Unverified, masked, counted, and goes nowhere', async () => {
    await attack(forgery)
    expect(await list()).toMatchObject([{ name: forgery.name, doubt: forgery.doubt, canRestore: forgery.name !== 'NODE_OPTIONS' }])
    const status = await valueOf(me.handlers['sync.status']({ workspaceId }))
    expect(status).toMatchObject({ state: 'attention', unverified: 1, message: null })
    const row = await me.row('prod', forgery.name)
    expect(row).toMatchObject({ trust: 'unverified', isSecret: true })
    const [shown] = await valueOf(me.handlers['variables.values']({ workspaceId, ids: [row.id], reveal: true }))
    expect(shown).toMatchObject({ state: 'unverified' })
    expect(await everythingOut()).not.toMatch(/sk_dev|attacker|evil|sk_old_prod/)
  })

  test('cannot be copied, duplicated, or compared as equal', async () => {
    await attack(forgery)
    const row = await me.row('prod', forgery.name)
    const dev = { workspaceId, environmentId: me.environmentId('dev') }
    const copied = await valueOf(
      me.handlers['variables.copy-to']({ ...dev, rows: [{ id: row.id, seen: row.rev }], onTaken: 'overwrite', seen: row.rev, move: false }),
    )
    expect(copied).toMatchObject({ copied: 0, overwritten: 0, skipped: 1 })
    expect(await me.handlers['variables.duplicate']({ workspaceId, id: row.id, seen: asShown })).toMatchObject({ ok: false })
    expect(me.desk.client.queue()).toEqual([])
  })

  test('is put right by the last verified value, or deleted where there was none', async () => {
    await attack(forgery)
    const [one] = await list()
    if (one === undefined) throw new Error('nothing is Unverified')
    if (one.canRestore) await valueOf(me.handlers['unverified.restore']({ workspaceId, rows: seenOf([one]) }))
    else await valueOf(me.handlers['variables.delete']({ workspaceId, rows: seenOf([one]) }))
    expect(await list()).toEqual([])
    proxy.stop()
    await me.sync()
    await me.sync()
    expect(await list()).toEqual([])
    const truth = { STRIPE_KEY: 'sk_prod', DATABASE_URL: 'postgres://prod', KEPT: 'kept' }
    expect(me.contents()).toMatchObject(Object.fromEntries(Object.entries(truth).map(([name, value]) => [`shop/prod/${name}`, value])))
  })

  test('is gone when the service tells the truth again', async () => {
    await attack(forgery)
    if (forgery.name === 'NODE_OPTIONS') return
    proxy.stop()
    await me.sync()
    expect(await list()).toEqual([])
    expect(await everythingOut()).toContain('sk_prod')
  })
})

test('all five at once are all Unverified, and one step puts them right', async () => {
  const { 'a secret from before it was rotated': old, ...rest } = forgeries
  await attack(...Object.values(rest))
  expect((await list()).map(({ name }) => name).toSorted()).toEqual(['DATABASE_URL', 'KEPT', 'NODE_OPTIONS', 'STRIPE_KEY'])
  expect(await everythingOut()).not.toMatch(/sk_dev|attacker|evil/)
  // A second lie on top of the first one takes nothing from what was verified.
  if (old !== undefined) await attack(old)
  const restorable = (await list()).filter(({ canRestore }) => canRestore)
  const done = await valueOf(me.handlers['unverified.restore']({ workspaceId, rows: seenOf(restorable) }))
  expect(done).toEqual({ decided: 3, skipped: 0 })
  expect(me.contents()).toMatchObject({
    'shop/prod/STRIPE_KEY': 'sk_prod',
    'shop/prod/DATABASE_URL': 'postgres://prod',
    'shop/prod/KEPT': 'kept',
  })
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  expect(await list()).toHaveLength(4)
})

test.each<{ edit: string; make: (row: VariableRow) => unknown; at: [slug: string, name: string]; text: string; isSecret: boolean }>([
  { edit: 'a value', make: () => me.set('prod', 'KEPT', 'mine'), at: ['prod', 'KEPT'], text: 'mine', isSecret: true },
  {
    edit: 'a name',
    make: ({ id }) => me.desk.client.updateVariable(id, { name: 'MINE' }),
    at: ['prod', 'MINE'],
    text: 'kept',
    isSecret: true,
  },
  {
    edit: 'no longer a secret',
    make: ({ id }) => me.desk.client.updateVariable(id, { isSecret: false }),
    at: ['prod', 'KEPT'],
    text: 'kept',
    isSecret: false,
  },
  { edit: 'a move', make: (row) => moveTo(me, 'test', row), at: ['test', 'KEPT'], text: 'kept', isSecret: true },
])('an edit ($edit) that the service ignores and says is done stays', async ({ make, at, text, isSecret }) => {
  const { client } = me.desk
  client.createEnvironment('shop', 'Test')
  await me.sync()
  proxy.forge([shownBy('prod', 'KEPT')])
  await make(await me.row('prod', 'KEPT'))
  await me.sync()
  const expectMine = async () => {
    expect(me.contents()).toMatchObject({ [`shop/${at.join('/')}`]: text })
    expect(await me.row(...at)).toMatchObject({ isSecret })
  }
  expect(client.queue()).toMatchObject([{ state: 'failed' }])
  await expectMine()
  proxy.stop()
  for (const { id } of client.queue()) client.retry(id)
  await me.sync()
  expect(client.queue()).toEqual([])
  await expectMine()
  expect(await list()).toEqual([])
})

test('a second edit, made while the first one is ignored, waits with it, not behind it', async () => {
  const { client } = me.desk
  proxy.forge([shownBy('prod', 'KEPT')])
  me.set('prod', 'KEPT', 'first')
  client.network = async (forward, request) => {
    const answer = await forward()
    if (request.method === 'POST') me.set('prod', 'KEPT', 'second')
    return answer
  }
  await me.sync()
  expect(client.queue()).toMatchObject([{ state: 'failed' }])
  expect(me.contents()).toMatchObject({ 'shop/prod/KEPT': 'second' })
})

describe.each(['ANOTHER_NAME', 'KEPT'])('a rename to %s by the service', (name) => {
  const renamed = (): WireVariable => ({ ...shownBy('prod', 'STRIPE_KEY'), name })
  beforeEach(() => attack({ name, doubt: 'elsewhere', forge: () => [renamed()] }))

  test('is Unverified, and goes nowhere', async () => {
    expect(await list()).toMatchObject([{ name, doubt: 'elsewhere', canRestore: true, lastName: 'STRIPE_KEY' }])
    expect(await everythingOut()).not.toContain('sk_prod')
  })

  test('leaves nothing Unverified once it is taken back', async () => {
    proxy.stop()
    await me.sync()
    await me.sync()
    expect(await list()).toEqual([])
    expect(me.contents()).toMatchObject({ 'shop/prod/STRIPE_KEY': 'sk_prod', 'shop/prod/KEPT': 'kept' })
  })

  test('leaves nothing Unverified once it is taken back after more lies', async () => {
    const { value } = shownBy('dev', 'STRIPE_KEY')
    for (const lie of [
      { ...renamed(), name: 'THIRD' },
      { ...renamed(), name: 'THIRD', value },
      { ...renamed(), value: 'plain' },
    ])
      await attack({ name, doubt: 'elsewhere', forge: () => [lie] })
    expect(await list()).toMatchObject([{ name, doubt: 'plain', canRestore: true }])
    proxy.stop()
    await me.sync()
    expect(await list()).toEqual([])
    expect(me.contents()).toMatchObject({ 'shop/prod/STRIPE_KEY': 'sk_prod', 'shop/prod/KEPT': 'kept' })
  })

  test('is put right by the last verified value, under its own name', async () => {
    await valueOf(me.handlers['unverified.restore']({ workspaceId, rows: seenOf(await list()) }))
    expect(me.contents()).toMatchObject({ 'shop/prod/STRIPE_KEY': 'sk_prod', 'shop/prod/KEPT': 'kept' })
    proxy.stop()
    await me.sync()
    await me.sync()
    expect([await list(), me.desk.client.queue()]).toEqual([[], []])
    expect(me.contents()).toMatchObject({ 'shop/prod/STRIPE_KEY': 'sk_prod', 'shop/prod/KEPT': 'kept' })
  })

  test('makes no way for a value from before it was rotated', async () => {
    await attack(forgeries['a secret from before it was rotated'] as Forgery)
    expect(await list()).toMatchObject([{ name: 'STRIPE_KEY', doubt: 'superseded', canRestore: true }])
  })
})

describe('a record that is shown with the name and the value of another one', () => {
  const borrowed = (from: string): WireVariable => ({ ...shownBy(from, 'KEPT'), id: shownBy('prod', 'STRIPE_KEY').id })
  const truth = { 'shop/prod/STRIPE_KEY': 'sk_prod', 'shop/prod/KEPT': 'kept', 'shop/dev/KEPT': 'kept' }

  test.each(['prod', 'dev'])('(of %s) is Unverified, and verified again with the truth', async (slug) => {
    const lie = borrowed(slug)
    // Told twice: the second time, the record has that name already.
    for (const lies of [[lie], [lie]]) await attack({ name: 'KEPT', doubt: 'elsewhere', forge: () => lies })
    expect(await list()).toMatchObject([{ name: 'KEPT', doubt: 'elsewhere', canAccept: true }])
    proxy.stop()
    await me.sync()
    expect([await list(), me.contents()]).toMatchObject([[], truth])
  })

  test('is Unverified also if that one is shown under a third name, or the two change places', async () => {
    const kept = shownBy('prod', 'KEPT')
    for (const other of [
      { ...kept, name: 'THIRD' },
      { ...shownBy('prod', 'STRIPE_KEY'), id: kept.id },
    ]) {
      await attack({ name: 'KEPT', doubt: 'elsewhere', forge: () => [other, borrowed('prod')] })
      expect((await list()).map(({ doubt }) => doubt)).toEqual(['elsewhere', 'elsewhere'])
    }
    proxy.stop()
    await me.sync()
    expect([await list(), me.contents()]).toMatchObject([[], truth])
  })
})

test('a record that is shown with the name and the value of a deleted one is Unverified, and verified again with the truth', async () => {
  const kept = shownBy('prod', 'KEPT')
  const stripe = shownBy('prod', 'STRIPE_KEY')
  await valueOf(
    me.handlers['variables.delete']({ workspaceId, rows: [await me.row('prod', 'KEPT')].map(({ id, rev }) => ({ id, seen: rev })) }),
  )
  await me.sync()
  await attack({ name: 'KEPT', doubt: 'elsewhere', forge: () => [{ ...kept, id: stripe.id }] })
  expect(await list()).toMatchObject([{ name: 'KEPT', doubt: 'elsewhere', canRestore: true, lastName: 'STRIPE_KEY' }])
  proxy.stop()
  await me.sync()
  expect([await list(), me.contents()]).toMatchObject([[], { 'shop/prod/STRIPE_KEY': 'sk_prod' }])
})

test('a new variable’s value that is shown in another one’s record and taken back leaves that one Unverified until it is accepted', async () => {
  const stripe = shownBy('prod', 'STRIPE_KEY')
  const place = { workspaceId: service.workspaceId, environmentId: stripe.environmentId, type: 'string', isSecret: true } as const
  const value = createWorkspaceCipher(key).sealFor('fresh', { ...place, name: 'FRESH' })
  proxy.forge([{ ...stripe, name: 'FRESH', value }])
  await me.sync()
  // Nothing tells it from a rename by a member.
  expect([await list(), me.contents()]).toMatchObject([[], { 'shop/prod/FRESH': 'fresh' }])
  proxy.stop()
  await me.sync()
  expect(await list()).toMatchObject([{ name: 'STRIPE_KEY', doubt: 'superseded', canAccept: true }])
  await valueOf(me.handlers['unverified.accept']({ workspaceId, rows: seenOf(await list()) }))
  await me.sync()
  expect([await list(), me.contents()]).toMatchObject([[], { 'shop/prod/STRIPE_KEY': 'sk_prod' }])
})

test('what a member rotates while the service lies about its name is superseded', async () => {
  const before = shownBy('prod', 'STRIPE_KEY')
  await attack({ name: 'ANOTHER_NAME', doubt: 'elsewhere', forge: () => [{ ...before, name: 'ANOTHER_NAME' }] })
  const other = new TestClient({ service, key, values: 'bound', random: seededRandom(2) })
  await other.sync()
  const theirs = new Person(deskOf(other))
  theirs.set('prod', 'STRIPE_KEY', 'sk_newest')
  await other.sync()
  await other.close()
  await me.sync()
  proxy.stop()
  await me.sync()
  await me.sync()
  expect([await list(), me.contents()]).toMatchObject([[], { 'shop/prod/STRIPE_KEY': 'sk_newest' }])
  proxy.forge([before])
  await me.sync()
  expect(await list()).toMatchObject([{ name: 'STRIPE_KEY', doubt: 'superseded', canRestore: true }])
})

test('a move to another environment that the service takes back leaves nothing Unverified', async () => {
  const dev = shownBy('dev', 'KEPT').environmentId
  await attack({
    name: 'MOVED',
    doubt: 'elsewhere',
    forge: () => [{ ...shownBy('prod', 'STRIPE_KEY'), name: 'MOVED', environmentId: dev }],
  })
  // The value of production is not offered to development.
  expect(await list()).toMatchObject([{ name: 'MOVED', canRestore: false }])
  proxy.stop()
  await me.sync()
  await me.sync()
  expect([await list(), me.contents()]).toMatchObject([[], { 'shop/prod/STRIPE_KEY': 'sk_prod' }])
})

test('a value that refers to an Unverified one is neither resolved nor exported, and says why', async () => {
  await attack(forgeries['a plaintext'] as Forgery)
  const id = (await me.rows('prod')).find(({ name }) => name === 'LOG_URL')?.id ?? ''
  expect(await valueOf(me.handlers['references.resolve']({ workspaceId, id, reveal: true }))).toMatchObject({
    problems: [{ kind: 'unverified', path: ['LOG_URL', 'DATABASE_URL'] }],
  })
  const exported = await valueOf(
    me.handlers['export.text']({ workspaceId, environmentId: me.environmentId('prod'), format: 'env', reveal: true, resolve: true }),
  )
  expect(exported.refused.map(({ name }) => name).toSorted()).toEqual(['DATABASE_URL', 'LOG_URL'])
})

test('an accepted value is sealed anew, and every other member takes it', async () => {
  await attack(forgeries['a plaintext'] as Forgery)
  await valueOf(me.handlers['unverified.accept']({ workspaceId, rows: seenOf(await list()) }))
  expect(await list()).toEqual([])
  proxy.stop()
  await me.sync()
  const other = new TestClient({ service, key, values: 'bound', random: seededRandom(2) })
  await other.sync()
  expect(other.contents()).toMatchObject({ 'shop/prod/DATABASE_URL': 'postgres://attacker' })
  const theirs = deskOf(other)
  expect(await valueOf(theirs.handlers['unverified.list']({ workspaceId }))).toEqual({ total: 0, rows: [] })
  await other.close()
})

test('what was decided on a value that changed since is not done', async () => {
  await attack(forgeries['a plaintext'] as Forgery)
  const before = await list()
  const shown = await Promise.all(
    before.map(async ({ id }) => ({ id, ...(await valueOf(me.handlers['unverified.show']({ workspaceId, id }))) })),
  )
  await attack({
    ...(forgeries['a plaintext'] as Forgery),
    forge: () => [{ ...shownBy('prod', 'DATABASE_URL'), value: 'postgres://worse' }],
  })
  expect(await valueOf(me.handlers['unverified.accept']({ workspaceId, rows: seenOf(before) }))).toEqual({ decided: 0, skipped: 1 })
  expect(await valueOf(me.handlers['unverified.restore']({ workspaceId, rows: seenOf(shown) }))).toEqual({ decided: 0, skipped: 1 })
})
