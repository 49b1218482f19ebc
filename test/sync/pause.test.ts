import { afterEach, beforeEach, expect, test } from 'vitest'
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
