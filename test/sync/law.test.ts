import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { loseAnswer, TestClient, withoutEtags, type Network } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'

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
    one.skew = 29 * 86_400_000
    await one.sync()
    expect(one.historyOf(id)).toHaveLength(2)
    one.skew = 31 * 86_400_000
    await one.sync()
    expect(one.historyOf(id)).toEqual([])
  })
})

describe('before a write', () => {
  test.each<{ server: string; network: Network; sends: string[] }>([
    { server: 'with ETags is told what the change was made on', network: (forward) => forward(), sends: ['PATCH'] },
    { server: 'without ETags is read and compared first', network: withoutEtags, sends: ['GET', 'PATCH'] },
  ])('a server $server', async ({ network, sends }) => {
    const service = await serve(network === withoutEtags ? { without: ['etags'] } : {})
    const one = await withShop(service)
    const other = join(service)
    other.network = network
    await other.sync()
    await other.readOne('shop')
    const sent: string[] = []
    other.network = (forward, request) => {
      if (request.path.includes('/variables')) sent.push(request.method)
      return network(forward, request)
    }
    other.setVariable(prodOf(other), 'A', '2')
    await other.sync()
    expect(sent).toEqual(sends)
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/A': '2' })
  })

  test('a write that was refused because the record had changed is planned again on the record as it is, and sent', async () => {
    const service = await serve()
    const one = await withShop(service)
    const other = join(service)
    await other.sync()
    await other.readOne('shop')
    one.renameVariable(prodOf(one), 'A', 'B')
    await one.sync()
    const sent: string[] = []
    other.network = async (forward, { method, path }) => {
      const answer = await forward()
      if (path.includes('/variables')) sent.push(`${method} ${answer.status}`)
      return answer
    }
    other.setVariable(prodOf(other), 'A', '2')
    await other.sync()
    expect([sent[0], sent.at(-1)]).toEqual(['PATCH 412', 'PATCH 200'])
    await one.sync()
    expect(one.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/B': '2' })
  })

  test('no local id is ever shown to the server', async () => {
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
    client.updatePlace('environment', prodOf(client), { slug: 'live' })
    await client.sync()
    expect(client.queue()).toEqual([])
    const ids = client.below(client.find('project', null, 'shop').id).map(({ id }) => id)
    expect(ids.filter((id) => shown.some((text) => text.includes(id)))).toEqual([])
  })
})

test('a delete whose answer was lost, of a name that somebody uses again by now, is done and touches nothing of theirs', async () => {
  const service = await serve()
  const one = await withShop(service)
  const other = join(service)
  await other.sync()
  let isLost = false
  other.network = (forward, request) => {
    if (isLost) return Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
    isLost = request.method === 'DELETE'
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
  test.each<{ from: string; without: 'changes' | 'audit'; end: string }>([
    { from: 'a list', without: 'changes', end: '/variables' },
    { from: 'a page of the feed', without: 'audit', end: '/changes' },
  ])('$from takes nothing back', async ({ without, end }) => {
    const service = await serve({ without: [without] })
    const one = await withShop(service)
    const other = join(service)
    await other.sync()
    one.setVariable(prodOf(one), 'B', 'theirs')
    await one.sync()
    let isHeld = false
    other.network = async (forward, { method, path }) => {
      const answer = await forward()
      if (!isHeld && method === 'GET' && path.endsWith(end)) {
        isHeld = true
        other.setVariable(prodOf(other), 'A', 'mine')
        other.setVariable(prodOf(other), 'NEW', 'mine')
      }
      return answer
    }
    await other.sync()
    expect(isHeld).toBe(true)
    await other.sync()
    expect(other.queue()).toEqual([])
    expect(other.drift()).toEqual([])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/A': 'mine', 'shop/prod/NEW': 'mine', 'shop/prod/B': 'theirs' })
    expect(other.contents()).toEqual(one.contents())
  })

  test('a list is never under way while something is sent: none can be older than a write it is applied after', async () => {
    const service = await serve({ without: ['changes'] })
    const client = await withShop(service)
    const under = { reads: 0, writes: 0 }
    const overlaps: string[] = []
    client.network = async (forward, { method, path }) => {
      const what = method !== 'GET' ? 'writes' : /\/(projects|environments|variables|changes)$/.test(path) ? 'reads' : null
      if (what === null) return forward()
      under[what] += 1
      if (under.reads > 0 && under.writes > 0) overlaps.push(path)
      if (what === 'reads') client.setVariable(prodOf(client), `N${path.length}`, 'made meanwhile')
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

test('a long list is applied in slices, so that nothing waits long', async () => {
  const service = await serve({ without: ['changes'] })
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
  await other.sync()
  expect(other.children('variable', prodOf(other))).toHaveLength(601)
  expect(Math.max(...perCommit)).toBeLessThanOrEqual(250)
})
