import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { supplyKeys } from '../../../electron/app/workspaces/supply-keys.ts'
import type { WorkspacesContext } from '../../../electron/app/workspaces/workspaces-context.ts'
import { ok } from '../../../electron/bridge/result.ts'
import { formatWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import { apiKeyName, workspaceKeyName } from '../../../electron/app/keys/key-names.ts'
import { createSessionKeys } from '../../../electron/keychain/session-keys.ts'
import { keys } from '../../../service/cli/keys.ts'
import type { Output } from '../../../service/cli/output.ts'
import { TestClient } from '../../support/build-client.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { lastingStores } from './lasting-stores.ts'
import { connectTo, createStage, valueOf } from './start-app.ts'

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

const stage = createStage()
afterEach(stage.clear)

/** Makes another API key of the owner. */
async function makeKey(dir: string): Promise<string> {
  let printed: object | string = {}
  const output: Output = { print: (line) => void (printed = line), printError: () => undefined }
  await keys(['create', '--email', 'owner@localhost', '--data', dir], output)
  return typeof printed === 'object' && 'apiKey' in printed ? String(printed.apiKey) : ''
}

test('an API key that still works is replaced by another one, also while the workspace key is missing', async () => {
  const lasting = lastingStores()
  const dataDir = await stage.folder()
  const start = async () => {
    const it = await stage.start({ dataDir, stores: lasting.stores(dataDir) })
    valueOf(await it.command('keys.choose', { store: 'session' }))
    return it
  }
  const before = await start()
  const { workspaceId } = await connectTo(before, service)
  await before.app.close()
  lasting.kept.delete(workspaceKeyName(workspaceId))

  const it = await start()
  expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ needs: ['workspace-key'] }])
  const apiKey = await makeKey(service.dir)
  valueOf(await it.command('workspaces.supply-keys', { workspaceId, apiKey }))
  expect(lasting.kept.get(apiKeyName(workspaceId))).toContain(apiKey)
})
