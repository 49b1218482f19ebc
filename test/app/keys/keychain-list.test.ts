import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { shareKeychain } from '../../../electron/app/keys/share-keychain.ts'
import { err, ok } from '../../../electron/bridge/result.ts'
import type { KeyStore } from '../../../electron/keychain/key-store.ts'
import { keychainFailure } from '../../../electron/keychain/keychain-failure.ts'

const listName = 'data-folders'

let root: string
const entries = new Map<string, string>()
/** How often the list was read and written, and whether the keychain refuses to write it. */
let reads = 0
let writes = 0
let isRefusing = false
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-keychain-list-')))
  entries.clear()
  reads = 0
  writes = 0
  isRefusing = false
})
afterEach(() => rm(root, { recursive: true }))

const keychain: KeyStore = {
  kind: 'os',
  async get(name) {
    if (name === listName) reads += 1
    return ok(entries.get(name) ?? null)
  },
  async set(name, secret) {
    if (name === listName) {
      writes += 1
      if (isRefusing) return err(keychainFailure('keychain-cancelled'))
    }
    entries.set(name, secret)
    return ok(null)
  },
  delete: async (name) => ok((entries.delete(name), null)),
  close: () => undefined,
}

const folder = () => mkdtemp(join(root, 'data-'))
const openIn = (dataDir: string): KeyStore => shareKeychain(dataDir, () => keychain)()
const list = () => JSON.parse(entries.get(listName) ?? '[]') as unknown
/** Stores an entry from this data folder, until the list begins with it. */
const use = async (dataDir: string): Promise<void> => {
  await openIn(dataDir).set('entry', 'secret')
  await expect.poll(() => (list() as string[])[0]).toBe(dataDir)
}

test('the list has the six folders that came to it last', async () => {
  const folders = await Promise.all(Array.from({ length: 7 }, folder))
  for (const each of folders) await use(each)
  expect(list()).toEqual(folders.toReversed().slice(0, 6))
})

test('a folder that no longer exists leaves the list for the next one', async () => {
  const [deleted, kept, next] = [await folder(), await folder(), await folder()]
  for (const each of [deleted, kept]) await use(each)
  await rm(deleted, { recursive: true })
  await use(next)
  expect(list()).toEqual([next, kept])
})

test.each(['not a list', '{"folders":[]}', '[1]'])('a list that another program wrote is replaced: %s', async (text) => {
  entries.set(listName, text)
  const own = await folder()
  await use(own)
  expect(list()).toEqual([own])
})

test('a folder is listed once, by an entry that it reads or stores, and not by one that is missing', async () => {
  const [own, other] = [await folder(), await folder()]
  await openIn(own).get('entry')
  // Nothing tells that it does not happen.
  await setTimeout(100)
  expect([reads, writes]).toEqual([0, 0])
  for (const each of [own, other]) await use(each)
  const again = openIn(own)
  for (let round = 0; round < 3; round += 1) await again.get('entry')
  await again.set('entry', 'secret')
  await setTimeout(100)
  expect([list(), reads, writes]).toEqual([[other, own], 3, 2])
})

test('a list that the keychain refuses to write is written with the next entry', async () => {
  const own = await folder()
  const store = openIn(own)
  isRefusing = true
  await store.set('entry', 'secret')
  await expect.poll(() => writes).toBe(1)
  isRefusing = false
  await expect
    .poll(
      async () => {
        await store.get('entry')
        return list()
      },
      { timeout: 10_000 },
    )
    .toEqual([own])
})
