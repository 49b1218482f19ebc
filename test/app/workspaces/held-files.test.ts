import fs, { mkdir, readdir, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { KeyStores } from '../../../electron/app/keys/key-stores.ts'
import { ok } from '../../../electron/bridge/result.ts'
import { createStage, storesWithoutKeychain, valueOf } from './start-app.ts'

/** While true, another program holds the files of removed workspaces open, as a virus scanner does on Windows. */
const held = { is: false }
// Also for modules that other tests have loaded before.
const { rm } = fs
beforeAll(() => {
  fs.rm = async (path, options) => {
    if (held.is && String(path).includes('workspaces')) throw Object.assign(new Error('resource busy or locked'), { code: 'EBUSY' })
    return rm(path, options)
  }
  syncBuiltinESMExports()
})
afterAll(() => {
  fs.rm = rm
  syncBuiltinESMExports()
})

const stage = createStage()
afterEach(async () => {
  held.is = false
  await stage.clear()
})

const id = '01993a3c-0000-7000-8000-000000000001'

test.each([
  { says: 'removed', folder: `${id}.removed`, file: 'mirror.sqlite' },
  { says: 'half-made', folder: id, file: 'begun' },
])('Holdfast starts while a file of a $says workspace cannot be deleted, and deletes it at a later start', async ({ folder, file }) => {
  const dataDir = await stage.folder()
  const workspaces = join(dataDir, 'workspaces')
  await mkdir(join(workspaces, folder), { recursive: true })
  await writeFile(join(workspaces, folder, file), 'x')
  held.is = true
  const it = await stage.start({ dataDir })
  expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
  expect(await readdir(workspaces)).toEqual([`${id}.removed`])
  await it.app.close()

  held.is = false
  const next = await stage.start({ dataDir })
  expect(valueOf(await next.query('workspaces.list', {}))).toEqual([])
  expect(await readdir(workspaces)).toEqual([])
})

test('a workspace is removed with its keys although a file of it cannot be deleted yet', async () => {
  const kept = new Map<string, string>()
  const store = {
    kind: 'session' as const,
    get: async (name: string) => ok(kept.get(name) ?? null),
    set: async (name: string, secret: string) => {
      kept.set(name, secret)
      return ok(null)
    },
    delete: async (name: string) => {
      kept.delete(name)
      return ok(null)
    },
    close: () => {},
  }
  const dataDir = await stage.folder()
  const stores: KeyStores = { ...storesWithoutKeychain(dataDir), openSession: () => store }
  const it = await stage.start({ dataDir, stores })
  valueOf(await it.command('keys.choose', { store: 'session' }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  held.is = true
  expect(await it.command('workspaces.remove', { workspaceId, discardUnsent: true })).toEqual(ok(null))
  expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
  expect([...kept.keys()]).toEqual([])
})
