import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { allBase } from '../../electron/mirror/base-layer.ts'
import { TestClient } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService, type StartedService } from '../support/start-service.ts'

let service: StartedService
let client: TestClient

beforeEach(async () => {
  service = await startService()
  client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(1) })
})
afterEach(async () => {
  await client.close()
  await service.close()
})

/** How many requests were made. */
function counting(): () => number {
  let made = 0
  const before = client.network
  client.network = (send, request) => {
    made += 1
    return before(send, request)
  }
  return () => made
}

test('while paused nothing is asked of the service, whatever wakes the engine, also after a new start', async () => {
  client.engine.hold(true)
  client.restart()
  const requests = counting()
  client.createProject('Shop')
  client.engine.start()
  client.engine.wake()
  await client.engine.stop()
  expect(requests()).toBe(0)
  expect(client.queue()).toHaveLength(1)
})

test('asked to sync while paused, it syncs once and stays paused; resumed, it goes on by itself', async () => {
  client.engine.hold(true)
  client.createProject('Shop')
  client.engine.start()
  await client.engine.syncNow()
  expect(client.queue()).toEqual([])
  client.createProject('Second')
  client.engine.wake()
  expect(client.queue()).toHaveLength(1)
  client.engine.hold(false)
  await client.engine.syncNow()
  expect(client.queue()).toEqual([])
})

test.each<[string, (other: TestClient) => void]>([
  ['paused', ({ engine }) => engine.hold(true)],
  ['stopped, as by a lock', ({ engine }) => void engine.stop()],
])('%s in the middle of a long pull, it ends with the page under way, and the rest comes later', async (_what, halt) => {
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const { id } = client.find('environment', client.find('project', null, 'shop').id, 'prod')
  for (let n = 0; n < 600; n += 1) client.setVariable(id, `N${n}`, 'x')
  await client.sync()

  let hasHalted = false
  const other: TestClient = new TestClient({
    service,
    key: new Uint8Array(32),
    random: seededRandom(2),
    watch: (mirror) => ({
      ...mirror,
      write(work) {
        const done = mirror.write(work)
        if (!hasHalted && mirror.snapshot(allBase).filter(({ kind }) => kind === 'variable').length > 0) {
          hasHalted = true
          halt(other)
        }
        return done
      },
    }),
  })
  const pulled = () => other.mirror.snapshot(allBase).filter(({ kind }) => kind === 'variable').length
  other.engine.start()
  await vi.waitFor(() => expect([hasHalted, other.engine.status().phase]).toEqual([true, 'idle']))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(pulled()).toBeLessThan(300)
  expect(other.engine.status()).toMatchObject({ lastSyncedAt: null })
  other.engine.hold(false)
  await other.sync()
  expect(pulled()).toBe(600)
  await other.close()
})
