import { afterEach, beforeEach } from 'vitest'
import { TestClient } from './build-client.ts'
import { seededRandom } from './seeded-random.ts'
import { startService, type StartedService } from './start-service.ts'

/** For each test a service of its own over HTTP, and clients of one workspace key; all of it is closed after the test. */
export function createServiceStage(): { service(): StartedService; open(): TestClient } {
  const key = new Uint8Array(32).fill(7)
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

  return {
    service: () => service,
    open() {
      const client = new TestClient({ service, key, random: seededRandom(clients.length + 1) })
      clients.push(client)
      return client
    },
  }
}
