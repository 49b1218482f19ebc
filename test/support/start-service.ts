import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService } from '../../service/app.ts'
import type { Service, ServiceDeps } from '../../service/app.ts'
import { putFreshStore } from './fresh-databases.ts'

export interface StartedService {
  /** Base URL on a random loopback port, without a trailing slash. */
  url: string
  /** The owner's key. */
  apiKey: string
  workspaceId: string
  /** The folder of its SQLite data; empty where it is elsewhere. */
  dir: string
  /** The service itself, for tests that look behind the wire. */
  service: Service
  close(): Promise<void>
}

/**
 * Starts the real service in this process on a random loopback port. `dir` keeps its data there (a temporary folder that goes
 * with `close()` otherwise); `port` takes a fixed port, to come back at the same address. There is no rate limit unless `deps` sets one.
 */
export const startService = async (
  options: {
    dir?: string
    port?: number
    deps?: Partial<ServiceDeps>
  } = {},
): Promise<StartedService> => {
  const temporary =
    options.dir === undefined && options.deps?.storage === undefined ? await mkdtemp(join(tmpdir(), 'holdfast-service-')) : null
  const dataDir = options.dir ?? temporary ?? ''
  if (options.deps?.storage === undefined) await putFreshStore(dataDir)
  const service = await createService({
    storage: { dataDir },
    mintKey: true,
    checkAnswers: true,
    requestsPerMinute: null,
    strangerRequestsPerMinute: null,
    ...options.deps,
  })
  if (service.apiKey === null) throw new Error('no key was minted')
  const url = await service.app.listen({ port: options.port ?? 0, host: '127.0.0.1' })
  return {
    url,
    apiKey: service.apiKey,
    workspaceId: service.workspaceId,
    service,
    dir: dataDir,
    close: async () => {
      await service.close()
      if (temporary !== null) await rm(temporary, { recursive: true, force: true })
    },
  }
}
