import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient, unreachable, type Network } from '../support/build-client.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { seededRandom } from '../support/seeded-random.ts'

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

function join(service: FuzzService): TestClient {
  const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(open.length), parent, fetch: service.fetch })
  open.push(client)
  return client
}

const prodOf = (client: TestClient) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

async function withShop(service: FuzzService, names: string[]): Promise<TestClient> {
  const client = join(service)
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  for (const name of names) client.setVariable(prodOf(client), name, `${name} 1`)
  await client.sync()
  expect(client.queue()).toEqual([])
  return client
}

const failing = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ success: false, code: status, message: 'Not now.', data: {} }, { status, headers })

/** Changes the data of every answer to one request. */
const rewrite =
  (
    request: RegExp,
    change: (data: { items: unknown[]; nextCursor: unknown }) => unknown,
    network: Network = (forward) => forward(),
  ): Network =>
  async (forward, { method, path }) => {
    const answer = await network(forward, { method, path })
    if (!request.test(`${method} ${path}`) || answer.status !== 200) return answer
    const body = (await answer.json()) as { data: { items: unknown[]; nextCursor: unknown } }
    return Response.json({ ...body, data: change(body.data) })
  }

test('a bare list that was cut short deletes nothing', async () => {
  const service = await serve()
  await withShop(service, ['A', 'B', 'C'])
  const other = join(service)
  other.network = withoutFeed
  await other.sync()
  other.network = rewrite(/^GET .*\/variables$/, ({ items }) => items.slice(0, 1), withoutFeed)
  await other.sync()
  expect(Object.keys(other.contents())).toEqual(['shop', 'shop/prod', 'shop/prod/A', 'shop/prod/B', 'shop/prod/C'])
})

test('a cursor of another epoch means a full pull, and the queue is kept', async () => {
  const service = await serve()
  const client = await withShop(service, ['A', 'B'])
  const other = join(service)
  await other.sync()
  other.setVariable(prodOf(other), 'A', 'mine')
  client.deleteVariable(prodOf(client), 'B')
  await client.sync()
  let gone = true
  other.network = (forward, { method, path }) => {
    if (method !== 'GET') return unreachable(forward, { method, path })
    if (!path.endsWith('/changes') || !gone) return forward()
    gone = false
    return Promise.resolve(failing(410))
  }
  await other.sync()
  expect(other.queue()).toMatchObject([{ patch: { value: expect.anything() } }])
  other.network = (forward) => forward()
  other.skew = 600_000
  await other.sync()
  await other.sync()
  await client.sync()
  expect(other.queue()).toEqual([])
  expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'mine' })
  expect(other.contents()).toEqual(client.contents())
})

test('after a 429 nothing is sent before the time the service named, however often something wakes the sync', async () => {
  const service = await serve()
  const client = await withShop(service, ['A'])
  let requests = 0
  client.network = () => {
    requests += 1
    return Promise.resolve(failing(429, { 'retry-after': '1800' }))
  }
  client.setVariable(prodOf(client), 'A', '2')
  client.engine.start()
  await client.engine.syncNow()
  const asked = requests
  for (let n = 0; n < 5; n += 1) client.engine.wake()
  await client.engine.stop()
  expect(requests).toBe(asked)
  expect(client.engine.status().nextAttemptAt).toBeGreaterThan(client.now() + 1_700_000)
  expect(client.queue()).toMatchObject([{ state: 'queued', attempts: 0 }])
})

test('what a service cannot take waits, is not sent, and goes as soon as the service can', async () => {
  const service = await serve()
  await withShop(service, ['A'])
  const other = join(service)
  const writes: string[] = []
  other.network = (forward, request) => {
    if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`)
    return withoutFeed(forward, request)
  }
  await other.sync()
  for (let n = 1; n <= 20; n += 1) other.setVariable(prodOf(other), `N${n}`, String(n))
  await other.sync()
  expect(writes).toEqual([])
  expect(other.queue().map(({ state }) => state)).toEqual(Array.from({ length: 20 }, () => 'blocked'))
  other.engine.start()
  await other.engine.syncNow()
  other.network = (forward) => forward()
  await other.engine.syncNow()
  await other.engine.stop()
  expect(other.queue()).toEqual([])
  expect(Object.keys(other.contents())).toHaveLength(23)
})

test('one record that cannot be read holds up nothing else', async () => {
  const service = await serve()
  const client = await withShop(service, ['A', 'B'])
  client.restart()
  client.network = (forward, request) =>
    request.method === 'GET' && request.path.endsWith('/variables/A') ? Promise.resolve(failing(403)) : withoutFeed(forward, request)
  client.deleteVariable(prodOf(client), 'A')
  client.setVariable(prodOf(client), 'B', '2')
  await client.sync()
  expect(client.queue()).toMatchObject([{ kind: 'delete', state: 'failed', reason: expect.stringContaining('Not now.') }])
})

test('a rename to a name that somebody took asks, and another name goes', async () => {
  const service = await serve()
  const client = await withShop(service, ['A'])
  const other = join(service)
  await other.sync()
  client.setVariable(prodOf(client), 'B', 'theirs')
  await client.sync()
  other.renameVariable(prodOf(other), 'A', 'B')
  await other.sync()
  const [parked] = other.queue()
  expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'name-taken' } })
  other.resolve(parked?.id ?? '', { take: 'edit', fields: { name: 'C' } })
  await other.sync()
  await client.sync()
  expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/B': 'theirs', 'shop/prod/C': 'A 1' })
})

test('a discarded edit shows again what the service has, and edits made on it stay', async () => {
  const service = await serve()
  const client = await withShop(service, ['A'])
  client.network = unreachable
  client.setVariable(prodOf(client), 'A', '2')
  client.setVariable(prodOf(client), 'NEW', 'kept')
  const [edit] = client.queue()
  expect(client.discard(edit?.id ?? '').ok).toBe(true)
  expect(client.contents()).toMatchObject({ 'shop/prod/A': 'A 1', 'shop/prod/NEW': 'kept' })
  expect(client.drift()).toEqual([])
})

describe('a service that never comes to agree', () => {
  test('and says each time that a record has changed is asked a few times, and then the change waits for the user', async () => {
    const service = await serve()
    const client = await withShop(service, ['A', 'B'])
    let pushes = 0
    const id = client.remoteIdOf(client.find('variable', prodOf(client), 'A').id) ?? ''
    client.network = async (forward, { method, path }) => {
      if (method !== 'POST' || !path.endsWith('/changes')) return forward()
      pushes += 1
      const read = await client.remote.getRecord('variable', id)
      const item = { id, status: 'failed', code: 412, message: 'Not now.', record: read.ok ? read.value.record : null }
      return Response.json({ success: true, code: 200, message: 'OK', data: { items: [item] } })
    }
    client.renameVariable(prodOf(client), 'A', 'C')
    await client.sync()
    expect(pushes).toBeGreaterThan(1)
    expect(pushes).toBeLessThan(20)
    expect(client.queue()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('at the same moment') }])
    client.network = (forward) => forward()
    client.retry(client.queue()[0]?.id ?? '')
    await client.sync()
    expect(client.contents()).toMatchObject({ 'shop/prod/C': 'A 1' })
  })

  test('and takes one field of an edit but ignores the other leaves the edit with its user, who can send the rest again', async () => {
    const service = await serve()
    const client = await withShop(service, ['A'])
    const { id } = client.find('variable', prodOf(client), 'A')
    const other = join(service)
    await other.sync()
    client.network = async (forward, request) => {
      const answer = await forward()
      if (!request.path.endsWith('/changes') || request.method !== 'POST') return answer
      // The service as if it had never read the name.
      await other.sync()
      other.renameVariable(prodOf(other), 'B', 'A')
      await other.sync()
      const read = await client.remote.getRecord('variable', client.remoteIdOf(id) ?? '')
      const body = (await answer.json()) as { data: { items: { record: unknown }[] } }
      for (const item of body.data.items) item.record = read.ok ? read.value.record : null
      return Response.json(body)
    }
    client.updateVariable(id, { name: 'B', value: 'mine' })
    await client.sync()
    expect(client.queue()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('a part of it') }])
    expect(client.contents()).toMatchObject({ 'shop/prod/B': 'mine' })
    client.network = (forward) => forward()
    client.retry(client.queue()[0]?.id ?? '')
    await client.sync()
    await other.sync()
    expect([client.queue(), other.contents()]).toMatchObject([[], { 'shop/prod/B': 'mine' }])
  })
})
