import { cp, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import { err, ok } from '../../../electron/bridge/result.ts'
import type { KeyStore } from '../../../electron/keychain/key-store.ts'
import { keychainFailure } from '../../../electron/keychain/keychain-failure.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

/** The entries of the keychain of this computer, which all data folders share. */
const entries = new Map<string, string>()
beforeEach(() => entries.clear())

/** The name of an entry that the keychain refuses to read. */
let refused: string | null = null
beforeEach(() => void (refused = null))

const keychain: KeyStore = {
  kind: 'os',
  get: async (name) => (name === refused ? err(keychainFailure('keychain-cancelled')) : ok(entries.get(name) ?? null)),
  set: async (name, secret) => ok((entries.set(name, secret), null)),
  delete: async (name) => ok((entries.delete(name), null)),
  close: () => undefined,
}

const named = (kind: string): string[] => [...entries.keys()].filter((name) => name.startsWith(kind))
const done = { ok: true, value: null }

const startOn = async (dataDir: string): Promise<TestApp> => {
  const stores = { ...createKeyStores(dataDir, cheapDerivation, () => keychain), probeKeychain: async () => 'available' as const }
  const it = await stage.start({ dataDir, stores })
  await it.until('app.status', {}, ({ keys }) => keys.state !== 'unchosen' || keys.keychain === 'available')
  await it.query('workspaces.list', {})
  return it
}
const isListed = async (dataDir: string) => {
  const listed = JSON.stringify(await realpath(dataDir))
  await expect.poll(() => entries.get('data-folders')).toContain(listed)
}

/** A data folder with one workspace, and a folder to which it was copied. */
const withACopy = async ({ pin }: { pin?: string } = {}) => {
  const dataDir = await stage.folder()
  const it = await startOn(dataDir)
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  if (pin !== undefined) valueOf(await it.command('keys.set-pin', { pin }))
  const key = valueOf(await it.query('keys.recovery', { workspaceId }))
  await isListed(dataDir)
  await it.app.close()
  const copy = join(await stage.folder(), 'copy')
  await cp(dataDir, copy, { recursive: true })
  return { dataDir, copy, workspaceId, key }
}

const removeFrom = async (dataDir: string, workspaceId: string): Promise<unknown> => {
  const it = await startOn(dataDir)
  const answer = await it.command('workspaces.remove', { workspaceId, discardUnsent: true })
  await it.app.close()
  return answer
}

test.each(['a copy', 'the original'])(
  'a workspace that is removed from %s of a data folder can still be read in the other',
  async (which) => {
    const { dataDir, copy, workspaceId, key } = await withACopy()
    const opened = await startOn(copy)
    await isListed(copy)
    await opened.app.close()
    const [first, other] = which === 'a copy' ? [copy, dataDir] : [dataDir, copy]
    expect(await removeFrom(first, workspaceId)).toEqual(done)
    const it = await startOn(other)
    expect(await it.query('keys.recovery', { workspaceId })).toEqual({ ok: true, value: key })
    await it.app.close()
    expect(await removeFrom(other, workspaceId)).toEqual(done)
    expect(named('workspace-key')).toEqual([])
  },
)

test('no key is left behind of a workspace whose data folder was moved or whose copies were deleted', async () => {
  const { dataDir, copy, workspaceId } = await withACopy()
  const opened = await startOn(copy)
  await isListed(copy)
  await opened.app.close()
  await rm(copy, { recursive: true })
  const moved = `${copy} moved`
  await rename(dataDir, moved)
  expect(await removeFrom(moved, workspaceId)).toEqual(done)
  expect(named('workspace-key')).toEqual([])
})

test('no key is deleted while the keychain does not say which data folders there are', async () => {
  const { dataDir, workspaceId } = await withACopy()
  refused = 'data-folders'
  expect(await removeFrom(dataDir, workspaceId)).toMatchObject({ ok: false, error: { kind: 'keychain-cancelled' } })
  expect(named('workspace-key')).toHaveLength(1)
})

test.each([
  ['changed', '999999'],
  ['removed', null],
])('a PIN that is %s in a copy of the data folder still unlocks the original, and no earlier PIN is left after it', async (_, pin) => {
  const { dataDir, copy } = await withACopy({ pin: '123456' })
  const other = await startOn(copy)
  valueOf(await other.command('keys.unlock', { pin: '123456' }))
  valueOf(await other.command('keys.set-pin', { pin, current: '123456' }))
  await other.app.close()

  const it = await startOn(dataDir)
  expect(await it.command('keys.unlock', { pin: '999999' })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
  expect(await it.command('keys.unlock', { pin: '123456' })).toEqual(done)
  valueOf(await it.command('keys.set-pin', { pin: null, current: '123456' }))
  expect(named('lock-pin-').filter((name) => name !== 'lock-pin-tries')).toHaveLength(pin === null ? 0 : 1)
})
