import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { supplyKeys } from '../../../electron/app/workspaces/supply-keys.ts'
import type { WorkspacesContext } from '../../../electron/app/workspaces/workspaces-context.ts'
import { ok } from '../../../electron/bridge/result.ts'
import { formatWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import { createSessionKeys } from '../../../electron/keychain/session-keys.ts'
import { TestClient } from '../../support/build-client.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'

let service: StartedService
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

test('a workspace key is never tried on the values of another workspace that the service turns out to be', async () => {
  const client = new TestClient({ service, key: randomBytes(32), random: seededRandom(1) })
  const asked: string[] = []
  client.network = async (forward, { path }) => {
    asked.push(path)
    return forward()
  }
  try {
    const info = { baseUrl: service.url, allowInsecure: false, remoteId: 'the one that was here before' }
    // What supplying keys never reaches for is not there.
    const context = {
      keys: { storeForNewKeys: async () => ok(createSessionKeys()) },
      sessions: { get: async () => ok({ info, mirror: client.mirror, remote: client.remote }) },
    } as unknown as WorkspacesContext
    const done = await supplyKeys(context, { workspaceId: 'ours', workspaceKey: formatWorkspaceKey(randomBytes(32)) }, AbortSignal.any([]))
    expect(done).toMatchObject({ ok: false, error: { kind: 'wrong-workspace' } })
    expect(asked).toEqual(['/workspace'])
  } finally {
    await client.close()
  }
})
