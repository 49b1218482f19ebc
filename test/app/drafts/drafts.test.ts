import { afterEach, expect, test } from 'vitest'
import { createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

test('a draft outlives a lock, and cannot be read while it lasts', async () => {
  const it = await stage.start()
  const passphrase = 'correct horse battery'
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const [environmentId, other] = ['environment', 'another']
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: environmentId, draft: 'half typed' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: other, draft: 'dropped' }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: other, draft: null }))
  valueOf(await it.command('keys.lock', {}))
  expect(valueOf(await it.query('drafts.read', {}))).toEqual([])
  expect(await it.command('drafts.keep', { workspaceId, placeId: environmentId, draft: 'x' })).toMatchObject({
    ok: false,
    error: { kind: 'keys-locked' },
  })
  valueOf(await it.command('keys.unlock', { passphrase }))
  expect(valueOf(await it.query('drafts.read', {}))).toEqual([{ placeId: environmentId, draft: 'half typed' }])
})
