import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getBase } from '../../../electron/mirror/base-layer.ts'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { loseAnswer, sends, TestClient, unreachable, type ClientOptions, type Network } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { startTamperingProxy, type TamperingProxy, type WireVariable } from '../../support/tampering-proxy.ts'
import { Person } from '../seen/two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const key = new Uint8Array(32).fill(7)
let service: StartedService
let proxy: TamperingProxy
let people: Person[]

beforeEach(async () => {
  service = await startService()
  proxy = await startTamperingProxy(service.url)
  people = []
})
afterEach(async () => {
  for (const { desk } of people) await desk.client.close()
  await proxy.close()
  await service.close()
})

function join(url = proxy.url, options: Partial<ClientOptions> = {}): Person {
  const random = seededRandom(people.length + 1)
  const client = new TestClient({ service: { ...service, url }, key, random, values: 'bound', ...options })
  const person = new Person(deskOf(client))
  people.push(person)
  return person
}

/** KEY of prod is `one` in the version `first`, and `two` since; others have seen both. Gives KEY as the service showed it first. */
async function rotate(me: Person, ...others: Person[]): Promise<WireVariable> {
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  me.set('prod', 'KEY', 'one')
  await me.sync()
  for (const other of others) await other.sync()
  const rotated = shownTo(me, 'KEY')
  const environmentId = me.environmentId('prod')
  await valueOf(me.handlers['versions.create']({ workspaceId, environmentId, label: 'first' }))
  await me.sync()
  me.set('prod', 'KEY', 'two')
  await me.sync()
  for (const other of others) await other.sync()
  return rotated
}

/** The record of a variable as the true service shows it. */
function shownTo(me: Person, name: string): WireVariable {
  const { client } = me.desk
  const environment = client.mirror.snapshot((tx) => getBase(tx, me.environmentId('prod')))
  const found = [...proxy.seen.values()].find((each) => each.environmentId === environment?.remoteId && each.name === name)
  if (found === undefined) throw new Error(`the service showed no ${name}`)
  return found
}

async function rollBack(me: Person, label = 'first'): Promise<void> {
  const version = me.desk.client.version(me.environmentId('prod'), label)
  const { fingerprint } = await valueOf(me.handlers['versions.preview-rollback']({ workspaceId, versionId: version.id }))
  await valueOf(me.handlers['versions.rollback']({ workspaceId, versionId: version.id, fingerprint }))
}

const list = async ({ handlers }: Person) => (await valueOf(handlers['unverified.list']({ workspaceId }))).rows
const operation = ({ desk: { client } }: Person) => {
  const [first] = client.operations()
  if (first === undefined) throw new Error('no operation is queued')
  return first
}
const refusing: Network = (forward, request) =>
  sends('rollback version', request)
    ? Promise.resolve(Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 }))
    : forward()
const losing =
  (instead: Network): Network =>
  (forward, request) =>
    sends('rollback version', request) ? instead(forward, request) : forward()

describe('a value that a rollback was to bring back is superseded again once the rollback', () => {
  const ends: [string, (me: Person) => Promise<void>][] = [
    [
      'is refused',
      async (me) => {
        me.desk.client.network = refusing
        await me.sync()
        expect(operation(me)).toMatchObject({ state: 'failed' })
      },
    ],
    [
      'is discarded',
      async (me) => {
        me.desk.client.network = losing(unreachable)
        await me.sync()
        await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: operation(me).id }))
      },
    ],
    [
      'is parked, because others changed the environment',
      async (me) => {
        const other = join(service.url)
        me.desk.client.network = losing(unreachable)
        await me.sync()
        await other.sync()
        other.set('prod', 'KEY', 'three')
        await other.sync()
        me.desk.client.network = (forward) => forward()
        await me.sync()
        expect(operation(me)).toMatchObject({ state: 'conflict' })
      },
    ],
  ]
  test.each(ends)('%s', async (_what, end) => {
    const me = join()
    const rotated = await rotate(me)
    await rollBack(me)
    await end(me)
    me.desk.client.network = (forward) => forward()
    proxy.forge([rotated])
    await me.sync()
    expect(await list(me)).toMatchObject([{ name: 'KEY', doubt: 'superseded' }])
  })
})

test('what a restored environment holds is no earlier value to who has created another one in its place', async () => {
  const me = join()
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  me.set('prod', 'KEY', 'one')
  me.set('prod', 'OTHER', 'one')
  await me.sync()
  const them = join(service.url)
  await them.sync()
  me.set('prod', 'OTHER', 'mine')
  const { id, rev: seen } = await them.environment('prod')
  await valueOf(them.handlers['environments.delete']({ workspaceId, id, seen }))
  await them.sync()
  await me.sync()
  const [question] = await me.conflicts()
  const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
  const choice = { take: 'edit', fields: { name: 'Prod', slug: 'prod' } } as const
  await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice }))
  await me.sync()
  me.set('prod', 'KEY', 'again')
  await me.sync()
  const { remote } = them.desk.client
  const listed = await remote.listDeleted(null)
  const deleted = listed.ok ? listed.value.items[0]?.id : undefined
  expect(await remote.restoreDeleted(deleted ?? '', 'old')).toMatchObject({ ok: true })
  await me.sync()
  expect([me.value('prod', 'KEY'), me.value('old', 'KEY'), await list(me)]).toEqual(['again', 'one', []])
})

test('a value that came back under an edit of its user is sealed anew once that edit is given up', async () => {
  const me = join()
  const other = join(service.url)
  await rotate(me, other)
  await rollBack(me)
  const { client } = me.desk
  client.network = losing(unreachable)
  await me.sync()
  // Typed while the rollback waits, it comes after it.
  client.updateVariable(client.find('variable', me.environmentId('prod'), 'KEY').id, { value: 'typed' })
  client.network = (forward, request) => (sends('update variable', request) ? unreachable(forward, request) : forward())
  await me.sync()
  const [edit] = client.queue()
  await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: edit?.id ?? '' }))
  client.network = (forward) => forward()
  await me.sync()
  await other.sync()
  expect([other.contents(), await list(other)]).toMatchObject([{ 'shop/prod/KEY': 'one' }, []])
})

test('a value that came back under a variable of its name is sealed anew once that one gets another name', async () => {
  const me = join()
  const other = join(service.url)
  await rotate(me, other)
  const { client } = me.desk
  client.deleteVariable(me.environmentId('prod'), 'KEY')
  await me.sync()
  await rollBack(me)
  client.network = losing(unreachable)
  await me.sync()
  // Typed while the rollback waits, it comes after it.
  me.set('prod', 'KEY', 'typed')
  client.network = (forward) => forward()
  await me.sync()
  const [question] = await me.conflicts()
  const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
  const choice = { take: 'edit', fields: { name: 'MINE' } } as const
  await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice }))
  await me.sync()
  await other.sync()
  expect([other.contents(), await list(other)]).toMatchObject([{ 'shop/prod/KEY': 'one', 'shop/prod/MINE': 'typed' }, []])
})

test('a rollback whose answer is lost is known by its values, and nothing of it is Unverified', async () => {
  const me = join()
  await rotate(me)
  await rollBack(me)
  let isFirst = true
  me.desk.client.network = (forward, request) => {
    if (!sends('rollback version', request) || !isFirst) return forward()
    isFirst = false
    return loseAnswer(forward, request)
  }
  await me.sync()
  await me.sync()
  expect(me.contents()).toMatchObject({ 'shop/prod/KEY': 'one' })
  expect(me.desk.client.entries()).toEqual([])
  expect(await list(me)).toEqual([])
})

test('a rollback that was done is not refused where its environment cannot be read after it, and nothing of it is Unverified', async () => {
  const me = join()
  const other = join(service.url)
  await rotate(me, other)
  await rollBack(me)
  let isDone = false
  me.desk.client.network = (forward, request) => {
    if (isDone) return Promise.resolve(Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 }))
    isDone = sends('rollback version', request)
    return forward()
  }
  await me.sync()
  const [entry] = me.desk.client.operations()
  expect(entry).toMatchObject({ kind: 'rollback', state: 'sending' })
  expect(await me.handlers['queue.discard']({ workspaceId, changeId: operation(me).id })).toMatchObject({ ok: false })
  me.desk.client.network = (forward) => forward()
  me.desk.client.skew += 3_600_000
  await me.sync()
  await other.sync()
  expect([me.desk.client.entries(), other.contents(), await list(other)]).toMatchObject([[], { 'shop/prod/KEY': 'one' }, []])
})

test('what a computer that never saw the later value brings back is verified by others in the end', async () => {
  const [me, other] = [join(), join(service.url)]
  await rotate(me)
  await other.sync()
  const fresh = join(service.url)
  await fresh.sync()
  await rollBack(fresh)
  await fresh.sync()
  await fresh.sync()
  await other.sync()
  expect(other.contents()).toMatchObject({ 'shop/prod/KEY': 'one' })
  expect(await list(other)).toEqual([])
})

test('the value of a deleted variable is superseded once another one takes its name', async () => {
  const me = join()
  const rotated = await rotate(me)
  me.desk.client.deleteVariable(me.environmentId('prod'), 'KEY')
  await me.sync()
  me.set('prod', 'KEY_NEW', 'three')
  await me.sync()
  me.desk.client.renameVariable(me.environmentId('prod'), 'KEY_NEW', 'KEY')
  await me.sync()
  const { value } = shownTo(me, 'KEY')
  expect(value).not.toBe(rotated.value)
  proxy.forge([{ ...shownTo(me, 'KEY'), value: rotated.value }])
  await me.sync()
  expect(await list(me)).toMatchObject([{ name: 'KEY', doubt: 'superseded' }])
})

test('a value typed over one that is to be sealed anew, and typed back, leaves it to be sealed anew', async () => {
  const [me, other] = [join(), join(service.url)]
  await rotate(me)
  await other.sync()
  await rollBack(me)
  // The rollback is done, and what it brought back waits to be sealed anew.
  me.desk.client.network = (forward, request) => (sends('update variable', request) ? unreachable(forward, request) : forward())
  await me.sync()
  expect(me.desk.client.queue()).toMatchObject([{ patch: { value: { reseal: true } } }])
  me.set('prod', 'KEY', 'typed')
  me.set('prod', 'KEY', 'one')
  me.desk.client.network = (forward) => forward()
  await me.sync()
  await other.sync()
  expect(other.contents()).toMatchObject({ 'shop/prod/KEY': 'one' })
  expect(await list(other)).toEqual([])
})

describe('many values that a rollback brings back', () => {
  const count = 230
  async function rotateMany(me: Person, many = count, text = 'one'): Promise<void> {
    me.desk.client.createProject('Shop')
    me.desk.client.createEnvironment('shop', 'Prod')
    for (let n = 0; n < many; n += 1) me.set('prod', `N${n}`, text)
    await me.sync()
    await valueOf(me.handlers['versions.create']({ workspaceId, environmentId: me.environmentId('prod'), label: 'first' }))
    await me.sync()
    for (let n = 0; n < many; n += 1) me.set('prod', `N${n}`, 'two')
    await me.sync()
    await rollBack(me)
  }
  /** Entries that each write added to the queue, since the rollback was asked for. */
  let added: number[] = []
  let write: (before: Mirror) => void = () => undefined
  const watch = (mirror: Mirror): Mirror => ({
    ...mirror,
    write: (work) => {
      write(mirror)
      const before = mirror.snapshot(allEntries).length
      const done = mirror.write(work)
      added.push(mirror.snapshot(allEntries).length - before)
      return done
    },
  })

  test('are queued to be sealed anew in pieces', async () => {
    const me = join(service.url, { watch })
    await rotateMany(me)
    added = []
    await me.sync()
    expect(added.filter((n) => n > 0).reduce((sum, n) => sum + n, 0)).toBe(count)
    expect(Math.max(...added)).toBeLessThanOrEqual(100)
    expect(await list(me)).toEqual([])
  })

  test('are queued to be sealed anew one at a time where they are large', async () => {
    const me = join(service.url, { watch })
    await rotateMany(me, 4, 'x'.repeat(300_000))
    added = []
    await me.sync()
    expect(added.filter((n) => n > 0)).toEqual([1, 1, 1, 1])
  })

  test('are all sealed anew when Holdfast ends in the middle of that', async () => {
    const [me, other] = [join(service.url, { watch }), join(service.url)]
    await rotateMany(me)
    await other.sync()
    added = []
    write = () => {
      if (added.some((n) => n === 100)) throw new Error('killed')
    }
    await me.sync()
    expect(me.desk.client.queue().length).toBe(100)
    write = () => undefined
    me.desk.client.restart()
    await me.sync()
    await me.sync()
    await other.sync()
    expect(me.desk.client.entries()).toEqual([])
    expect(await list(other)).toEqual([])
  })
})
