import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { workspaceKeyName } from '../../../electron/app/keys/key-names.ts'
import { createRemote } from '../../../electron/remote/create-remote.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { callCommand } from '../../service/support/run-service.ts'
import { lastingStores } from './lasting-stores.ts'
import { connectTo, createStage, serviceFolder, valueOf, type TestApp } from './start-app.ts'

const stage = createStage()
const services: Pick<StartedService, 'close'>[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

/** Serves the data of a folder, at an address that no other service of the test has. */
const serve = async (dir: string): Promise<StartedService> => {
  const service = await startService({ dir })
  services.push(service)
  return service
}

const closeAll = () => Promise.all(services.splice(0).map((service) => service.close()))

/** Starts the application with a vault, which keeps its keys. */
const startWithVault = async (options: { dataDir?: string } = {}): Promise<TestApp> => {
  const it = await stage.start(options)
  const passphrase = 'seven quiet herons'
  valueOf(
    await (options.dataDir === undefined
      ? it.command('keys.choose', { store: 'vault', passphrase })
      : it.command('keys.unlock', { passphrase })),
  )
  return it
}

const addEnvironment = async (it: TestApp, workspaceId: string): Promise<string> => {
  const { id: projectId } = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  return valueOf(await it.command('environments.create', { workspaceId, projectId, name: 'Production' })).id
}

const add = async (it: TestApp, workspaceId: string, environmentId: string, name: string) =>
  valueOf(
    await it.command('variables.create', { workspaceId, environmentId, name, value: `value of ${name}`, type: 'string', isSecret: false }),
  )

const synced = (it: TestApp, workspaceId: string) =>
  it.until('sync.status', { workspaceId }, ({ state, queued }) => state === 'synced' && queued === 0)

const moveTo = ({ command }: TestApp, workspaceId: string, { url, apiKey }: StartedService) =>
  command('workspaces.move', { workspaceId, baseUrl: url, apiKey, allowInsecure: false })

const probe = async ({ command }: TestApp, { url, apiKey }: StartedService) =>
  valueOf(await command('workspaces.probe', { baseUrl: url, apiKey, allowInsecure: false }))

const namesOn = async ({ url, apiKey }: StartedService): Promise<string[]> => {
  const remote = createRemote({ baseUrl: url, apiKey: () => apiKey, fetch })
  const page = await remote.listVariables('shop', 'production', null)
  return page.ok ? page.value.items.map(({ name }) => name) : [page.error.kind]
}

test('a workspace whose service has another address moves there, and its unsent changes are sent to it', async () => {
  const dir = await stage.folder()
  const before = await serve(dir)
  const it = await startWithVault()
  const { workspaceId } = await connectTo(it, before)
  const environmentId = await addEnvironment(it, workspaceId)
  await add(it, workspaceId, environmentId, 'SENT')
  await synced(it, workspaceId)
  expect((await probe(it, before)).known).toEqual({ workspaceId, baseUrl: before.url, isHere: true })
  await closeAll()
  await add(it, workspaceId, environmentId, 'UNSENT')

  const after = await serve(dir)
  expect((await probe(it, after)).known).toEqual({ workspaceId, baseUrl: before.url, isHere: false })
  valueOf(await moveTo(it, workspaceId, after))
  expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, baseUrl: after.url, needs: [] }])
  await synced(it, workspaceId)
  expect(await namesOn(after)).toEqual(['SENT', 'UNSENT'])
  expect((await probe(it, after)).known).toEqual({ workspaceId, baseUrl: after.url, isHere: true })

  await it.app.close()
  const again = await startWithVault({ dataDir: it.dataDir })
  expect(valueOf(await again.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, baseUrl: after.url, needs: [] }])
})

test('a copy of the data folder from before the move asks for an API key, and sends the new one to nobody', async () => {
  const dir = await stage.folder()
  const before = await serve(dir)
  const lasting = lastingStores()
  const start = async (dataDir: string) => {
    const it = await stage.start({ dataDir, stores: lasting.stores(dataDir) })
    valueOf(await it.command('keys.choose', { store: 'session' }))
    return it
  }
  const it = await start(await stage.folder())
  const { workspaceId } = await connectTo(it, before)
  await it.app.close()
  const copied = await stage.folder()
  await cp(it.dataDir, copied, { recursive: true })
  await closeAll()
  const after = await serve(dir)
  const moved = await start(it.dataDir)
  valueOf(await moveTo(moved, workspaceId, after))

  const copy = await start(copied)
  expect(valueOf(await copy.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, baseUrl: before.url, needs: ['api-key'] }])
  expect(valueOf(await copy.query('sync.status', { workspaceId })).state).not.toBe('offline')
  expect(valueOf(await moved.query('workspaces.list', {}))).toMatchObject([{ baseUrl: after.url, needs: [] }])
})

test('a local workspace moves to a service that has its data', async () => {
  const it = await startWithVault()
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const environmentId = await addEnvironment(it, workspaceId)
  await add(it, workspaceId, environmentId, 'LOCAL')
  await synced(it, workspaceId)
  await it.app.close()
  const dir = await stage.folder()
  await cp(serviceFolder(it, workspaceId), dir, { recursive: true })

  const team = await serve(dir)
  const next = await startWithVault({ dataDir: it.dataDir })
  expect((await probe(next, team)).known).toEqual({ workspaceId, baseUrl: null, isHere: false })
  valueOf(await moveTo(next, workspaceId, team))
  expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, kind: 'remote', baseUrl: team.url }])
  await add(next, workspaceId, environmentId, 'SHARED')
  await synced(next, workspaceId)
  expect(await namesOn(team)).toEqual(['LOCAL', 'SHARED'])
  const [first] = valueOf(await next.query('variables.page', { workspaceId, environmentId, filter: '', offset: 0, limit: 1 })).rows
  const shown = await next.query('variables.values', { workspaceId, ids: first === undefined ? [] : [first.id], reveal: true })
  expect(valueOf(shown)).toMatchObject([{ value: 'value of LOCAL' }])
})

test('what was edited after the data of a local workspace were copied can be sent to the service that has the copy', async () => {
  const it = await startWithVault()
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const environmentId = await addEnvironment(it, workspaceId)
  await add(it, workspaceId, environmentId, 'COPIED')
  await synced(it, workspaceId)
  await it.app.close()
  const dir = await stage.folder()
  const file = join(dir, 'mine.jsonl')
  expect(await callCommand('backup', '--to', file, '--data', serviceFolder(it, workspaceId))).toMatchObject({ code: 0 })
  expect(await callCommand('restore', '--from', file, '--data', dir)).toMatchObject({ code: 0 })
  const next = await startWithVault({ dataDir: it.dataDir })
  await add(next, workspaceId, environmentId, 'LATER')
  await synced(next, workspaceId)

  const team = await serve(dir)
  valueOf(await moveTo(next, workspaceId, team))
  const note = await next.until('restart.note', { workspaceId }, (value) => value !== null)
  expect(note?.rows.map(({ name, change }) => [name, change])).toEqual([['LATER', 'deleted']])
  valueOf(await next.command('restart.resend', { workspaceId, at: note?.at ?? '' }))
  await synced(next, workspaceId)
  expect(await namesOn(team)).toEqual(['COPIED', 'LATER'])
})

test('a workspace does not move to the address of another one', async () => {
  const [one, other] = [await serve(await stage.folder()), await serve(await stage.folder())]
  const it = await startWithVault()
  const { workspaceId } = await connectTo(it, one)
  expect((await probe(it, other)).known).toBeNull()
  expect(await moveTo(it, workspaceId, other)).toMatchObject({ ok: false, error: { kind: 'wrong-workspace' } })
  expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, baseUrl: one.url }])
})

test('a workspace does not move to where values are encrypted with another key', async () => {
  const dir = await stage.folder()
  const before = await serve(dir)
  const it = await startWithVault()
  const { workspaceId } = await connectTo(it, before)
  await synced(it, workspaceId)
  await closeAll()
  const after = await serve(dir)
  const colleague = await startWithVault()
  const theirs = await connectTo(colleague, after)
  await add(colleague, theirs.workspaceId, await addEnvironment(colleague, theirs.workspaceId), 'THEIRS')
  await synced(colleague, theirs.workspaceId)
  expect(await moveTo(it, workspaceId, after)).toMatchObject({ ok: false, error: { kind: 'workspace-key-wrong' } })
  expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, baseUrl: before.url }])
})

test('a workspace without its key says that the key comes first, and then moves', async () => {
  const dir = await stage.folder()
  const service = await serve(dir)
  const { kept, stores } = lastingStores()
  const dataDir = await stage.folder()
  const start = async () => {
    const it = await stage.start({ dataDir, stores: stores(dataDir) })
    valueOf(await it.command('keys.choose', { store: 'session' }))
    return it
  }
  const it = await start()
  const { workspaceId } = await connectTo(it, service)
  const workspaceKey = valueOf(await it.query('keys.recovery', { workspaceId })).recoveryKey
  await it.app.close()
  await closeAll()
  kept.delete(workspaceKeyName(workspaceId))

  const again = await start()
  const after = await serve(dir)
  const message = expect.stringContaining('Open the workspace and enter its key, then move it.') as string
  expect(await moveTo(again, workspaceId, after)).toEqual({ ok: false, error: { kind: 'workspace-key-missing', message } })
  valueOf(await again.command('workspaces.supply-keys', { workspaceId, workspaceKey, confirmNoValues: true }))
  valueOf(await moveTo(again, workspaceId, after))
})
