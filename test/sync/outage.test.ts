import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestClient, unreachable, type Network } from '../support/build-client.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService, type StartedService } from '../support/start-service.ts'

let service: StartedService
let clients: TestClient[]

beforeEach(async () => {
  service = await startService()
  clients = []
})
afterEach(async () => {
  for (const client of clients) {
    await client.engine.stop()
    await client.close()
  }
  await service.close()
})

/** Somebody who looks for changes once an hour, and tries again after minutes: only a probe of the service is sooner. */
async function somebody(network: Network): Promise<TestClient> {
  const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(clients.length + 1), probeMs: 20 })
  clients.push(client)
  await client.sync()
  client.network = network
  await client.sync()
  return client
}

test.each([
  ['full', (forward: () => Promise<Response>) => forward()],
  ['basic', withoutFeed],
] as const)('an edit of a long outage reaches others as soon as probes find that the service is back (%s)', async (_kind, network) => {
  const me = await somebody(network)
  me.network = (forward) => forward()
  me.createProject('Shop')
  me.createEnvironment('shop', 'Prod')
  const environmentId = me.find('environment', me.find('project', null, 'shop').id, 'prod').id
  me.setVariable(environmentId, 'X', 'before')
  await me.sync()
  me.network = network
  const other = await somebody(network)
  for (const client of clients) {
    client.network = unreachable
    client.engine.start()
    // So that the next attempt is minutes away.
    for (let tries = 0; tries < 12; tries += 1) await client.engine.syncNow()
  }
  me.setVariable(environmentId, 'X', 'offline')
  for (const client of clients) client.network = network
  await vi.waitFor(() => expect(other.contents()['shop/prod/X']).toBe('offline'), { timeout: 60_000, interval: 20 })
})
