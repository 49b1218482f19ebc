import { afterEach, expect, test } from 'vitest'
import { addKey } from '../../service/support/databases.ts'
import { startFlavour } from '../../support/start-flavour.ts'
import { startService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf, type TestApp } from './start-app.ts'

const stage = createStage()
const services: { close(): Promise<void> }[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

const serve = async () => {
  const service = await startService()
  services.push(service)
  return service
}

const connected = async (service: { url: string; apiKey: string }) => {
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'session' }))
  const { workspaceId } = await connectTo(it, service)
  return { it, workspaceId }
}

const nameIn = async (it: TestApp): Promise<string | undefined> => valueOf(await it.query('workspaces.list', {}))[0]?.name

test('a workspace that is renamed has its new name on every computer', async () => {
  const service = await serve()
  const mine = await connected(service)
  const theirs = await connected(service)
  expect(valueOf(await mine.it.command('workspaces.rename', { workspaceId: mine.workspaceId, name: 'Platform' }))).toEqual({
    where: 'service',
  })
  expect(await nameIn(mine.it)).toBe('Platform')
  expect(mine.it.pushes).toContainEqual({ push: 'changed', workspaceId: mine.workspaceId, tables: expect.arrayContaining(['workspaces']) })
  valueOf(await theirs.it.command('sync.now', { workspaceId: theirs.workspaceId }))
  expect(await nameIn(theirs.it)).toBe('Platform')
})

test('a local workspace keeps its new name over a restart', async () => {
  const dataDir = await stage.folder()
  const it = await stage.start({ dataDir })
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', { name: 'Mine' }))
  await it.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
  valueOf(await it.command('workspaces.rename', { workspaceId, name: 'Home' }))
  await it.app.close()
  expect(await nameIn(await stage.start({ dataDir }))).toBe('Home')
})

test('where the service can’t rename a workspace, this computer alone gives it the name, and keeps it', async () => {
  const { url, apiKey, close } = await startFlavour('only-14', await stage.folder())
  services.push({ close })
  const { it, workspaceId } = await connected({ url, apiKey: apiKey ?? '' })
  expect(valueOf(await it.command('workspaces.rename', { workspaceId, name: 'Theirs' }))).toEqual({ where: 'computer' })
  valueOf(await it.command('sync.now', { workspaceId }))
  expect(await nameIn(it)).toBe('Theirs')
})

test.each([
  ['an empty name', '', { kind: 'invalid-input' }],
  ['a name on two lines', 'a\nb', { kind: 'invalid-input', field: 'name' }],
])('%s is refused, and nothing is renamed', async (_what, name, error) => {
  const { it, workspaceId } = await connected(await serve())
  const before = await nameIn(it)
  expect(await it.command('workspaces.rename', { workspaceId, name })).toMatchObject({ ok: false, error })
  expect(await nameIn(it)).toBe(before)
})

test('who may not rename the workspace is told so by the service, and sees the old name', async () => {
  const service = await serve()
  const { it, workspaceId } = await connected({ url: service.url, apiKey: await addKey(service, 'editor') })
  const before = await nameIn(it)
  expect(await it.command('workspaces.rename', { workspaceId, name: 'Mine now' })).toMatchObject({
    ok: false,
    error: { kind: 'refused', status: 403 },
  })
  expect(await nameIn(it)).toBe(before)
})
