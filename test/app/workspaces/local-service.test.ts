import { mkdtemp, open as openFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLocalService, type LocalService, type LocalServiceOptions } from '../../../electron/app/workspaces/local-service.ts'
import { createRemote } from '../../../electron/remote/create-remote.ts'
import type { Remote, RemoteError } from '../../../electron/remote/remote.ts'
import type { Result } from '../../../electron/bridge/result.ts'

const valueOf = <T>(result: Result<T, RemoteError>): T => {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

let folder: string
let logged: string[]
const open: LocalService[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-local-'))
  logged = []
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.stop()))
  await rm(folder, { recursive: true, force: true })
})

const start = (options: Partial<LocalServiceOptions> = {}): { service: LocalService; remote: Remote } => {
  const service = createLocalService({
    app: { randomBytes: (length) => new Uint8Array(randomBytes(length)), log: (_level, message) => logged.push(message) },
    folder: join(folder, 'service'),
    workspaceId: uuid(),
    mayBootstrap: () => true,
    onDamaged: () => logged.push('damaged'),
    ...options,
  })
  open.push(service)
  const { baseUrl, apiKey, fetch } = service.access
  return { service, remote: createRemote({ baseUrl, apiKey: () => apiKey, fetch }) }
}

/** A thread in the place of the service. */
const thread = async (source: string): Promise<URL> => {
  const file = join(folder, 'thread.mjs')
  await writeFile(file, `import { parentPort } from 'node:worker_threads'\n${source}`)
  return pathToFileURL(file)
}

describe('the service of a local workspace', () => {
  test('makes its workspace under the id it is given, and has it at the next start', async () => {
    const workspaceId = uuid()
    const first = start({ workspaceId })
    expect(valueOf(await first.remote.getWorkspace()).id).toBe(workspaceId)
    const name = 'Grüße 地図 🗺️'
    valueOf(await first.remote.pushChanges([{ op: 'create', resource: 'project', id: uuid(), fields: { name, slug: 'shop' } }]))
    await first.service.stop()
    const next = start({ mayBootstrap: () => false })
    expect(valueOf(await next.remote.getWorkspace()).id).toBe(workspaceId)
    expect(valueOf(await next.remote.listProjects(null)).items).toMatchObject([{ name }])
  })

  test('answers nobody without the key of this process', async () => {
    const { service } = start()
    const get = (headers: Record<string, string>) => service.access.fetch('http://localhost/workspace', { headers })
    expect((await get({})).status).toBe(401)
    expect((await get({ authorization: `Bearer ${start().service.access.apiKey}` })).status).toBe(401)
    expect((await get({ authorization: `Bearer ${service.access.apiKey}` })).status).toBe(200)
  })

  test.each<[what: string, damage: (file: string) => Promise<void>]>([
    ['overwritten', (file) => writeFile(file, 'not a database '.repeat(1000))],
    ['emptied', (file) => truncate(file)],
    ['lost', (file) => rm(file)],
  ])('makes no empty workspace in the place of one whose database was %s, and can be restored', async (_, damage) => {
    const workspaceId = uuid()
    const first = start({ workspaceId })
    valueOf(await first.remote.getWorkspace())
    await first.service.stop()
    await damage(join(folder, 'service', 'service.db'))

    const { service, remote } = start({ workspaceId, mayBootstrap: () => false })
    for (const _try of [1, 2]) expect(await remote.getWorkspace()).toMatchObject({ ok: false, error: { kind: 'offline', outcome: 'none' } })
    expect(service.damage()).toEqual({ newestBackup: null })
    expect(logged.filter((message) => message === 'damaged')).toHaveLength(1)
    const id = uuid()
    const restored = await service.restore([{ op: 'create', resource: 'project', id, fields: { name: 'Shop', slug: 'shop' } }])
    expect(restored).toMatchObject({ ok: true, value: { from: null, refused: 0 } })
    expect(valueOf(await remote.getWorkspace()).id).toBe(workspaceId)
    expect(valueOf(await remote.listProjects(null)).items).toMatchObject([{ id, name: 'Shop' }])
  })

  test('can be restored when the copy before a migration finds its database damaged', async () => {
    const workspaceId = uuid()
    const first = start({ workspaceId })
    valueOf(await first.remote.getWorkspace())
    await first.service.stop()
    const file = join(folder, 'service', 'service.db')
    const older = new Database(file)
    older.exec('update schema_migrations set number = number - 1')
    older.close()
    // Nothing reads the last page while the database is opened.
    const handle = await openFile(file, 'r+')
    await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, (await handle.stat()).size - 4096)
    await handle.close()

    const { service, remote } = start({ workspaceId, mayBootstrap: () => false })
    expect(await remote.getWorkspace()).toMatchObject({ ok: false, error: { kind: 'offline', outcome: 'none' } })
    expect(service.damage()).toEqual({ newestBackup: null })
    expect(await service.restore([])).toMatchObject({ ok: true, value: { from: null, refused: 0 } })
    expect(valueOf(await remote.getWorkspace()).id).toBe(workspaceId)
  })

  test('that cannot start says why, and starts with the next request once it can', async () => {
    await writeFile(join(folder, 'service'), 'in the way')
    const { remote } = start()
    expect(await remote.getWorkspace()).toMatchObject({
      ok: false,
      error: { kind: 'offline', outcome: 'none', message: expect.stringContaining('couldn’t start') },
    })
    await rm(join(folder, 'service'))
    valueOf(await remote.getWorkspace())
  })

  test('that dies with a request leaves its outcome unknown, and is started again by the next', async () => {
    const dies = await thread(`parentPort.postMessage({ is: 'started' }); parentPort.on('message', () => { throw new Error('secret') })`)
    const { remote } = start({ entry: dies })
    for (const _ of [1, 2])
      expect(await remote.getWorkspace()).toMatchObject({ ok: false, error: { kind: 'interrupted', outcome: 'unknown' } })
    expect(logged).toEqual(['The service of a local workspace failed', 'The service of a local workspace failed'])
  })

  test('that is stopped answers what was begun, and takes no more', async () => {
    const { service, remote } = start()
    valueOf(await remote.getWorkspace())
    const begun = remote.pushChanges([{ op: 'create', resource: 'project', id: uuid(), fields: { name: 'Shop', slug: 'shop' } }])
    // It is posted when the body of the request has been read.
    await new Promise((done) => setTimeout(done, 50))
    await service.stop()
    valueOf(await begun)
    expect(await remote.getWorkspace()).toMatchObject({ ok: false, error: { kind: 'offline', outcome: 'none' } })
  })

  test('that rests ends its thread, and answers what is asked meanwhile with a new one', async () => {
    const starts = join(folder, 'starts')
    const entry = await thread(`
      import { appendFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(starts)}, 'x')
      await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../../service/worker.ts')).href)})
    `)
    const { service, remote } = start({ entry })
    valueOf(await remote.getWorkspace())
    const resting = service.rest()
    const asked = remote.getWorkspace()
    await resting
    valueOf(await asked)
    await service.rest()
    await service.rest()
    expect(await readFile(starts, 'utf8')).toBe('xx')
    valueOf(await remote.getWorkspace())
    expect(await readFile(starts, 'utf8')).toBe('xxx')
  })
})
