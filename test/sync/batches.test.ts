import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { loseAnswer, TestClient, unreachable, type Network } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** Several changes in one request: everything that holds for one holds for each. */

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
let service: FuzzService
let clients: TestClient[] = []

beforeEach(async () => {
  service = await startFuzzService(parent, {})
})

afterEach(async () => {
  for (const client of clients) await client.close()
  clients = []
  await service.close()
})

function open(send: typeof fetch = service.fetch): TestClient {
  const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(clients.length + 1), parent, fetch: send })
  clients.push(client)
  return client
}

const environment = (client: TestClient, slug = 'prod') => client.find('environment', client.find('project', null, 'shop').id, slug).id

/** Two clients with shop/prod and shop/dev; X and Y are in prod. */
async function two(send?: typeof fetch): Promise<[TestClient, TestClient]> {
  const [one, other] = [open(), open(send)]
  one.createProject('Shop')
  for (const slug of ['prod', 'dev']) one.createEnvironment('shop', slug)
  for (const name of ['X', 'Y']) one.setVariable(environment(one), name, `${name} 1`)
  await one.sync()
  await other.sync()
  return [one, other]
}

/** Makes prod of dev and dev of prod, on the service too. */
async function swapSlugs(client: TestClient): Promise<void> {
  const rename = (from: string, to: string) => client.updateParent('environment', environment(client, from), { slug: to })
  rename('prod', 'tmp')
  rename('dev', 'prod')
  rename('tmp', 'dev')
  await client.sync()
}

const waiting = (client: TestClient) => client.queue().map(({ kind, state }) => `${kind} ${state}`)
const isPush = ({ method, path }: Parameters<Network>[1]) => method === 'POST' && path.endsWith('/changes')

/** Counts what is sent, and applies `fault` to the first request with changes. */
function watch(client: TestClient, fault?: Network): string[] {
  const sent: string[] = []
  let isFirst = true
  client.network = (forward, request) => {
    if (request.method !== 'GET') sent.push(`${request.method} ${request.path.split('/').at(-1)}`)
    if (fault === undefined || !isFirst || !isPush(request)) return forward()
    isFirst = false
    return fault(forward, request)
  }
  return sent
}

/** Everything here as it is on the service, and nothing waits. */
async function settled(one: TestClient, other: TestClient, contents: Record<string, string>): Promise<void> {
  expect(waiting(other)).toEqual([])
  await one.sync()
  expect(one.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/dev': '', ...contents })
  expect(other.contents()).toEqual(one.contents())
  expect(other.drift()).toEqual([])
}

const xy = { 'shop/prod/X': 'X 1', 'shop/prod/Y': 'Y 1' }

/** Two new variables and a new value, in that order. */
function edit(client: TestClient): void {
  client.setVariable(environment(client), 'A', 'a')
  client.setVariable(environment(client), 'X', 'x 2')
  client.setVariable(environment(client), 'B', 'b')
}
const edited = { ...xy, 'shop/prod/X': 'x 2', 'shop/prod/A': 'a', 'shop/prod/B': 'b' }

test('new variables and new values of one environment go in one request', async () => {
  const [one, other] = await two()
  const sent = watch(other)
  edit(other)
  await other.sync()
  expect(sent).toEqual(['POST changes'])
  await settled(one, other, edited)
})

test('a request of 200 is marked and sent, and its answer opened and written, in turns of their own', async () => {
  const turns: string[][] = []
  let turn: string[] | null = null
  const note = (step: 'opens' | 'writes' | 'sends') => {
    if (turn === null) {
      turns.push((turn = []))
      setImmediate(() => (turn = null))
    }
    if (turn.at(-1) !== step || step === 'writes') turn.push(step)
  }
  const watched = (mirror: Mirror): Mirror => ({
    ...mirror,
    write: (work) => {
      note('writes')
      return mirror.write(work)
    },
  })
  const options = { service, key: new Uint8Array(32), random: seededRandom(1), parent, fetch: service.fetch }
  const client = new TestClient({ ...options, values: 'bound', watch: watched })
  clients.push(client)
  client.createProject('Shop')
  client.createEnvironment('shop', 'prod')
  await client.sync()
  for (let index = 0; index < 400; index += 1) client.setVariable(environment(client), `N${index}`, 'n')
  const { openBound } = client.cipher
  client.cipher.openBound = (...args) => {
    note('opens')
    return openBound(...args)
  }
  // Up to the pull.
  let pushing: string[][] | null = null
  client.network = (forward, { method, path }) => {
    if (method === 'POST') note('sends')
    else if (path.endsWith('/changes')) pushing ??= turns.splice(0)
    return forward()
  }
  await nextTurn()
  turns.length = 0
  await client.sync()
  const request = [['writes'], ['sends'], ['opens'], ['writes'], ['writes']]
  expect(pushing).toEqual([...request, ...request])
})

describe('what the service refuses of one', () => {
  test('parks that one with its words, and the others stand', async () => {
    // Somewhere on the way the value of B is spoilt.
    const spoil: typeof fetch = (input, init) => {
      const isText = typeof init?.body === 'string'
      const body = isText ? (JSON.parse(String(init.body)) as { changes?: { fields?: { name?: string; value?: string } }[] }) : null
      const of = body?.changes?.find(({ fields }) => fields?.name === 'B')
      if (of?.fields !== undefined) of.fields.value = 'spoilt'
      return service.fetch(input, of === undefined ? init : { ...init, body: JSON.stringify(body) })
    }
    const [, other] = await two(spoil)
    edit(other)
    await other.sync()
    expect(other.queue()).toMatchObject([{ patch: { name: 'B' }, state: 'failed' }])
    expect(other.contents()).toMatchObject(edited)
  })

  test('a name that somebody took is a conflict of that one alone', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one), 'A', 'theirs')
    await one.sync()
    edit(other)
    await other.sync()
    expect(other.queue()).toMatchObject([{ conflict: { kind: 'name-taken' }, state: 'conflict' }])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/A': 'theirs', 'shop/prod/B': 'b', 'shop/prod/X': 'x 2' })
  })

  test('a value that somebody changed is a conflict of that one alone', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one), 'X', 'theirs')
    await one.sync()
    edit(other)
    await other.sync()
    expect(other.queue()).toMatchObject([{ conflict: { kind: 'fields' }, state: 'conflict' }])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/A': 'a', 'shop/prod/B': 'b', 'shop/prod/X': 'theirs' })
  })

  test('the same that somebody made or typed is none', async () => {
    const [one, other] = await two()
    edit(one)
    await one.sync()
    edit(other)
    await other.sync()
    await settled(one, other, edited)
  })
})

describe('a request for several whose outcome is unknown', () => {
  const broken: Network = () =>
    Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }))
  const failing: Network = () => Promise.resolve(Response.json({ success: false, code: 500, message: 'No.', data: {} }, { status: 500 }))

  /** Applies `fault` to the first request with changes; nothing after it arrives. */
  function cutAt(client: TestClient, fault: Network): void {
    let isCut = false
    client.network = (forward, request) => {
      if (isCut) return unreachable(forward, request)
      isCut = isPush(request)
      return isCut ? fault(forward, request) : forward()
    }
  }

  test.each<{ says: string; fault: Network; isMade: boolean }>([
    { says: 'its answer was lost', fault: loseAnswer, isMade: true },
    { says: 'it never arrived', fault: broken, isMade: false },
    { says: 'the service failed', fault: failing, isMade: false },
  ])('is read, and sent again only where it was not done: $says', async ({ fault, isMade }) => {
    const [one, other] = await two()
    const sent: string[] = []
    cutAt(other, fault)
    edit(other)
    await other.sync()
    expect(waiting(other)).toEqual(['create sending', 'update sending', 'create sending'])
    await one.sync()
    expect(Object.keys(one.contents()).includes('shop/prod/A')).toBe(isMade)
    other.restart()
    other.skew = 3_600_000
    other.network = (forward, request) => {
      if (request.method !== 'GET') sent.push(request.path)
      return forward()
    }
    await other.sync()
    // What failed before goes alone.
    expect(sent).toHaveLength(isMade ? 0 : 3)
    await settled(one, other, edited)
  })

  test('a first one that arrives late, after the second and after a rename, makes nothing again', async () => {
    const [one, other] = await two()
    let late: () => Promise<Response> = () => Promise.reject(new Error('nothing was held back'))
    watch(other, (forward, request) => {
      late = forward
      return broken(forward, request)
    })
    edit(other)
    await other.sync()
    other.skew = 3_600_000
    await other.sync()
    await one.sync()
    one.renameVariable(environment(one), 'A', 'RENAMED')
    await one.sync()
    // The ids in it are taken: each of its changes is refused.
    expect((await late()).status).toBeLessThan(500)
    await other.sync()
    const { 'shop/prod/A': a, ...rest } = edited
    await settled(one, other, { ...rest, 'shop/prod/RENAMED': a })
  })

  test('what somebody renamed, changed or deleted since the lost answer stays as they left it', async () => {
    const [one, other] = await two()
    cutAt(other, loseAnswer)
    edit(other)
    await other.sync()
    other.network = (forward) => forward()
    await one.sync()
    one.renameVariable(environment(one), 'A', 'RENAMED')
    one.setVariable(environment(one), 'X', 'theirs')
    one.deleteVariable(environment(one), 'B')
    await one.sync()
    other.skew = 3_600_000
    await other.sync()
    await other.sync()
    // Whether these were ever done is unknown here: their user is asked, and nothing is decided without them.
    expect(other.queue()).toMatchObject([
      { patch: {}, conflict: { kind: 'fields' } },
      { patch: { name: 'B' }, conflict: { kind: 'deleted-remotely' } },
    ])
    for (const { id } of other.queue()) other.resolve(id, { take: 'theirs' })
    await settled(one, other, { ...xy, 'shop/prod/X': 'theirs', 'shop/prod/RENAMED': 'a' })
  })

  test('and what was renamed before its answer failed is there once, under its new name', async () => {
    const [one, other] = await two()
    watch(other, async (forward, request) => {
      await forward()
      await one.sync()
      for (const name of ['A', 'B']) one.renameVariable(environment(one), name, `${name} RENAMED`)
      await one.sync()
      return failing(forward, request)
    })
    for (const name of ['A', 'B']) other.setVariable(environment(other), name, 'made')
    await other.sync()
    other.skew = 3_600_000
    await other.sync()
    await other.sync()
    await settled(one, other, { ...xy, 'shop/prod/A RENAMED': 'made', 'shop/prod/B RENAMED': 'made' })
  })

  test('is reconciled, however often a read fails, and a new one that was renamed is not made again', async () => {
    const [one, other] = await two()
    watch(other, loseAnswer)
    edit(other)
    await other.sync()
    await one.sync()
    one.renameVariable(environment(one), 'A', 'RENAMED')
    await one.sync()
    for (let round = 1; round <= 8; round += 1) {
      other.skew += 3_600_000
      other.network = (forward, request) => (request.path.includes('/records/') ? unreachable(forward, request) : forward())
      await other.sync()
    }
    other.skew += 3_600_000
    other.network = (forward) => forward()
    await other.sync()
    await other.sync()
    const { 'shop/prod/A': a, ...rest } = edited
    await settled(one, other, { ...rest, 'shop/prod/RENAMED': a })
  })

  test.each<{ says: string; lost: (request: Parameters<Network>[1]) => Network | null }>([
    { says: 'with no answer lost', lost: () => null },
    { says: 'with its answer lost', lost: (request) => (isPush(request) ? loseAnswer : null) },
  ])('sent after its environment got another slug, it is in its own alone, $says', async ({ lost }) => {
    const [one, other] = await two()
    other.setVariable(environment(other), 'A', 'a')
    other.setVariable(environment(other), 'B', 'b')
    await swapSlugs(one)
    let isCut = false
    other.network = (forward, request) => {
      const cut = isCut ? unreachable : lost(request)
      isCut ||= cut !== null
      return cut === null ? forward() : cut(forward, request)
    }
    await other.sync()
    other.restart()
    other.network = (forward) => forward()
    other.skew = 3_600_000
    await other.sync()
    await other.sync()
    await settled(one, other, { 'shop/dev/X': 'X 1', 'shop/dev/Y': 'Y 1', 'shop/dev/A': 'a', 'shop/dev/B': 'b' })
  })

  test('for an environment that was deleted is not done in another that has its slug, and the user is asked', async () => {
    const [one, other] = await two()
    one.deleteParent('environment', environment(one))
    one.createEnvironment('shop', 'prod')
    one.updateParent('environment', environment(one), { name: 'Theirs' })
    await one.sync()
    other.setVariable(environment(other), 'A', 'a')
    other.setVariable(environment(other), 'B', 'b')
    await other.sync()
    expect(other.queue().filter(({ conflict }) => conflict !== null)).not.toEqual([])
    await one.sync()
    expect(one.contents()).not.toHaveProperty('shop/prod/A')
  })

  test('an edit and a delete made meanwhile wait for it, and arrive', async () => {
    const [one, other] = await two()
    watch(other, loseAnswer)
    edit(other)
    await other.sync()
    other.setVariable(environment(other), 'A', 'a 2')
    other.deleteVariable(environment(other), 'B')
    other.skew = 3_600_000
    await other.sync()
    const { 'shop/prod/B': _deleted, ...rest } = edited
    await settled(one, other, { ...rest, 'shop/prod/A': 'a 2' })
  })
})
