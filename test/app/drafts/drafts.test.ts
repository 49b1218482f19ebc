import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { stillOpenMs } from '../../../electron/app/drafts/open-pages.ts'
import { deleteParent } from '../../../electron/app/edits/edit-parents.ts'
import { keepPart } from '../../../electron/app/edits/unfinished-work.ts'
import { recordRows } from '../../../electron/app/undo/record-rows.ts'
import { deletedKeptMs } from '../../../electron/mirror/deleted-layer.ts'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { setState } from '../../../electron/mirror/workspace-state.ts'
import { err } from '../../../electron/bridge/result.ts'
import type { KeyStore } from '../../../electron/keychain/key-store.ts'
import { keychainFailure } from '../../../electron/keychain/keychain-failure.ts'
import { createSessionKeys } from '../../../electron/keychain/session-keys.ts'
import { asShown } from '../../support/as-shown.ts'
import { createStage, storesWithoutKeychain, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const passphrase = 'correct horse battery'
const page = 'page'
const keptIn = (placeId: string) => `${placeId}/${page}`

/** A new local workspace with keys in a vault, and what creates an environment in it. */
async function workspaceOf(it: TestApp) {
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const { id: projectId } = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  const create = async (name: string) => valueOf(await it.command('environments.create', { workspaceId, projectId, name })).id
  return { workspaceId, create }
}

test('a draft outlives a lock, and cannot be read while it lasts', async () => {
  const it = await stage.start()
  const { workspaceId, create } = await workspaceOf(it)
  const [placeId, other] = [keptIn(await create('Prod')), keptIn(await create('Dev'))]
  valueOf(await it.command('drafts.keep', { workspaceId, placeId, draft: 'half typed' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: other, draft: 'dropped' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: other, draft: null }))
  valueOf(await it.command('keys.lock', {}))
  expect(await it.command('drafts.take', { workspaceId, page })).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  expect(await it.command('drafts.keep', { workspaceId, placeId, draft: 'x' })).toMatchObject({
    ok: false,
    error: { kind: 'keys-locked' },
  })
  valueOf(await it.command('keys.unlock', { passphrase }))
  expect(valueOf(await it.command('drafts.take', { workspaceId, page }))).toEqual([{ placeId, draft: 'half typed' }])
})

test('a draft outlives the end of Holdfast, in no file in plain text', async () => {
  const it = await stage.start()
  const { workspaceId, create } = await workspaceOf(it)
  const kept = keptIn(await create('Prod'))
  const secret = 'sentinel-draft-4711'
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: kept, draft: 'an earlier text' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: kept, draft: secret }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'discarded', draft: 'gone' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'discarded', draft: null }))
  await it.app.close()

  const files = readdirSync(it.dataDir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((each) => readFileSync(join(each.parentPath, each.name)).includes(secret)).map(({ name }) => name)).toEqual([])

  const again = await stage.start({ dataDir: it.dataDir })
  expect(await again.command('drafts.take', { workspaceId, page })).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  valueOf(await again.command('keys.unlock', { passphrase }))
  expect(valueOf(await again.command('drafts.take', { workspaceId, page }))).toEqual([{ placeId: kept, draft: secret }])
})

test('a draft whose key the keychain refuses is not answered as if there were none', async () => {
  const dataDir = await stage.folder()
  const entries = createSessionKeys()
  const asked: string[] = []
  let isRefusing = false
  const get: KeyStore['get'] = async (name) => {
    asked.push(name)
    return isRefusing ? err(keychainFailure('keychain-cancelled')) : entries.get(name)
  }
  const stores = {
    ...storesWithoutKeychain(dataDir),
    probeKeychain: async () => 'available' as const,
    openKeychain: () => ({ ...entries, kind: 'os' as const, get, close: () => undefined }),
  }
  const it = await stage.start({ dataDir, stores })
  valueOf(await it.command('keys.choose', { store: 'os' }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'somewhere', draft: 'half typed' }))
  await it.app.close()

  isRefusing = true
  const again = await stage.start({ dataDir, stores })
  const refused = { ok: false, error: { kind: 'keychain-cancelled' } }
  expect(await again.command('drafts.take', { workspaceId, page })).toMatchObject(refused)
  asked.length = 0
  expect(await again.command('drafts.take', { workspaceId, page })).toMatchObject(refused)
  // Each question to a keychain can be a prompt.
  expect(asked).toEqual([])
})

/** Deletes an environment that was never sent, as the middle of a large file of unsent changes does when Holdfast is killed. */
function leaveDeletedByUnfinishedWork(file: string, id: string): void {
  const mirror = valueOf(openMirror(file))
  const { remember, rememberDropped, finish } = recordRows()
  mirror.write((tx) => {
    const context = { now: Date.now(), newId: () => 'new', remember, rememberDropped }
    valueOf(deleteParent(tx, context, 'environment', id, asShown))
    keepPart(tx, 'work', 1, finish(tx))
  })
  mirror.close()
}

/** As after syncs on each of the days until then. */
function trimUntil(file: string, at: number): void {
  const opened = openMirror(file)
  if (!opened.ok) throw new Error(opened.error.message)
  opened.value.write((tx) => setState(tx, 'trim-clock', String(at)))
  opened.value.close()
}

test('a draft is dropped at a start once its environment is deleted for good, and not while that can be restored', async () => {
  const it = await stage.start()
  const { workspaceId, create } = await workspaceOf(it)
  const remove = async (id: string) => valueOf(await it.command('environments.delete', { workspaceId, id, seen: asShown }))
  const draftOf = async (placeId: string) =>
    valueOf(await it.command('drafts.keep', { workspaceId, placeId: keptIn(placeId), draft: placeId }))
  const [open, deleted] = [await create('Open'), await create('Deleted')]
  for (const id of [open, deleted]) await draftOf(id)
  const synced = () => it.until('queue.list', { workspaceId }, (rows) => rows.length === 0)
  await synced()
  await remove(deleted)
  await synced()
  valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
  const unsent = await create('Unsent')
  await draftOf(unsent)
  await remove(unsent)
  const interrupted = await create('Interrupted')
  await draftOf(interrupted)
  await it.app.close()

  const { dataDir } = it
  const later = () => Date.now() + deletedKeptMs + 60_000
  /** Starts again, until just these drafts are left. */
  const leaves = async (ids: string[], now = Date.now) => {
    const again = await stage.start({ dataDir, deps: { now } })
    valueOf(await again.command('keys.unlock', { passphrase }))
    const drafts = async () => valueOf(await again.command('drafts.take', { workspaceId, page })).map(({ draft }) => draft)
    await expect.poll(async () => (await drafts()).toSorted()).toEqual(ids.toSorted())
    return again
  }
  leaveDeletedByUnfinishedWork(join(dataDir, 'workspaces', workspaceId, 'mirror.sqlite'), interrupted)
  const soon = await leaves([open, deleted, interrupted])
  await soon.app.close()
  trimUntil(join(dataDir, 'workspaces', workspaceId, 'mirror.sqlite'), later())
  const expired = await leaves([open, deleted, interrupted], later)
  valueOf(await expired.command('sync.pause', { workspaceId, paused: false }))
  valueOf(await expired.command('sync.now', { workspaceId }))
  await expired.app.close()
  await leaves([open, interrupted], later)
})

test('of the drafts of closed pages, each is given to one of the pages that ask at once, and those of open pages to none', async () => {
  const it = await stage.start()
  const { workspaceId, create } = await workspaceOf(it)
  const placeId = await create('Prod')
  const take = async (of: string) => valueOf(await it.command('drafts.take', { workspaceId, page: of })).map(({ draft }) => draft)
  for (const at of [placeId, `${placeId}/closed`, `${placeId}/open`, `${placeId}/first`]) {
    valueOf(await it.command('drafts.keep', { workspaceId, placeId: at, draft: at }))
  }
  const closes = ['first', 'second', 'open'].map((each) => it.app.openPage(each))
  const [first, second] = await Promise.all([take('first'), take('second')])
  expect([...first, ...second].toSorted()).toEqual([placeId, `${placeId}/closed`, `${placeId}/first`])
  expect(first).toContain(`${placeId}/first`)
  // As after a reload, before it has kept them as its own.
  expect((await take('first')).toSorted()).toEqual(first.toSorted())
  for (const close of closes) close()
})

test('a page that takes over a draft deletes it in the step that keeps it as its own, and not what its former page keeps since', async () => {
  const it = await stage.start()
  const { workspaceId, create } = await workspaceOf(it)
  const placeId = await create('Prod')
  const keep = async (of: string, draft: string | null, adopted: string[] = []) =>
    valueOf(await it.command('drafts.keep', { workspaceId, placeId: `${placeId}/${of}`, draft, adopted }))
  const take = async (of: string) => valueOf(await it.command('drafts.take', { workspaceId, page: of }))
  await keep('former', 'typed before')
  const adopted = (await take('next')).map((each) => each.placeId)
  const close = it.app.openPage('former')
  await keep('former', 'typed since')
  await keep('next', 'typed before, and more', adopted)
  expect(await take('next')).toEqual([{ placeId: `${placeId}/next`, draft: 'typed before, and more' }])
  expect(await take('former')).toEqual([
    { placeId: `${placeId}/former`, draft: 'typed since' },
    { placeId: expect.stringMatching(`^${placeId}/former/`) as string, draft: 'typed before, and more' },
  ])
  close()
})

test('a page counts as open for some seconds after it was closed, as during a reload, and its drafts are told of then', async () => {
  const it = await stage.start()
  const { workspaceId, create } = await workspaceOf(it)
  const placeId = `${await create('Prod')}/reloading`
  valueOf(await it.command('drafts.keep', { workspaceId, placeId, draft: 'half typed' }))
  const take = async () => valueOf(await it.command('drafts.take', { workspaceId, page: 'other' })).map(({ draft }) => draft)
  const isTold = () => it.pushes.some(({ tables }) => tables.includes('drafts'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const closeFormer = it.app.openPage('reloading')
    closeFormer()
    vi.advanceTimersByTime(stillOpenMs - 1)
    expect(await take()).toEqual([])
    // The reloaded page connects.
    const close = it.app.openPage('reloading')
    vi.advanceTimersByTime(stillOpenMs)
    expect(await take()).toEqual([])
    expect(isTold()).toBe(false)
    close()
    vi.advanceTimersByTime(stillOpenMs)
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(isTold).toBe(true)
  expect(await take()).toEqual(['half typed'])
})
