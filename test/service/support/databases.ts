import { afterEach, expect } from 'vitest'
import type { ServiceDeps } from '../../../service/app.ts'
import type { Storage } from '../../../service/store/open-store.ts'
import { writeIn } from '../../../service/store/write.ts'
import { addMember } from '../../../service/store/members.ts'
import { mintKey } from '../../../service/store/keys.ts'
import type { RoleId } from '../../../service/protocol/roles.ts'
import { randomBytes } from 'node:crypto'
import { startService } from '../../support/start-service.ts'
import type { StartedService } from '../../support/start-service.ts'
import { client } from './client.ts'
import type { Call } from './client.ts'
import { createDatabase, emptyTables } from './create-database.ts'
import { usageOf } from './usage.ts'

/** Every test of behaviour runs on both. */
export const databases = ['SQLite', 'PostgreSQL'] as const
export type DatabaseKind = (typeof databases)[number]

export interface TestService extends StartedService {
  /** Where it keeps its data. */
  storage: Storage
  /** Calls with the owner's key. */
  call: Call
  /** The key of a new member in this role. */
  memberKey(roleId: RoleId): Promise<string>
  /** A client with the key of a new member in this role. */
  memberCall(roleId: RoleId): Promise<Call>
}

/** Adds an active member behind the wire and gives their key. */
export const addKey = async (started: StartedService, roleId: RoleId): Promise<string> => {
  const at = new Date().toISOString()
  return writeIn(started.service.store, started.service.workspaceId, { at, by: 'test' }, async (write) => {
    const email = `${roleId}-${randomBytes(4).toString('hex')}@example.com`
    const member = await addMember(write, email, roleId, 'active')
    const { key } = await mintKey(write, { memberId: member.id, name: roleId, expiresAt: null, randomBytes })
    return key
  })
}

/**
 * For use at the top of a `describe`: a function that starts a fresh service on this kind of database, closed after the test. Whatever the test
 * did, the service must have counted it.
 */
export const useServices = (kind: DatabaseKind): ((deps?: Partial<ServiceDeps>) => Promise<TestService>) => {
  const started: StartedService[] = []
  const used: string[] = []
  const free: string[] = []
  afterEach(async () => {
    const services = started.splice(0)
    const usages = await Promise.allSettled(services.map(({ service }) => usageOf(service.store)))
    await Promise.all(services.map((service) => service.close()))
    // A storage that a test broke, or closed, cannot be asked.
    for (const usage of usages) if (usage.status === 'fulfilled') expect(usage.value.said).toEqual(usage.value.held)
    for (const url of used.splice(0)) {
      await emptyTables(url)
      free.push(url)
    }
  })
  const storageOf = async (): Promise<Storage | undefined> => {
    if (kind === 'SQLite') return undefined
    const databaseUrl = free.pop() ?? (await createDatabase())
    used.push(databaseUrl)
    return { databaseUrl }
  }
  return async (deps = {}) => {
    const storage = deps.storage ?? (await storageOf())
    const service = await startService({ deps: { ...deps, ...(storage === undefined ? {} : { storage }) } })
    started.push(service)
    return {
      ...service,
      storage: storage ?? { dataDir: service.dir },
      call: client(service.url, service.apiKey),
      memberKey: (roleId) => addKey(service, roleId),
      memberCall: async (roleId) => client(service.url, await addKey(service, roleId)),
    }
  }
}
