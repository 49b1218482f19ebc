import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { loseAnswer, TestClient, unreachable, type Network } from '../support/build-client.ts'
import { only14, withoutFeed, withoutEtags } from '../support/reduced-service.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService, type StartedService } from '../support/start-service.ts'

const key = randomBytes(32)
let service: StartedService
let clients: TestClient[] = []

beforeEach(async () => {
  service = await startService()
})

afterEach(async () => {
  for (const client of clients) await client.close()
  clients = []
  await service.close()
})

function open(seed = 1): TestClient {
  const client = new TestClient({ service, key, random: seededRandom(seed) })
  clients.push(client)
  return client
}

/** A client with shop/prod on the service and `variables` in it. */
async function shop(variables: Record<string, string> = {}): Promise<{ client: TestClient; prod: string }> {
  const client = open()
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  for (const [name, value] of Object.entries(variables)) client.setVariable(prod, name, value)
  await client.sync()
  expect(client.queue()).toEqual([])
  return { client, prod }
}

/** A second client that has everything, and the id that the environment has there. */
async function second(network?: Network): Promise<{ other: TestClient; prod: string }> {
  const other = open(2)
  if (network) other.network = network
  await other.sync()
  return { other, prod: other.find('environment', other.find('project', null, 'shop').id, 'prod').id }
}

/** Applies `fault` to the first request of a method whose path ends so, and passes everything else. */
const once = (method: string, end: string, fault: Network): Network => {
  let done = false
  return (forward, request) => {
    if (done || request.method !== method || !request.path.endsWith(end)) return forward()
    done = true
    return fault(forward, request)
  }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'holdfast-engine-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

describe('what one client does reaches the other', () => {
  test('a project, an environment and variables made offline arrive, in order, decrypted', async () => {
    const client = open()
    client.network = unreachable
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
    client.setVariable(prod, 'URL', 'https://shop.example')
    client.setVariable(prod, 'GREETING', 'grüezi 👋')
    await client.sync()
    expect(client.engine.status().phase).toBe('idle')
    expect(client.queue()).toHaveLength(4)
    client.restart()
    client.network = (forward) => forward()
    await client.sync()
    expect(client.queue()).toEqual([])
    const { other } = await second()
    expect(other.contents()).toEqual({
      shop: '',
      'shop/prod': '',
      'shop/prod/GREETING': 'grüezi 👋',
      'shop/prod/URL': 'https://shop.example',
    })
    expect(other.contents()).toEqual(client.contents())
  })

  test('an update and a delete arrive', async () => {
    const { client, prod } = await shop({ A: '1', B: '2' })
    const { other } = await second()
    client.setVariable(prod, 'A', 'one')
    client.deleteVariable(prod, 'B')
    await client.sync()
    await other.sync()
    expect(other.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'one' })
  })

  test('a deleted environment goes with its variables', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other } = await second()
    client.deleteParent('environment', prod)
    await client.sync()
    await other.sync()
    expect(other.contents()).toEqual({ shop: '' })
    expect(client.contents()).toEqual({ shop: '' })
  })
})

describe('the queue', () => {
  test.each([
    { does: 'an edit and its way back', edits: ['A=2', 'A=1'], leaves: 0 },
    { does: 'a new variable that is deleted again', edits: ['N=1', 'N='], leaves: 0 },
    { does: 'two edits of one variable', edits: ['A=2', 'A=3'], leaves: 1 },
    { does: 'a new variable and its edit', edits: ['N=1', 'N=2'], leaves: 1 },
  ])('$does leave $leaves changes', async ({ edits, leaves }) => {
    const { client, prod } = await shop({ A: '1' })
    for (const [name = '', value = ''] of edits.map((text) => text.split('='))) {
      if (value === '') client.deleteVariable(prod, name)
      else client.setVariable(prod, name, value)
    }
    expect(client.queue()).toHaveLength(leaves)
    expect(client.drift()).toEqual([])
  })

  test('delete B, then rename A to B, ends with A under the name B', async () => {
    const { client, prod } = await shop({ A: 'from A', B: 'from B' })
    client.deleteVariable(prod, 'B')
    client.renameVariable(prod, 'A', 'B')
    await client.sync()
    const { other } = await second()
    expect(other.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/B': 'from A' })
  })

  test('a value the service refuses parks, and the others go on', async () => {
    await service.close()
    service = await startService({ deps: { quotas: { bytes: 100_000 } } })
    const { client, prod } = await shop()
    client.setVariable(prod, 'A', 'x'.repeat(100_000))
    client.setVariable(prod, 'B', '2')
    await client.sync()
    expect(client.queue().map(({ state, patch, reason }) => ({ state, name: patch.name, reason }))).toEqual([
      { state: 'failed', name: 'A', reason: expect.stringContaining('The workspace is full') },
    ])
    client.setVariable(prod, 'A', 'better')
    await client.sync()
    expect(client.queue()).toEqual([])
    const { other } = await second()
    expect(other.contents()).toMatchObject({ 'shop/prod/A': 'better', 'shop/prod/B': '2' })
  })
})

describe('an answer that was lost', () => {
  test.each([
    { of: 'a create', method: 'POST', end: '/variables', edit: (c: TestClient, e: string) => c.setVariable(e, 'N', '1') },
    { of: 'an update', method: 'PATCH', end: '', edit: (c: TestClient, e: string) => c.setVariable(e, 'A', '2') },
    { of: 'a delete', method: 'DELETE', end: '/A', edit: (c: TestClient, e: string) => c.deleteVariable(e, 'A') },
    { of: 'a rename', method: 'PATCH', end: '', edit: (c: TestClient, e: string) => void c.renameVariable(e, 'A', 'Z') },
  ])('of $of is looked up, and nothing is done twice', async ({ method, end, edit }) => {
    const { client, prod } = await shop({ A: '1' })
    client.network = once(method, end, loseAnswer)
    edit(client, prod)
    await client.sync()
    await client.sync()
    expect(client.queue()).toEqual([])
    expect(client.drift()).toEqual([])
    const { other } = await second()
    expect(other.contents()).toEqual(client.contents())
  })

  test('a create whose answer was lost, then a crash, then a delete of it: the service has none', async () => {
    const { client, prod } = await shop()
    client.network = (forward, request) => (request.method === 'POST' ? loseAnswer(forward, request) : unreachable(forward, request))
    client.engine.start()
    client.setVariable(prod, 'N', '1')
    client.network = (forward, request) => {
      if (request.method === 'POST') {
        client.network = unreachable
        return loseAnswer(forward, request)
      }
      return forward()
    }
    await client.engine.syncNow()
    await client.engine.stop()
    expect(client.queue().map(({ state }) => state)).toEqual(['sending'])
    client.deleteVariable(prod, 'N')
    client.restart()
    client.network = (forward) => forward()
    client.skew = 3_600_000
    await client.sync()
    expect(client.queue()).toEqual([])
    const { other } = await second()
    expect(other.contents()).toEqual({ shop: '', 'shop/prod': '' })
  })
})

describe('two people', () => {
  test('changes of different fields merge', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.renameVariable(prod, 'A', 'RENAMED')
    await client.sync()
    other.setVariable(there, 'A', '2')
    await other.sync()
    await client.sync()
    expect(other.contents()).toMatchObject({ 'shop/prod/RENAMED': '2' })
    expect(client.contents()).toEqual(other.contents())
  })

  test('the same value typed on both sides is no conflict', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.setVariable(prod, 'A', 'same')
    other.setVariable(there, 'A', 'same')
    await client.sync()
    await other.sync()
    expect(other.queue()).toEqual([])
  })

  test.each([
    { take: 'mine' as const, ends: 'typed there' },
    { take: 'theirs' as const, ends: 'typed here' },
  ])('a true conflict parks, keeps both sides, and taking $take ends with "$ends"', async ({ take, ends }) => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.setVariable(prod, 'A', 'typed here')
    await client.sync()
    other.setVariable(there, 'A', 'typed there')
    other.setVariable(there, 'B', 'goes on')
    await other.sync()
    const [parked, ...rest] = other.queue()
    expect(rest).toEqual([])
    expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'fields' } })
    expect(other.cipher.open(parked?.base?.value?.sealed ?? '')).toBe('1')
    expect(other.cipher.open(parked?.conflict?.remote?.value?.sealed ?? '')).toBe('typed here')
    expect(other.contents()).toMatchObject({ 'shop/prod/A': 'typed there', 'shop/prod/B': 'goes on' })
    other.resolve(parked?.id ?? '', { take })
    await other.sync()
    await client.sync()
    expect(other.queue()).toEqual([])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': ends })
    expect(other.contents()).toEqual(client.contents())
  })

  test('the same new name with another value is a conflict, and another name keeps both', async () => {
    const { client, prod } = await shop()
    const { other, prod: there } = await second()
    client.setVariable(prod, 'N', 'mine')
    await client.sync()
    other.setVariable(there, 'N', 'other')
    await other.sync()
    const [parked] = other.queue()
    expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'name-taken' } })
    other.resolve(parked?.id ?? '', { take: 'edit', fields: { name: 'N2' } })
    await other.sync()
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/N': 'mine', 'shop/prod/N2': 'other' })
  })

  test('a queued create that meets the same name and value by pull settles on that record', async () => {
    const { client, prod } = await shop()
    const { other, prod: there } = await second()
    client.setVariable(prod, 'N', 'same')
    await client.sync()
    other.network = (forward, request) => (request.method === 'POST' ? unreachable(forward, request) : forward())
    other.setVariable(there, 'N', 'same')
    await other.sync()
    other.network = (forward) => forward()
    await other.sync()
    expect(other.queue()).toEqual([])
    expect(other.children('variable', there)).toHaveLength(1)
  })

  test.each([
    { take: 'mine' as const, ends: { 'shop/prod/A': 'kept' } },
    { take: 'theirs' as const, ends: {} },
  ])('an edit of what was deleted there is kept, and taking $take decides', async ({ take, ends }) => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.deleteVariable(prod, 'A')
    await client.sync()
    other.setVariable(there, 'A', 'kept')
    await other.sync()
    const [parked] = other.queue()
    expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'deleted-remotely' } })
    expect(other.contents()).toMatchObject({ 'shop/prod/A': 'kept' })
    other.resolve(parked?.id ?? '', { take })
    await other.sync()
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', ...ends })
  })

  test('an environment that is gone there keeps the edits below it until the user decides', async () => {
    const { client, prod } = await shop({ A: '1', B: '2' })
    const { other, prod: there } = await second()
    client.deleteParent('environment', prod)
    await client.sync()
    other.setVariable(there, 'A', 'kept')
    other.setVariable(there, 'NEW', 'kept too')
    await other.sync()
    const parked = other.queue().find(({ state }) => state === 'conflict')
    expect(parked).toMatchObject({ rowKind: 'environment', conflict: { kind: 'deleted-remotely' } })
    expect(other.contents()).toMatchObject({ 'shop/prod/A': 'kept', 'shop/prod/NEW': 'kept too' })
    expect(other.drift()).toEqual([])
    other.resolve(parked?.id ?? '', { take: 'mine' })
    await other.sync()
    await client.sync()
    expect(other.queue()).toEqual([])
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'kept', 'shop/prod/NEW': 'kept too' })
  })

  test('a delete of what was changed there asks first', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.setVariable(prod, 'A', 'changed')
    await client.sync()
    other.deleteVariable(there, 'A')
    await other.sync()
    const [parked] = other.queue()
    expect(parked).toMatchObject({ kind: 'delete', state: 'conflict', conflict: { kind: 'changed-remotely' } })
    other.resolve(parked?.id ?? '', { take: 'mine' })
    await other.sync()
    expect(other.contents()).toEqual({ shop: '', 'shop/prod': '' })
  })
})

describe('the key', () => {
  test('a refused key pauses, keeps the edits, and a good one goes on', async () => {
    const { client, prod } = await shop()
    const good = client.apiKey
    client.apiKey = 'hf_wrong'
    client.setVariable(prod, 'A', '1')
    client.engine.start()
    await client.engine.syncNow()
    expect(client.engine.status()).toMatchObject({ phase: 'paused', problem: { kind: 'unauthorized' } })
    expect(client.queue()).toHaveLength(1)
    client.apiKey = good
    await client.engine.syncNow()
    await client.engine.stop()
    expect(client.queue()).toEqual([])
  })

  test('the key of another workspace never syncs into this one', async () => {
    const { client, prod } = await shop()
    const elsewhere = await startService()
    const stray = new TestClient({ service: { ...elsewhere, workspaceId: service.workspaceId }, key, random: seededRandom(3) })
    clients.push(stray)
    stray.engine.start()
    await stray.engine.syncNow()
    expect(stray.engine.status()).toMatchObject({ phase: 'paused', problem: { kind: 'wrong-workspace' } })
    await elsewhere.close()
    expect(client.find('environment', client.find('project', null, 'shop').id, 'prod').id).toBe(prod)
  })
})

describe('a key that is refused in the middle of the work', () => {
  test('pauses all lanes; a key of another workspace given then syncs nothing into it, and the right one sends everything', async () => {
    const [dir, elsewhere] = [folder(), folder()]
    await service.close()
    service = await startService({ dir })
    const port = Number(new URL(service.url).port)
    const { client, prod } = await shop({ A: '1' })
    const right = service.apiKey
    client.createEnvironment('shop', 'Dev')
    await client.sync()
    client.setVariable(prod, 'A', '2')
    client.setVariable(client.find('environment', client.find('project', null, 'shop').id, 'dev').id, 'B', '2')
    // The same address, another workspace: what a key of another team would reach on a shared service.
    await service.close()
    service = await startService({ dir: elsewhere, port })
    const sent: string[] = []
    client.network = (forward, { method, path }) => {
      sent.push(`${method} ${path}`)
      return forward()
    }
    client.engine.start()
    await client.engine.syncNow()
    expect(client.engine.status()).toMatchObject({ phase: 'paused', problem: { kind: 'unauthorized' }, nextAttemptAt: null })
    expect(sent.length).toBeGreaterThan(1)
    sent.length = 0
    client.apiKey = service.apiKey
    client.engine.wake()
    await client.engine.syncNow()
    expect(client.engine.status()).toMatchObject({ phase: 'paused', problem: { kind: 'wrong-workspace' }, nextAttemptAt: null })
    expect(new Set(sent)).toEqual(new Set(['GET /workspace']))
    expect(client.queue().map(({ state }) => state)).toEqual(['queued', 'queued'])
    await service.close()
    service = await startService({ dir, port })
    client.apiKey = right
    await client.engine.syncNow()
    await client.engine.stop()
    expect(client.queue()).toEqual([])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '2', 'shop/dev/B': '2' })
  })

  test('is looked at anew also when the next key comes while the refusal is on its way', async () => {
    const { client, prod } = await shop({ A: '1' })
    const sent: string[] = []
    let isOther = false
    client.network = async (forward, { method, path }) => {
      if (path.endsWith('/workspace') && isOther) {
        const own = (await (await forward()).json()) as { data: object }
        return Response.json({ ...own, data: { ...own.data, id: 'of another team' } })
      }
      if (isOther) sent.push(`${method} ${path}`)
      if (method !== 'POST' || isOther) return forward()
      isOther = true
      client.engine.wake()
      return Response.json({ success: false, code: 401, message: 'No.', data: {} }, { status: 401 })
    }
    client.setVariable(prod, 'A', '2')
    client.engine.start()
    await expect.poll(() => client.engine.status().problem?.kind, { timeout: 20_000 }).toBe('wrong-workspace')
    await client.engine.stop()
    expect(sent).toEqual([])
    expect(client.queue()).toMatchObject([{ state: 'queued', attempts: 0 }])
  })
})

describe('services that can do less', () => {
  test.each<[string, Network]>([
    ['a feed', withoutFeed],
    ['a feed and ETags', (forward, request) => withoutEtags(() => withoutFeed(forward, request), request)],
  ])('without %s two clients still agree, and a conflict is still a conflict', async (_what, network) => {
    const { client, prod } = await shop({ A: '1', B: '2' })
    const { other, prod: there } = await second(network)
    client.network = network
    client.setVariable(prod, 'A', 'typed here')
    client.deleteVariable(prod, 'B')
    await client.sync()
    other.setVariable(there, 'A', 'typed there')
    await other.sync()
    expect(other.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'fields' } }])
    expect(other.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'typed there' })
  })

  test('with only the 14 operations a new variable waits, visibly blocked, and is not dropped', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    other.network = only14
    other.setVariable(there, 'NEW', 'waits')
    other.setVariable(there, 'A', '2')
    await other.sync()
    other.skew = 3_600_000
    await other.sync()
    expect(other.queue()).toMatchObject([{ state: 'blocked', patch: { name: 'NEW' } }])
    await client.sync()
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '2' })
    expect(client.children('variable', prod)).toHaveLength(1)
  })
})

test('a feed that tells of a deleted project alone takes all of it along, a slice at a time', async () => {
  const { client } = await shop(Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`NAME_${n}`, 'one'])))
  const { other, prod } = await second(async (forward, { method, path }) => {
    const answer = await forward()
    if (method !== 'GET' || !path.endsWith('/changes')) return answer
    const { data, ...rest } = (await answer.json()) as { data: { items: { resource: string; deleted: boolean }[] } }
    const items = data.items.filter(({ resource, deleted }) => !deleted || resource === 'project')
    return Response.json({ ...rest, data: { ...data, items } })
  })
  client.deleteParent('project', client.find('project', null, 'shop').id)
  await client.sync()

  const left = new Set<number>()
  let isOver = false
  const look = () => {
    if (isOver) return
    left.add(other.children('variable', prod).length)
    setImmediate(look)
  }
  look()
  await other.sync()
  isOver = true
  expect(other.contents()).toEqual({})
  // Whoever reads meanwhile has their turn, and sees it become fewer.
  expect([...left].filter((count) => count > 0 && count < 400)).not.toEqual([])
})

test('a read that fails leaves alone a change that the answer to another read has moved on', async () => {
  const { client, prod } = await shop({ A: '1' })
  const errors: string[] = []
  const log = (level: string, message: string) => void (level === 'error' && errors.push(message))
  const other = new TestClient({ service, key, random: seededRandom(2), log })
  clients.push(other)
  await other.sync()
  const there = other.find('environment', other.find('project', null, 'shop').id, 'prod').id
  other.updateParent('environment', there, { name: 'Ours' })
  other.setVariable(there, 'A', '2')
  // Gone on its way: nobody here can know whether it was done.
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  const failed = Object.assign(new TypeError('fetch failed'), { cause: reset })
  other.network = (forward, { method }) => (method === 'POST' ? Promise.reject(failed) : forward())
  await other.sync()
  client.deleteParent('environment', prod)
  await client.sync()

  // The answer about the environment is here first: both are created again.
  other.network = async (forward, { path }) => {
    if (!path.startsWith('/records/variable/')) return forward()
    await expect.poll(() => other.queue().filter(({ kind }) => kind === 'create')).toHaveLength(2)
    return Response.json({ success: false }, { status: 500 })
  }
  other.skew = 3_600_000
  await other.sync()
  expect(errors).toEqual([])
  expect(other.queue()).toMatchObject([
    { kind: 'create', rowKind: 'environment', state: 'conflict' },
    { kind: 'create', rowKind: 'variable', state: 'queued' },
  ])
})
