import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mountSmallDisk } from '../service/support/small-disk.ts'
import { TestClient, type Network } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService, type StartedService } from '../support/start-service.ts'

let service: StartedService
let client: TestClient

beforeEach(async () => {
  service = await startService()
  client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(1) })
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  client.setVariable(prod, 'A', '1')
  client.setVariable(prod, 'B', '2')
  await client.sync()
})

afterEach(async () => {
  await client.close()
  await service.close()
})

/** A service whose pages of `end` lead in a circle; without its feed unless that is what circles. */
const circling = (end: string): { network: Network; asked: () => number } => {
  let asked = 0
  let first: Record<string, unknown> | null = null
  const network: Network = async (forward, { method, path }) => {
    if (path.endsWith('/changes') && end !== '/changes') return Response.json({ success: false }, { status: 404 })
    if (method !== 'GET' || !path.endsWith(end)) return forward()
    asked += 1
    const { data } = first === null ? ((await (await forward()).json()) as { data: Record<string, unknown> }) : { data: first }
    first = data
    return Response.json({ success: true, data: { ...data, nextCursor: ['one', 'two', 'three'][asked % 3], more: true } })
  }
  return { network, asked: () => asked }
}

test.each(['/projects', '/environments', '/variables', '/changes'])(
  'a service whose pages of %s lead in a circle is given up, said to be none, and costs no row',
  async (end) => {
    const before = client.contents()
    const { network, asked } = circling(end)
    client.network = network
    await client.sync()
    expect(client.engine.status().problem).toMatchObject({ kind: 'not-a-service', message: expect.stringContaining('never ends') })
    // Two rounds: the one of the start, and the one asked for.
    expect(asked()).toBeLessThan(10)
    expect(client.contents()).toEqual(before)
    client.network = (forward) => forward()
    await client.sync()
    expect(client.engine.status().problem).toBeNull()
    expect(client.contents()).toEqual(before)
  },
)

test('a feed that disowns every cursor it gives is given up', async () => {
  let asked = 0
  client.network = (forward, { path }) => {
    if (!path.endsWith('/changes')) return forward()
    asked += 1
    return asked % 2 === 1
      ? Promise.resolve(Response.json({ success: true, data: { items: [], nextCursor: `c${asked}`, more: true } }))
      : Promise.resolve(Response.json({ success: false }, { status: 410 }))
  }
  await client.sync()
  expect(client.engine.status().problem).toMatchObject({ kind: 'not-a-service' })
  expect(asked).toBeLessThan(20)
})

const probe = await mountSmallDisk(65_536)
await probe?.remove()
if (probe === null) process.stderr.write('\nSKIPPED: a feed that would fill a real disk: only root on Linux can mount one.\n')

test.runIf(probe !== null)('a feed that sends ever new variables stops before the disk is full, and edits go on', async () => {
  // A twentieth of it, which is kept free, must hold several pages, as what is kept free of a real disk does.
  const disk = await mountSmallDisk(96 * 1024 * 1024)
  if (disk === null) throw new Error('a disk could be mounted a moment ago')
  onTestFinished(() => disk.remove())
  const flooded = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(2), parent: disk.path })
  onTestFinished(() => flooded.close())
  let asked = 0
  flooded.network = async (forward, { method, path }) => {
    if (method !== 'GET' || !path.endsWith('/changes')) return forward()
    asked += 1
    const { data } = (await (await fetch(`${service.url}/changes`, { headers: { authorization: `Bearer ${service.apiKey}` } })).json()) as {
      data: { items: { resource: string; record: Record<string, unknown> | null }[] }
    }
    const like = data.items.find(({ resource, record }) => resource === 'variable' && record !== null)
    const more = Array.from({ length: 100 }, () => {
      const id = randomUUID()
      return {
        ...like,
        id,
        record: { ...like?.record, id, name: id, etag: `"${id}"`, value: flooded.cipher.seal('x'.repeat(2000)).sealed },
      }
    })
    return Response.json({ success: true, data: { items: [...data.items, ...more], nextCursor: `c${asked}`, more: true } })
  }

  await flooded.sync()

  expect(flooded.engine.status().problem).toMatchObject({
    kind: 'disk',
    message: expect.stringContaining('stopped reading from the service'),
  })
  expect(asked).toBeGreaterThan(10)
  const prod = flooded.find('environment', flooded.find('project', null, 'shop').id, 'prod').id
  for (let count = 0; count < 20; count += 1) flooded.setVariable(prod, `MINE_${count}`, 'x'.repeat(2000))
  expect(flooded.queue()).toHaveLength(20)
})
