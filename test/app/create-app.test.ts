import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createApp } from '../../electron/app/create-app.ts'
import type { AppDeps } from '../../electron/app/app-deps.ts'
import { createStage, storesWithoutKeychain, valueOf } from './workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const depsFor = (dataDir: string): AppDeps => ({
  shell: 'browser',
  version: '0.0.0',
  platform: process.platform,
  dataDir,
  log: () => {},
  now: Date.now,
  randomBytes: (length) => new Uint8Array(length),
  fetch,
  network: { proxy: 'None', certificates: 'None' },
})

describe('the data folder', () => {
  test('is made, with its parents', async () => {
    const dataDir = join(await stage.folder(), 'a', 'b')
    const it = await stage.start({ dataDir })
    expect((await readdir(dataDir)).sort()).toEqual(['holdfast.lock', 'workspaces'])
    expect(valueOf(await it.query('app.status', {}))).toEqual({
      version: '0.0.0',
      platform: process.platform,
      shell: 'browser',
      dataDir,
      keys: { state: 'unchosen', keychain: 'absent' },
      network: { proxy: 'None', certificates: 'None' },
      place: null,
    })
  })

  test('serves one Holdfast at a time, and the next one after that is closed', async () => {
    const it = await stage.start()
    const second = await createApp(depsFor(it.dataDir), storesWithoutKeychain(it.dataDir))
    expect(second).toMatchObject({ ok: false, error: { kind: 'folder-in-use', message: expect.stringContaining(it.dataDir) } })
    await it.app.close()
    await stage.start({ dataDir: it.dataDir })
  })

  test.each([
    ['a file', async (path: string) => writeFile(path, 'x'), (path: string) => path],
    ['below a file', async (path: string) => writeFile(path, 'x'), (path: string) => join(path, 'below')],
    [
      'one whose lock cannot be opened',
      async (path: string) => void (await mkdir(join(path, 'holdfast.lock'), { recursive: true })),
      (path: string) => path,
    ],
  ])('that is %s is refused with a sentence', async (_, prepare, at) => {
    const path = join(await stage.folder(), 'data')
    await prepare(path)
    const made = await createApp(depsFor(at(path)), storesWithoutKeychain(at(path)))
    expect(made).toMatchObject({ ok: false, error: { kind: 'folder-read-only', message: expect.stringContaining(path) } })
  })
})

describe('closing', () => {
  test('is done once, refuses what comes later, and lets go of the folder', async () => {
    const it = await stage.start()
    const asked = it.query('workspaces.list', {})
    await Promise.all([it.app.close(), it.app.close()])
    expect(await asked).toEqual({ ok: true, value: [] })
    expect(await it.query('workspaces.list', {})).toMatchObject({
      ok: false,
      error: { kind: 'not-found', message: 'Holdfast is closing.' },
    })
    await stage.start({ dataDir: it.dataDir })
  })
})

describe('pushes', () => {
  test('of one tick come as one, and a listener that throws stands in nobody’s way', async () => {
    const it = await stage.start()
    const heard: unknown[] = []
    it.app.onPush(() => {
      throw new Error('not my day')
    })
    const stop = it.app.onPush((push) => heard.push(push))
    valueOf(await it.command('keys.choose', { store: 'session' }))
    // Told before the answer: who waits for it knows what is old.
    expect(heard).toEqual([{ push: 'changed', workspaceId: null, tables: ['app', 'workspaces'] }])
    stop()
    valueOf(await it.command('settings.set', { theme: 'dark' }))
    await new Promise((done) => setImmediate(() => setImmediate(done)))
    expect(heard).toHaveLength(1)
  })
})
