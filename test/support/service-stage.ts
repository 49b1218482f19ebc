import { afterEach, beforeEach } from 'vitest'
import { TestClient, type ClientOptions } from './build-client.ts'
import { seededRandom } from './seeded-random.ts'
import { startService, type StartedService } from './start-service.ts'

/** For each test a service of its own over HTTP, and clients of one workspace key; all of it is closed after the test. */
export function createServiceStage(): { service(): StartedService; open(options?: Partial<ClientOptions>): TestClient } {
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
    open(options = {}) {
      const client = new TestClient({ service, key, random: seededRandom(clients.length + 1), ...options })
      clients.push(client)
      return client
    },
  }
}
