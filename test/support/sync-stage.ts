import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach } from 'vitest'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient } from './build-client.ts'
import { seededRandom } from './seeded-random.ts'

/** For each test a service of its own, and clients of one workspace key; all of it is closed after the test. */
export function createSyncStage(): { service(): FuzzService; open(): TestClient } {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const key = new Uint8Array(32).fill(7)
  let service: FuzzService
  let clients: TestClient[] = []

  beforeEach(async () => {
    service = await startFuzzService(parent, {})
  })
  afterEach(async () => {
    for (const client of clients) await client.close()
    clients = []
    await service.close()
  })

  return {
    service: () => service,
    open() {
      const client = new TestClient({ service, key, random: seededRandom(clients.length + 1), parent, fetch: service.fetch })
      clients.push(client)
      return client
    },
  }
}
