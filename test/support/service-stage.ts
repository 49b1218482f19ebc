import { afterEach, beforeEach } from 'vitest'
import { TestClient, type ClientOptions } from './build-client.ts'
import { seededRandom } from './seeded-random.ts'
import { startService, type StartedService } from './start-service.ts'

export interface ServiceStage<Service> {
  service(): Service
  /** A client with the workspace key of the stage. */
  open(options?: Partial<ClientOptions>): TestClient
}

/** For each test a service of its own over HTTP, and clients of one workspace key; all of it is closed after the test. */
export const createServiceStage = (): ServiceStage<StartedService> => stageOf(startService, () => ({}))

/** The same for a service that `start` starts. `optionsOf`: how its clients differ from those over HTTP. */
export function stageOf<Service extends ClientOptions['service'] & { close(): Promise<void> }>(
  start: () => Promise<Service>,
  optionsOf: (service: Service) => Partial<ClientOptions>,
): ServiceStage<Service> {
  const key = new Uint8Array(32).fill(7)
  let service: Service
  let clients: TestClient[] = []

  beforeEach(async () => {
    service = await start()
  })
  afterEach(async () => {
    for (const client of clients) await client.close()
    clients = []
    await service.close()
  })

  return {
    service: () => service,
    open(options = {}) {
      const client = new TestClient({ service, key, random: seededRandom(clients.length + 1), ...optionsOf(service), ...options })
      clients.push(client)
      return client
    },
  }
}
