import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { startFuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient, type Network } from '../support/build-client.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { seededRandom } from '../support/seeded-random.ts'

// All bodies of a service are JSON (service-interface.md, "Resources and their fields"), so a web page comes from something in between.

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

const whole: Network = (forward) => forward()
const services: readonly [string, Network][] = [
  ['full', whole],
  ['basic', withoutFeed],
]
const statuses = [200, 302, 400, 401, 403, 404, 405, 407, 409, 410, 412, 422, 429, 451, 500, 502, 503, 504, 511]

/** A page of a proxy that blocks an address. */
const page = (status: number, length = 0): Response =>
  new Response(`\n<!DOCTYPE html>\n<html><head><title>Blocked</title></head><body>${'x'.repeat(length)}</body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...(status === 302 && { location: 'https://login.example/' }) },
  })

async function withVariables(network: Network) {
  const service = await startFuzzService(parent, {})
  open.push(service)
  const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(1), parent, fetch: service.fetch })
  open.push(client)
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const { id } = client.find('environment', client.find('project', null, 'shop').id, 'prod')
  for (const name of ['A', 'B', 'C']) client.setVariable(id, name, 'old')
  await client.sync()
  client.network = network
  await client.sync()
  expect(client.queue()).toEqual([])
  return { client, id }
}

const namesIn = (client: TestClient, id: string) =>
  client
    .children('variable', id)
    .map(({ fields }) => fields.name)
    .toSorted()

test.each(statuses)('a proxy that answers changes for a full service with %i and a web page ends none of them', async (status) => {
  const { client, id } = await withVariables(whole)
  client.setVariable(id, 'A', 'new')
  client.renameVariable(id, 'B', 'D')
  client.deleteVariable(id, 'C')
  client.network = (forward, request) => (request.method === 'GET' ? forward() : Promise.resolve(page(status)))
  await client.sync()
  const states = new Set(client.queue().map(({ state }) => state))
  expect([...states].filter((state) => state !== 'queued' && state !== 'sending')).toEqual([])
  // A 5xx is about one change until the next one fails as well.
  if (status < 500) expect(client.engine.status().problem).not.toBeNull()
  client.network = whole
  client.skew += 3_600_000
  await client.sync()
  expect(client.queue()).toEqual([])
  expect(namesIn(client, id)).toEqual(['A', 'D'])
})

describe.each(services)('a proxy between this computer and a %s service', (_, network) => {
  test.each(statuses)('that answers everything with %i and a web page deletes nothing here', async (status) => {
    const { client, id } = await withVariables(network)
    client.setVariable(id, 'A', 'new')
    client.network = () => Promise.resolve(page(status))
    await client.sync()
    expect(client.queue()).toMatchObject([{ state: 'queued' }])
    expect(namesIn(client, id)).toEqual(['A', 'B', 'C'])
    expect(client.engine.status().problem).not.toBeNull()
  })
})

test('a page that is too long to be read is a page too', async () => {
  const { client, id } = await withVariables(whole)
  client.setVariable(id, 'A', 'new')
  client.network = () => Promise.resolve(page(403, 100_000))
  await client.sync()
  expect(client.queue()).toMatchObject([{ state: 'queued' }])
  expect(client.engine.status().problem?.message).toContain(
    'answered with a web page (403). Check the address, and that no sign-in page or proxy',
  )
})

test('a network that asks to sign in (511) is named', async () => {
  const { client } = await withVariables(whole)
  client.network = () => Promise.resolve(page(511))
  await client.sync()
  expect(client.engine.status().problem?.message).toContain('This network asks you to sign in')
})

test('a change that is too large for a proxy (413) is rejected alone, because sending it again can’t help', async () => {
  const { client, id } = await withVariables(whole)
  client.setVariable(id, 'A', 'new')
  client.network = (forward, { method }) => (method === 'GET' ? forward() : Promise.resolve(page(413)))
  await client.sync()
  expect(client.queue()).toMatchObject([{ state: 'failed' }])
})
