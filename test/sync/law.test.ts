import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { copyTo } from '../../electron/app/bulk/copy-to.ts'
import { allBase } from '../../electron/mirror/base-layer.ts'
import { deletedParents } from '../../electron/mirror/deleted-layer.ts'
import { getState } from '../../electron/mirror/workspace-state.ts'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { loseAnswer, loseThenRefuseReads, sends, TestClient, unreachable, type Network } from '../support/build-client.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { asShown, rowsAsShown } from '../support/as-shown.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { valueOf } from '../support/value-of.ts'

/** What the queue and the mirror promise, where no other test says it in its own words (docs/sync-proof.md lists all). */

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function serve(deps: Parameters<typeof startFuzzService>[1] = {}): Promise<FuzzService> {
  const service = await startFuzzService(parent, deps)
  open.push(service)
  return service
}

function join(service: FuzzService, send: typeof fetch = service.fetch): TestClient {
  const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(open.length), parent, fetch: send })
  open.push(client)
  return client
}

const dayMs = 86_400_000

/** Lets days pass, with a sync on each. */
async function passDays(client: TestClient, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    client.skew += dayMs
    await client.sync()
  }
}

const prodOf = (client: TestClient) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

async function withShop(service: FuzzService, send?: typeof fetch): Promise<TestClient> {
  const client = join(service, send)
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  client.setVariable(prodOf(client), 'A', '1')
  await client.sync()
  expect(client.queue()).toEqual([])
  return client
}

describe('the local history', () => {
  test('keeps what my write overwrote and what theirs did, and forgets it after 30 days', async () => {
    const service = await serve()
    const one = await withShop(service)
    const other = join(service)
    await other.sync()
    const { id } = one.find('variable', prodOf(one), 'A')
    one.setVariable(prodOf(one), 'A', '2')
    await one.sync()
    await other.sync()
    other.setVariable(prodOf(other), 'A', '3')
    await other.sync()
    await one.sync()
    expect(one.historyOf(id)).toEqual([
      { whose: 'mine', value: '1' },
      { whose: 'theirs', value: '2' },
    ])
    await passDays(one, 29)
    expect(one.historyOf(id)).toHaveLength(2)
    await passDays(one, 2)
    expect(one.historyOf(id)).toEqual([])
  })

  test.each([
    ['a year ahead', 365 * dayMs],
    ['at the year 1970', -Date.now()],
  ])('outlives a clock that is %s for a while, as deleted projects do', async (_, wrong) => {
    const one = await withShop(await serve())
    const { id } = one.find('variable', prodOf(one), 'A')
    const edit = async (value: string) => {
      one.setVariable(prodOf(one), 'A', value)
      await one.sync()
    }
    const remove = async (slug: string) => {
      one.deleteParent('project', one.find('project', null, slug).id)
      await one.sync()
    }
    for (const name of ['Before', 'Meanwhile']) one.createProject(name)
    await edit('2')
    await remove('before')
    one.skew = wrong
    await edit('3')
    await remove('meanwhile')
    one.skew = 0
    await edit('4')
    expect(one.historyOf(id).map(({ value }) => value)).toEqual(['1', '2', '3'])
    expect(one.mirror.snapshot(deletedParents)).toMatchObject([{ slug: 'meanwhile' }, { slug: 'before' }])
    await passDays(one, 33)
    expect(one.historyOf(id)).toEqual([])
  })
})

describe('before a write', () => {
  test('a service with the change feed is told what the change was made on', async () => {
    const service = await serve()
    const sent: string[] = []
    const client = await withShop(service, (input, init) => {
      if (init?.method === 'POST') sent.push(String(init.body))
      return service.fetch(input, init)
    })
    sent.length = 0
    client.setVariable(prodOf(client), 'A', '2')
    await client.sync()
    const [variable] = client.mirror.snapshot(allBase).filter(({ kind }) => kind === 'variable')
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatch(/"ifMatch":"[^"]+/)
    expect(sent[0]).toContain(variable?.remoteId ?? 'nothing')
  })

  test('a service without the feed is read and compared first', async () => {
    const service = await serve()
    const one = await withShop(service)
    const other = join(service)
    other.network = withoutFeed
    await other.sync()
    const sent: string[] = []
    other.network = (forward, request) => {
      if (/\/variables\/[^/]+$/.test(request.path)) sent.push(request.method)
      return withoutFeed(forward, request)
    }
    other.setVariable(prodOf(other), 'A', '2')
    await other.sync()
    expect(sent).toEqual(['GET', 'PATCH'])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/A': '2' })
  })

  test('a write that was refused because the record had changed is planned again on the record as it is, and sent', async () => {
    const service = await serve()
    const one = await withShop(service)
    const other = join(service)
    await other.sync()
    one.renameVariable(prodOf(one), 'A', 'B')
    await one.sync()
    let requests = 0
    other.network = (forward, { method }) => {
      if (method === 'POST') requests += 1
      return forward()
    }
    other.setVariable(prodOf(other), 'A', '2')
    await other.sync()
    expect(requests).toBe(2)
    await one.sync()
    expect(one.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/B': '2' })
  })

  test('no local id is ever shown to the service', async () => {
    const service = await serve()
    const shown: string[] = []
    const client = await withShop(service, (input, init) => {
      shown.push(`${String(input instanceof Request ? input.url : input)} ${typeof init?.body === 'string' ? init.body : ''}`)
      return service.fetch(input, init)
    })
    client.setVariable(prodOf(client), 'B', '1')
    client.setVariable(prodOf(client), 'C', '1')
    await client.sync()
    client.setVariable(prodOf(client), 'A', '2')
    client.deleteVariable(prodOf(client), 'B')
    client.updateParent('environment', prodOf(client), { slug: 'live' })
    await client.sync()
    expect(client.queue()).toEqual([])
    const ids = client.below(client.find('project', null, 'shop').id).map(({ id }) => id)
    expect(ids.filter((id) => shown.some((text) => text.includes(id)))).toEqual([])
  })
})

describe('a first attempt', () => {
  /** What is written; it fails at the service as `status` says. */
  const watched = (service: FuzzService, sent: string[], fails: { status: number }): typeof fetch =>
    async function send(input, init) {
      if (init?.method === undefined || init.method === 'GET') return service.fetch(input, init)
      sent.push(String(init.body))
      if (fails.status === 200) return service.fetch(input, init)
      return Response.json({ success: false, code: fails.status, message: 'No.', data: {} }, { status: fails.status })
    }

  test.each<{ of: string; edit: (client: TestClient, value: string) => void }>([
    { of: 'a create', edit: (client, value) => client.setVariable(prodOf(client), 'N', value) },
    { of: 'an update', edit: (client, value) => client.setVariable(prodOf(client), 'A', value) },
  ])('of $of freezes the request: what is typed later goes after it, and the retry is the same bytes', async ({ edit }) => {
    const service = await serve()
    const sent: string[] = []
    const fails = { status: 200 }
    const client = await withShop(service, watched(service, sent, fails))
    sent.length = 0
    fails.status = 500
    edit(client, 'first')
    await client.sync()
    edit(client, 'second')
    expect(client.queue().map(({ state }) => state)).toEqual(['sending', 'queued'])
    client.restart()
    fails.status = 200
    client.skew = 3_600_000
    await client.sync()
    expect(client.queue()).toEqual([])
    expect(sent).toHaveLength(3)
    // Nothing needs a key: a create names the id of its record, an update the ETag it was made on.
    expect(sent[0]).toMatch(/"op":"create"|"ifMatch"/)
    expect(sent[1]).toBe(sent[0])
    expect(sent[2]).not.toBe(sent[0])
    expect(Object.values(client.contents())).toContain('second')
  })
})

test('a row has one local id for life: made offline, sent, met by a pull, renamed, in a place that got another slug, after every restart', async () => {
  const service = await serve()
  const client = join(service)
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  client.setVariable(prodOf(client), 'A', '1')
  const ids = () => [client.find('project', null, 'shop').id, ...client.below(client.find('project', null, 'shop').id).map(({ id }) => id)]
  const before = ids()
  expect(before).toHaveLength(3)
  await client.sync()
  const other = join(service)
  await other.sync()
  other.renameVariable(prodOf(other), 'A', 'B')
  await other.sync()
  await client.sync()
  client.restart()
  client.updateParent('environment', prodOf(client), { slug: 'live' })
  await client.sync()
  await other.sync()
  expect(client.contents()).toEqual({ shop: '', 'shop/live': '', 'shop/live/B': '1' })
  expect(ids()).toEqual(before)
  // What two made of one name is one row on each side, and each side keeps its own id of it.
  const live = client.find('environment', before[0] ?? '', 'live').id
  client.setVariable(live, 'N', 'same')
  const mine = client.find('variable', live, 'N').id
  other.setVariable(other.find('environment', other.find('project', null, 'shop').id, 'live').id, 'N', 'same')
  await other.sync()
  await client.sync()
  expect(client.queue()).toEqual([])
  expect(client.find('variable', live, 'N').id).toBe(mine)
})

test('a create whose answer was lost, then given another value by somebody, is made once, and its value stays in the history', async () => {
  const service = await serve()
  const one = await withShop(service)
  const other = join(service)
  await other.sync()
  let isCut = false
  one.network = (forward, request) => {
    if (isCut) return unreachable(forward, request)
    isCut = request.method === 'POST'
    return isCut ? loseAnswer(forward, request) : forward()
  }
  one.setVariable(prodOf(one), 'N', 'mine')
  await one.sync()
  await other.sync()
  other.setVariable(prodOf(other), 'N', 'theirs')
  await other.sync()
  one.network = (forward) => forward()
  one.skew = 3_600_000
  await one.sync()
  expect(one.queue()).toEqual([])
  expect(one.contents()).toMatchObject({ 'shop/prod/N': 'theirs' })
  expect(one.historyOf(one.find('variable', prodOf(one), 'N').id)).toEqual([{ whose: 'theirs', value: 'mine' }])
  expect(service.stored().variables.filter(({ name }) => name === 'N')).toHaveLength(1)
})

describe('what the service refuses', () => {
  /** A service that answers every update with a code, and does what is sent along. */
  const refusing = (service: FuzzService, code: number): typeof fetch =>
    async function send(input, init) {
      if (init?.method !== 'POST' || typeof init.body !== 'string') return service.fetch(input, init)
      const { changes } = JSON.parse(init.body) as { changes: { id: string; op: string }[] }
      const others = changes.filter(({ op }) => op !== 'update')
      const done =
        others.length === 0 ? [] : await answersTo(await service.fetch(input, { ...init, body: JSON.stringify({ changes: others }) }))
      const items = changes.map(({ id, op }) =>
        op === 'update' ? { id, status: 'failed', code, message: 'Not this one.' } : done.find((each) => each.id === id),
      )
      return Response.json({ success: true, code: 200, message: 'OK', data: { items } })
    }

  const answersTo = async (answer: Response): Promise<{ id: string }[]> =>
    ((await answer.json()) as { data: { items: { id: string }[] } }).data.items

  test.each([403, 413, 422])('with %i parks that change with its words, and the others of its environment go on', async (code) => {
    const service = await serve()
    let send = service.fetch
    const client = await withShop(service, (input, init) => send(input, init))
    send = refusing(service, code)
    client.setVariable(prodOf(client), 'A', 'refused')
    client.setVariable(prodOf(client), 'B', 'goes')
    await client.sync()
    expect(client.queue()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('Not this one.') as unknown }])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': 'refused' })
    expect(service.stored().variables.map(({ name }) => name)).toEqual(['A', 'B'])
  })
})

describe('a place that is gone with edits pending below it', () => {
  const gone: { place: 'project' | 'environment'; left: string[]; back: string[] }[] = [
    { place: 'environment', left: ['shop', 'shop/dev'], back: ['shop', 'shop/dev', 'shop/prod', 'shop/prod/A', 'shop/prod/NEW'] },
    { place: 'project', left: [], back: ['shop', 'shop/prod', 'shop/prod/A', 'shop/prod/NEW'] },
  ]

  test.each(gone)('keeps them, and sends nothing of them, as long as nobody chose: a $place', async ({ place }) => {
    const { one, other } = await deletedUnder(place)
    await other.sync()
    other.restart()
    await other.sync()
    expect(other.queue().filter(({ conflict }) => conflict !== null)).toMatchObject([
      { rowKind: place, conflict: { kind: 'deleted-remotely' } },
    ])
    expect(other.contents()).toMatchObject({ 'shop/prod/A': 'kept', 'shop/prod/NEW': 'kept too' })
    expect(other.drift()).toEqual([])
    await one.sync()
    expect(Object.keys(one.contents())).toEqual(place === 'project' ? [] : ['shop', 'shop/dev'])
  })

  test.each(gone)('makes it again with them when that is chosen: a $place', async ({ back, place }) => {
    const { one, other } = await deletedUnder(place)
    choose(other, 'mine')
    await other.sync()
    await other.sync()
    expect(other.queue()).toEqual([])
    await one.sync()
    expect(Object.keys(one.contents())).toEqual(back)
    expect(one.contents()).toMatchObject({ 'shop/prod/A': 'kept', 'shop/prod/NEW': 'kept too' })
  })

  test.each(gone)('drops them when that is chosen, and nothing else: a $place', async ({ left, place }) => {
    const { other } = await deletedUnder(place)
    choose(other, 'theirs')
    expect(other.queue()).toEqual([])
    expect(Object.keys(other.contents())).toEqual(left)
    expect(other.drift()).toEqual([])
    await other.sync()
    expect(Object.keys(other.contents())).toEqual(left)
  })

  test.each(gone)(
    'gives them as a file first when that is asked for, and takes them from it after they were dropped: a $place',
    async ({ place }) => {
      const { one, other } = await deletedUnder(place)
      const { handlers } = deskOf(other)
      const file = await handlers['queue.export']({ workspaceId, format: 'json' })
      choose(other, 'theirs')
      expect(other.contents()).not.toHaveProperty('shop/prod')
      expect(await handlers['queue.apply']({ workspaceId, text: file.ok ? file.value.text : '', seen: asShown })).toMatchObject({
        ok: true,
        value: { skipped: [] },
      })
      expect(other.contents()).toMatchObject({ 'shop/prod/A': 'kept', 'shop/prod/NEW': 'kept too' })
      await other.sync()
      expect(other.queue()).toEqual([])
      await one.sync()
      expect(one.contents()).toMatchObject({ 'shop/prod/A': 'kept', 'shop/prod/NEW': 'kept too' })
    },
  )

  /** `other` has an edit and a new variable in shop/prod, and has just heard that the place is gone. */
  async function deletedUnder(place: 'project' | 'environment'): Promise<{ one: TestClient; other: TestClient }> {
    const service = await serve()
    const one = await withShop(service)
    one.createEnvironment('shop', 'Dev')
    await one.sync()
    const other = join(service)
    await other.sync()
    const id = place === 'project' ? one.find('project', null, 'shop').id : prodOf(one)
    one.deleteParent(place, id)
    await one.sync()
    other.setVariable(prodOf(other), 'A', 'kept')
    other.setVariable(prodOf(other), 'NEW', 'kept too')
    await other.sync()
    return { one, other }
  }

  function choose(client: TestClient, take: 'mine' | 'theirs'): void {
    const [parked, ...more] = client.queue().filter(({ conflict }) => conflict !== null)
    expect(more).toEqual([])
    expect(client.resolve(parked?.id ?? '', { take })).toMatchObject({ ok: true })
  }
})

test('what fails on this computer in one lane waits for the other lanes: nothing is under way when the round has ended', async () => {
  const service = await serve()
  let isFull = false
  let fail = (): void => undefined
  const failed = new Promise<void>((resolve) => (fail = resolve))
  const client = new TestClient({
    service,
    key: new Uint8Array(32),
    random: seededRandom(5),
    parent,
    fetch: service.fetch,
    watch: (mirror) => ({
      ...mirror,
      write(work) {
        if (!isFull) return mirror.write(work)
        isFull = false
        fail()
        throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
      },
    }),
  })
  open.push(client)
  client.createProject('Shop')
  for (const name of ['Prod', 'Dev']) client.createEnvironment('shop', name)
  await client.sync()
  const events: string[] = []
  let requests = 0
  client.network = async (forward, { method }) => {
    if (method !== 'POST') return forward()
    // Too large for one request: one for each environment, that of prod first.
    const isProd = (requests += 1) === 1
    if (!isProd) await failed
    const answer = await forward()
    if (isProd) isFull = true
    else {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
      events.push('the other lane was answered')
    }
    return answer
  }
  const large = 'x'.repeat(300_000)
  client.setVariable(prodOf(client), 'A', large)
  client.setVariable(client.find('environment', client.find('project', null, 'shop').id, 'dev').id, 'B', large)
  // Paused, a sync that is asked for is one round.
  client.engine.hold(true)
  client.engine.start()
  await client.engine.syncNow()
  events.push('the round ended')
  await client.engine.stop()
  expect(events).toEqual(['the other lane was answered', 'the round ended'])
  expect(client.queue()).toMatchObject([{ patch: { name: 'A' }, state: 'sending' }])
})

test('a delete whose answer was lost, of a name that somebody uses again by now, is done and touches nothing of theirs', async () => {
  const service = await serve()
  const one = await withShop(service)
  const other = join(service)
  await other.sync()
  let isLost = false
  other.network = (forward, request) => {
    if (isLost) return Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
    isLost = request.method === 'POST'
    return isLost ? loseAnswer(forward, request) : forward()
  }
  other.deleteVariable(prodOf(other), 'A')
  await other.sync()
  expect(other.queue()).toMatchObject([{ kind: 'delete', state: 'sending' }])
  await one.sync()
  one.setVariable(prodOf(one), 'A', 'theirs')
  await one.sync()
  other.network = (forward) => forward()
  other.skew = 3_600_000
  await other.sync()
  expect(other.queue()).toEqual([])
  expect(other.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'theirs' })
  await one.sync()
  expect(one.contents()).toEqual(other.contents())
})

describe('what was read before an edit and arrives after it', () => {
  test.each<{ from: string; network: Network; end: string }>([
    { from: 'a list', network: withoutFeed, end: '/variables' },
    { from: 'a page of the feed', network: (forward) => forward(), end: '/changes' },
  ])('$from takes nothing back', async ({ network, end }) => {
    const service = await serve()
    const one = await withShop(service)
    const other = join(service)
    other.network = network
    await other.sync()
    one.setVariable(prodOf(one), 'B', 'theirs')
    await one.sync()
    let isHeld = false
    other.network = async (forward, request) => {
      const answer = await network(forward, request)
      if (!isHeld && request.method === 'GET' && request.path.endsWith(end)) {
        isHeld = true
        other.setVariable(prodOf(other), 'A', 'mine')
      }
      return answer
    }
    await other.sync()
    expect(isHeld).toBe(true)
    await other.sync()
    expect(other.queue()).toEqual([])
    expect(other.drift()).toEqual([])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/A': 'mine', 'shop/prod/B': 'theirs' })
    expect(other.contents()).toEqual(one.contents())
  })

  test('the feed is never read while something is sent: nothing read can be older than a write it is applied after', async () => {
    const service = await serve()
    const client = await withShop(service)
    const under = { reads: 0, writes: 0 }
    const overlaps: string[] = []
    client.network = async (forward, { method, path }) => {
      const what = method !== 'GET' ? 'writes' : path.endsWith('/changes') ? 'reads' : null
      if (what === null) return forward()
      under[what] += 1
      if (under.reads > 0 && under.writes > 0) overlaps.push(path)
      if (what === 'reads') client.setVariable(prodOf(client), `N${under.reads}`, 'made meanwhile')
      const answer = await forward()
      under[what] -= 1
      return answer
    }
    client.createEnvironment('shop', 'Dev')
    client.setVariable(client.find('environment', client.find('project', null, 'shop').id, 'dev').id, 'B', '1')
    client.setVariable(prodOf(client), 'A', '2')
    await client.sync()
    await client.sync()
    expect(overlaps).toEqual([])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '2', 'shop/dev/B': '1' })
  })
})

test.each<{ what: string; network: Network }>([
  { what: 'list', network: withoutFeed },
  { what: 'feed', network: (forward) => forward() },
])('a long $what is applied in slices, so that nothing waits long', async ({ network }) => {
  const service = await serve()
  const one = await withShop(service)
  for (let n = 0; n < 600; n += 1) one.setVariable(prodOf(one), `V${n}`, 'theirs')
  await one.sync()
  const perCommit: number[] = []
  const other = new TestClient({
    service,
    key: new Uint8Array(32),
    random: seededRandom(9),
    parent,
    fetch: service.fetch,
    watch: (mirror) => ({
      ...mirror,
      write: (work) =>
        mirror.write((tx) => {
          let rows = 0
          const counted: typeof tx = {
            ...tx,
            run(query) {
              const done = tx.run(query)
              if (query.compile().sql.startsWith('insert into "base"')) rows += 1
              return done
            },
          }
          const value = work(counted)
          perCommit.push(rows)
          return value
        }),
    }),
  })
  open.push(other)
  other.network = network
  await other.sync()
  expect(other.children('variable', prodOf(other))).toHaveLength(601)
  expect(Math.max(...perCommit)).toBeLessThanOrEqual(250)
})

test('a disk that fills up when a round is already through costs a round, not the engine', async () => {
  const service = await serve()
  let refused = 0
  const client: TestClient = new TestClient({
    service,
    key: new Uint8Array(32),
    random: seededRandom(6),
    parent,
    fetch: service.fetch,
    watch: (mirror) => ({
      ...mirror,
      write(work) {
        // The last write of a first sync: what the service turned out to offer.
        if (refused > 0 || mirror.snapshot((tx) => getState(tx, 'last-synced-at')) === null) return mirror.write(work)
        refused += 1
        throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
      },
    }),
  })
  open.push(client)
  client.createProject('Shop')
  // Paused, a sync that is asked for is one round.
  client.engine.hold(true)
  client.engine.start()
  await client.engine.syncNow()
  expect(refused).toBe(1)
  expect(client.engine.status()).toMatchObject({ phase: 'offline', problem: { kind: 'disk' } })
  await client.engine.syncNow()
  expect(client.engine.status()).toMatchObject({ phase: 'idle', problem: null })
  await client.engine.stop()
})

describe('an engine that is started again before it has stopped', () => {
  test('plays no second round beside the one under way', async () => {
    const service = await serve()
    const client = await withShop(service)
    let under = 0
    let most = 0
    client.network = async (forward) => {
      under += 1
      most = Math.max(most, under)
      await new Promise((resolve) => setTimeout(resolve, 20))
      const answer = await forward()
      under -= 1
      return answer
    }
    client.engine.start()
    const first = client.engine.syncNow()
    const stopped = client.engine.stop()
    client.engine.start()
    const second = client.engine.syncNow()
    await Promise.all([first, stopped, second])
    await client.engine.stop()
    expect(most).toBe(1)
  })
})

describe('a change whose answer nobody gets', () => {
  test('holds the page back that brings its record, which is read once the change is given up', async () => {
    const service = await serve()
    const one = await withShop(service)
    const other = join(service)
    await other.sync()
    other.network = (forward, { method, path }) =>
      method === 'POST' || path.includes('/records/') ? Promise.resolve(new Response('', { status: 500 })) : forward()
    other.setVariable(prodOf(other), 'A', 'mine')
    await other.sync()
    one.setVariable(prodOf(one), 'A', 'theirs')
    await one.sync()
    for (let round = 0; round < 20; round += 1) {
      other.skew += 3_600_000
      await other.sync()
    }
    const [change] = other.queue()
    expect(change).toMatchObject({ state: 'conflict' })
    expect(other.discard(change?.id ?? '')).toMatchObject({ ok: true })
    expect(other.contents()).toMatchObject({ 'shop/prod/A': 'theirs' })
  })

  test.each([
    { how: '', text: '1' },
    { how: '', text: '3' },
    { how: ', though it is retried first', text: '1' },
    { how: ', though it is retried first', text: '3' },
    { how: ', though another text was typed before', text: '1' },
  ])('and that could not be reconciled is not merged with an edit typed over it$how: $text', async ({ how, text }) => {
    const service = await serve()
    const client = await withShop(service)
    client.setVariable(prodOf(client), 'A', '2')
    client.network = loseThenRefuseReads()
    await client.sync()
    await client.sync()
    const [change] = client.queue()
    expect(change).toMatchObject({ kind: 'update', state: 'failed' })
    if (how.includes('retried')) client.retry(change?.id ?? '')
    if (how.includes('another')) for (const other of ['other', '2']) client.setVariable(prodOf(client), 'A', other)
    client.setVariable(prodOf(client), 'A', text)
    client.network = (forward) => forward()
    await client.sync()
    const other = join(service)
    await other.sync()
    expect(client.queue()).toEqual([])
    expect([client.contents(), other.contents()]).toMatchObject([{ 'shop/prod/A': text }, { 'shop/prod/A': text }])
  })
})

describe('what is done while the service refuses a change', () => {
  const environmentOf = (client: TestClient, slug: string) => client.find('environment', client.find('project', null, 'shop').id, slug).id
  const set = (name: string, value: string) => (client: TestClient) => client.setVariable(prodOf(client), name, value)
  const remove = (name: string) => (client: TestClient) => client.deleteVariable(prodOf(client), name)
  const removeEnvironment = (slug: string) => (client: TestClient) => void client.deleteParent('environment', environmentOf(client, slug))
  const removeProject = (client: TestClient) => void client.deleteParent('project', client.find('project', null, 'shop').id)
  const addStage = (client: TestClient) => {
    client.createEnvironment('shop', 'Stage')
    client.setVariable(environmentOf(client, 'stage'), 'BELOW', 'long')
  }
  const rename = (client: TestClient) => void client.updateParent('environment', prodOf(client), { name: 'Long' })
  const moveA = (from: string, to: string) => (client: TestClient) => {
    const { id } = client.find('variable', environmentOf(client, from), 'A')
    const input = { rows: rowsAsShown([id]), seen: asShown, environmentId: environmentOf(client, to), onTaken: 'skip' as const, move: true }
    client.mirror.write((tx) => copyTo(tx, { now: client.now(), newId: client.newId }, input))
  }
  const shop = { shop: '', 'shop/prod': '', 'shop/dev': '' }
  const gone = { shop: '', 'shop/dev': '' }

  /** Refuses the first such change, and does something else before the answer arrives. */
  async function refuseWhile(what: string, act: (client: TestClient) => void, meanwhile: (client: TestClient) => void) {
    const service = await serve()
    const client = await withShop(service)
    client.createEnvironment('shop', 'Dev')
    await client.sync()
    client.network = (forward, request) => {
      if (!sends(what, request)) return forward()
      client.network = (again) => again()
      meanwhile(client)
      return Promise.resolve(Response.json({ success: false, code: 422, message: 'Too long.', data: {} }, { status: 422 }))
    }
    act(client)
    await client.sync()
    const other = join(service)
    await other.sync()
    return { client, other }
  }

  test.each([
    [
      'create variable',
      'another value',
      set('NEW', 'long'),
      set('NEW', 'shorter'),
      { ...shop, 'shop/prod/A': '1', 'shop/prod/NEW': 'shorter' },
    ],
    ['create variable', 'its deletion', set('NEW', 'long'), remove('NEW'), { ...shop, 'shop/prod/A': '1' }],
    ['create variable', 'the deletion of its environment', set('NEW', 'long'), removeEnvironment('prod'), gone],
    ['create environment', 'its deletion', addStage, removeEnvironment('stage'), { ...shop, 'shop/prod/A': '1' }],
    ['create environment', 'the deletion of its project', addStage, removeProject, {}],
    ['update variable', 'another value', set('A', 'long'), set('A', 'shorter'), { ...shop, 'shop/prod/A': 'shorter' }],
    ['update variable', 'the value that it had', set('A', 'long'), set('A', '1'), { ...shop, 'shop/prod/A': '1' }],
    ['update variable', 'its deletion', set('A', 'long'), remove('A'), shop],
    [
      'update variable',
      'another value and its deletion',
      set('A', 'long'),
      (client: TestClient) => (set('A', '2')(client), remove('A')(client)),
      shop,
    ],
    ['update variable', 'the deletion of its environment', set('A', 'long'), removeEnvironment('prod'), gone],
    ['update environment', 'its deletion', rename, removeEnvironment('prod'), gone],
    ['update variable', 'its move back', moveA('prod', 'dev'), moveA('dev', 'prod'), { ...shop, 'shop/prod/A': '1' }],
    [
      'update variable',
      'the deletion of where it was moved to',
      moveA('prod', 'dev'),
      removeEnvironment('dev'),
      { shop: '', 'shop/prod': '', 'shop/prod/A': '1' },
    ],
    [
      'update variable',
      'its deletion where it was moved to',
      moveA('prod', 'dev'),
      (client: TestClient) => client.deleteVariable(environmentOf(client, 'dev'), 'A'),
      shop,
    ],
  ])('is sent as if it had been done after the refusal: %s, then %s', async (what, _then, act, meanwhile, left) => {
    const { client, other } = await refuseWhile(what, act, meanwhile)
    expect([client.queue(), client.contents(), other.contents(), client.drift()]).toEqual([[], left, left, []])
  })

  test.each([
    ['create variable', set('NEW', 'long'), removeEnvironment('prod')],
    ['update variable', set('A', 'long'), removeEnvironment('prod')],
    ['create environment', addStage, removeEnvironment('stage')],
    ['create environment', addStage, removeProject],
  ])('leaves what was typed below a deleted place in the history: %s', async (what, act, meanwhile) => {
    const { client } = await refuseWhile(what, act, meanwhile)
    const { handlers } = deskOf(client)
    const rows = await valueOf(handlers['history.list']({ workspaceId, environmentId: null, variableId: null }))
    const entries = rows.map(({ entry }) => entry)
    const values = await valueOf(handlers['history.values']({ workspaceId, entries, reveal: true }))
    expect(values.map(({ value }) => value)).toContain('long')
  })
})

test('an edit that a cut-off pull moved below a parent it did not bring waits for that, and is sent', async () => {
  const service = await serve()
  const one = await withShop(service)
  const other = join(service)
  await other.sync()
  one.createEnvironment('shop', 'Dev')
  const environmentId = one.find('environment', one.find('project', null, 'shop').id, 'dev').id
  const rows = rowsAsShown([one.find('variable', prodOf(one), 'A').id])
  const moved = deskOf(one).handlers['variables.copy-to']({
    workspaceId,
    rows,
    seen: asShown,
    environmentId,
    onTaken: 'overwrite',
    move: true,
  })
  expect(await moved).toMatchObject({ ok: true })
  await one.sync()
  // Changed last, the environment is the last that the feed tells of.
  expect(one.updateParent('environment', environmentId, { name: 'Development' })).toMatchObject({ ok: true })
  await one.sync()
  let pages = 0
  other.network = async (forward, { method, path }) => {
    if (method !== 'GET' || !path.endsWith('/changes')) return forward()
    pages += 1
    if (pages > 1) return new Response('', { status: 500 })
    other.setVariable(prodOf(other), 'A', 'mine')
    const cursor = other.mirror.snapshot((tx) => getState(tx, 'feed-cursor')) ?? ''
    return service.fetch(`${service.url}/changes?limit=1&cursor=${cursor}`, { headers: { authorization: `Bearer ${other.apiKey}` } })
  }
  await other.sync()
  await other.sync()
  expect(other.queue()).toMatchObject([{ state: 'queued' }])
  other.network = (forward) => forward()
  for (let minute = 1; minute <= 2; minute += 1) {
    other.skew += 60_000
    await other.sync()
  }
  await one.sync()
  expect(one.contents()).toMatchObject({ 'shop/dev/A': 'mine' })
})

describe('a create whose request arrives long after it was looked for and not found', () => {
  async function delayed(change: (client: TestClient, environment: string) => void): Promise<TestClient> {
    const service = await serve()
    const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(7), parent, fetch: service.fetch })
    open.push(client)
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    await client.sync()
    const late = { arrive: (): Promise<Response> => Promise.reject(new Error('nothing was sent')) }
    client.network = (forward, request) => {
      if (!sends('create variable', request)) return forward()
      late.arrive = forward
      return loseAnswer(() => Promise.resolve(new Response()), request)
    }
    client.setVariable(prodOf(client), 'A', 'first')
    await client.sync()
    // Only the look for it is answered, and finds nothing.
    client.network = (forward, request) => (request.method === 'GET' ? forward() : unreachable(forward, request))
    client.skew = 3_600_000
    await client.sync()
    change(client, prodOf(client))
    expect((await late.arrive()).status).toBe(200)
    client.network = (forward) => forward()
    client.skew = 7_200_000
    await client.sync()
    expect(client.queue()).toEqual([])
    return client
  }

  test('keeps what was typed into it meanwhile', async () => {
    const client = await delayed((one, environment) => one.setVariable(environment, 'A', 'second'))
    expect(client.contents()).toMatchObject({ 'shop/prod/A': 'second' })
  })

  test('stays deleted when it was deleted meanwhile', async () => {
    const client = await delayed((one, environment) => one.deleteVariable(environment, 'A'))
    expect(client.contents()).not.toHaveProperty('shop/prod/A')
  })
})
