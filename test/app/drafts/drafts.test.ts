import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const passphrase = 'correct horse battery'

test('a draft outlives a lock, and cannot be read while it lasts', async () => {
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const [environmentId, other] = ['environment', 'another']
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: environmentId, draft: 'half typed' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: other, draft: 'dropped' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: other, draft: null }))
  valueOf(await it.command('keys.lock', {}))
  expect(valueOf(await it.query('drafts.read', { workspaceId }))).toEqual([])
  expect(await it.command('drafts.keep', { workspaceId, placeId: environmentId, draft: 'x' })).toMatchObject({
    ok: false,
    error: { kind: 'keys-locked' },
  })
  valueOf(await it.command('keys.unlock', { passphrase }))
  expect(valueOf(await it.query('drafts.read', { workspaceId }))).toEqual([{ placeId: environmentId, draft: 'half typed' }])
})

test('a draft outlives the end of Holdfast, in no file in plain text', async () => {
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const secret = 'sentinel-draft-4711'
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'kept', draft: 'an earlier text' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'kept', draft: secret }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'discarded', draft: 'gone' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: 'discarded', draft: null }))
  await it.app.close()

  const files = readdirSync(it.dataDir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((each) => readFileSync(join(each.parentPath, each.name)).includes(secret)).map(({ name }) => name)).toEqual([])

  const again = await stage.start({ dataDir: it.dataDir })
  expect(valueOf(await again.query('drafts.read', { workspaceId }))).toEqual([])
  valueOf(await again.command('keys.unlock', { passphrase }))
  expect(valueOf(await again.query('drafts.read', { workspaceId }))).toEqual([{ placeId: 'kept', draft: secret }])
})
