import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
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
  await other.readOne('shop')
  return [one, other]
}

/** Makes prod of dev and dev of prod, on the server too. */
async function swapSlugs(client: TestClient): Promise<void> {
  const rename = (from: string, to: string) => client.updatePlace('environment', environment(client, from), { slug: to })
  rename('prod', 'tmp')
  rename('dev', 'prod')
  rename('tmp', 'dev')
  await client.sync()
}

const waiting = (client: TestClient) => client.queue().map(({ kind, state }) => `${kind} ${state}`)
const isBulk = ({ method, path }: Parameters<Network>[1]) => method === 'POST' && path.endsWith('/bulk')

/** Counts what is sent, and applies `fault` to the first bulk request. */
function watch(client: TestClient, fault?: Network): string[] {
  const sent: string[] = []
  let isFirst = true
  client.network = (forward, request) => {
    if (request.method !== 'GET') sent.push(`${request.method} ${request.path.split('/').at(-1)}`)
    if (fault === undefined || !isFirst || !isBulk(request)) return forward()
    isFirst = false
    return fault(forward, request)
  }
  return sent
}

/** Everything here as it is on the server, and nothing waits. */
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
  expect(sent).toEqual(['POST bulk'])
  await settled(one, other, edited)
})

test('a server that takes one at a time is asked once, and gets one at a time', async () => {
  await service.close()
  service = await startFuzzService(parent, { without: ['bulk'] })
  const [one, other] = await two()
  const sent = watch(other)
  edit(other)
  await other.sync()
  other.setVariable(environment(other), 'C', 'c')
  other.setVariable(environment(other), 'D', 'd')
  await other.sync()
  expect(sent.filter((what) => what === 'POST bulk')).toHaveLength(1)
  await settled(one, other, { ...edited, 'shop/prod/C': 'c', 'shop/prod/D': 'd' })
})

describe('what the server refuses of one', () => {
  test('parks that one with its words, and the others stand', async () => {
    // Somewhere on the way the value of B is spoilt.
    const spoil: typeof fetch = (input, init) => {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { variables?: { name: string; value: string }[] }) : null
      const of = body?.variables?.find(({ name }) => name === 'B')
      if (of !== undefined) of.value = 'spoilt'
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

describe('a server that does not heed what an item was made on', () => {
  /** The real service behind something that loses the conditions of each item on the way. */
  const careless: typeof fetch = (input, init) => {
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { variables?: Record<string, unknown>[] }) : null
    for (const item of body?.variables ?? []) for (const condition of ['ifMatch', 'ifNoneMatch']) delete item[condition]
    return service.fetch(input, body?.variables === undefined ? init : { ...init, body: JSON.stringify(body) })
  }

  test('and overwrites a name that was to be free gets one variable at a time from then on, also after a restart', async () => {
    const [one, other] = await two(careless)
    one.setVariable(environment(one), 'A', 'theirs')
    await one.sync()
    const sent = watch(other)
    edit(other)
    await other.sync()
    expect(sent).toEqual(['POST bulk'])
    other.setVariable(environment(other), 'C', 'c')
    other.setVariable(environment(other), 'D', 'd')
    await other.sync()
    other.restart()
    other.setVariable(environment(other), 'E', 'e')
    other.setVariable(environment(other), 'F', 'f')
    await other.sync()
    expect(sent.filter((what) => what === 'POST bulk')).toHaveLength(1)
    await settled(one, other, {
      ...edited,
      ...Object.fromEntries(['C', 'D', 'E', 'F'].map((name) => [`shop/prod/${name}`, name.toLowerCase()])),
    })
  })

  test('the same when only the repeated request was answered', async () => {
    const [one, other] = await two(careless)
    one.setVariable(environment(one), 'A', 'theirs')
    await one.sync()
    const sent = watch(other, loseAnswer)
    edit(other)
    await other.sync()
    other.skew = 3_600_000
    await other.sync()
    other.setVariable(environment(other), 'C', 'c')
    other.setVariable(environment(other), 'D', 'd')
    await other.sync()
    expect(sent.filter((what) => what === 'POST bulk')).toHaveLength(2)
    expect(sent.filter((what) => what === 'POST variables')).toHaveLength(2)
  })

  test('what it overwrote is kept in the history, where it was known here', async () => {
    const [one, other] = await two(careless)
    one.renameVariable(environment(one), 'Y', 'A')
    await one.sync()
    edit(other)
    await other.sync()
    const { id } = other.find('variable', environment(other), 'A')
    expect(other.historyOf(id)).toEqual([{ whose: 'mine', value: 'Y 1' }])
    expect(other.contents()).toEqual({
      shop: '',
      'shop/prod': '',
      'shop/dev': '',
      'shop/prod/X': 'x 2',
      'shop/prod/A': 'a',
      'shop/prod/B': 'b',
    })
    await settled(one, other, { 'shop/prod/X': 'x 2', 'shop/prod/A': 'a', 'shop/prod/B': 'b' })
  })

  test('a batch never takes back a variable of another environment that it met there', async () => {
    const [one, other] = await two(careless)
    one.setVariable(environment(one, 'dev'), 'A', 'theirs in dev')
    await one.sync()
    other.setVariable(environment(other), 'A', 'a')
    other.setVariable(environment(other), 'B', 'b')
    await swapSlugs(one)
    const sent = watch(other)
    await other.sync()
    // Only B is taken back: this request made it in the wrong place. A was there, and stays.
    expect(sent.filter((what) => what.startsWith('DELETE'))).toEqual(['DELETE B'])
    await one.sync()
    expect(Object.keys(one.contents()).filter((path) => path.endsWith('/A'))).toEqual(['shop/dev/A', 'shop/prod/A'])
  })
})

describe('a request for several whose outcome is unknown', () => {
  const broken: Network = () =>
    Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }))
  const failing: Network = () => Promise.resolve(Response.json({ success: false, code: 500, message: 'No.', data: {} }, { status: 500 }))

  test.each<{ says: string; fault: Network; isMade: boolean }>([
    { says: 'its answer was lost', fault: loseAnswer, isMade: true },
    { says: 'it never arrived', fault: broken, isMade: false },
    { says: 'the server failed', fault: failing, isMade: false },
  ])('is repeated as it was, and nothing is done twice: $says', async ({ fault, isMade }) => {
    const [one, other] = await two()
    const sent = watch(other, fault)
    edit(other)
    await other.sync()
    expect(waiting(other)).toEqual(['create sending', 'update sending', 'create sending'])
    await one.sync()
    expect(Object.keys(one.contents()).includes('shop/prod/A')).toBe(isMade)
    other.restart()
    other.skew = 3_600_000
    await other.sync()
    expect(sent).toEqual(['POST bulk', 'POST bulk'])
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
    expect((await late()).status).toBe(200)
    await other.sync()
    const { 'shop/prod/A': a, ...rest } = edited
    await settled(one, other, { ...rest, 'shop/prod/RENAMED': a })
  })

  test('what somebody renamed, changed or deleted since the lost answer stays as they left it', async () => {
    const [one, other] = await two()
    watch(other, loseAnswer)
    edit(other)
    await other.sync()
    await one.sync()
    one.renameVariable(environment(one), 'A', 'RENAMED')
    one.setVariable(environment(one), 'X', 'theirs')
    one.deleteVariable(environment(one), 'B')
    await one.sync()
    other.skew = 3_600_000
    await other.sync()
    await other.sync()
    await settled(one, other, { ...xy, 'shop/prod/X': 'theirs', 'shop/prod/RENAMED': 'a' })
  })

  test('nor does the answer to the repeated one bring back what a pull had brought before, renamed', async () => {
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
    expect(waiting(other)).toEqual(['create sending', 'create sending'])
    expect(other.contents()).toMatchObject({ 'shop/prod/A RENAMED': 'made' })
    other.skew = 3_600_000
    await other.sync()
    await other.sync()
    await settled(one, other, { ...xy, 'shop/prod/A RENAMED': 'made', 'shop/prod/B RENAMED': 'made' })
  })

  test('is repeated until it is settled, however often a look after it fails, and a new one that was renamed is not made again', async () => {
    const [one, other] = await two()
    watch(other, loseAnswer)
    edit(other)
    await other.sync()
    await one.sync()
    one.renameVariable(environment(one), 'A', 'RENAMED')
    await one.sync()
    for (let round = 1; round <= 8; round += 1) {
      other.skew += 3_600_000
      other.network = (forward, request) => (request.path.endsWith('/variables/B') ? unreachable(forward, request) : forward())
      await other.sync()
    }
    other.skew += 3_600_000
    other.network = (forward) => forward()
    await other.sync()
    await other.sync()
    const { 'shop/prod/A': a, ...rest } = edited
    await settled(one, other, { ...rest, 'shop/prod/RENAMED': a })
  })

  test('when repeating does not help, each is looked for and sent alone', async () => {
    const [one, other] = await two()
    const sent: string[] = []
    other.network = (forward, request) => {
      if (request.method !== 'GET') sent.push(request.path.split('/').at(-1) ?? '')
      return isBulk(request) ? failing(forward, request) : forward()
    }
    edit(other)
    for (let round = 1; round <= 9; round += 1) {
      await other.sync()
      other.skew += 3_600_000
    }
    expect(sent.filter((what) => what === 'bulk')).toHaveLength(6)
    await settled(one, other, edited)
  })

  test.each<{ says: string; lost: (request: Parameters<Network>[1], nth: number) => Network | null }>([
    { says: 'with no answer lost', lost: () => null },
    { says: 'with its answer lost', lost: (request) => (isBulk(request) ? loseAnswer : null) },
    { says: 'with the second to take back lost', lost: ({ method }, nth) => (method === 'DELETE' && nth === 2 ? unreachable : null) },
  ])('made where its environment was, it is in the end in its own alone, $says', async ({ lost }) => {
    const [one, other] = await two()
    other.setVariable(environment(other), 'A', 'a')
    other.setVariable(environment(other), 'B', 'b')
    await swapSlugs(one)
    const seen = new Map<string, number>()
    let isCut = false
    other.network = (forward, request) => {
      const nth = (seen.get(request.method) ?? 0) + 1
      seen.set(request.method, nth)
      const cut = isCut ? unreachable : lost(request, nth)
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

  test('made where another environment has the slug of one that is gone, it is taken back once, and the user is asked', async () => {
    const [one, other] = await two()
    one.deletePlace('environment', environment(one))
    one.createEnvironment('shop', 'prod')
    one.updatePlace('environment', environment(one), { name: 'Theirs' })
    await one.sync()
    const sent = watch(other)
    other.setVariable(environment(other), 'A', 'a')
    other.setVariable(environment(other), 'B', 'b')
    await other.sync()
    expect(sent).toEqual(['POST bulk', 'DELETE A', 'DELETE B'])
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
