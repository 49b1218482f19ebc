import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createParent, deleteParent } from '../../../electron/app/edits/edit-parents.ts'
import { openSession } from '../../../electron/app/workspaces/open-session.ts'
import { workspaceErrors } from '../../../electron/app/workspaces/workspace-errors.ts'
import { err } from '../../../electron/bridge/result.ts'
import { draftsIn, putDraft } from '../../../electron/mirror/drafts-layer.ts'
import { seenNow } from '../../../electron/mirror/past-layer.ts'
import { newMirror } from '../../mirror/temp-file.ts'
import { valueOf } from './start-app.ts'

const at = Date.parse('2026-01-01T00:00:00Z')

/** A session of a workspace without keys, whose database check ends when `found` is called. */
function session() {
  const mirror = newMirror()
  let ids = 0
  const context = { now: at, newId: () => `id-${(ids += 1)}` }
  const make = (kind: 'project' | 'environment', parent: string | null, name: string) =>
    valueOf(mirror.write((tx) => createParent(tx, context, kind, parent, { name }))).id
  const project = make('project', null, 'Shop')
  const environment = make('environment', project, 'Prod')
  for (const place of [environment, 'deleted before']) mirror.write((tx) => putDraft(tx, place, 'sealed'))
  const check = Promise.withResolvers<boolean>()
  openSession({
    app: { dataDir: '', now: () => at, randomBytes: (length) => new Uint8Array(length), log: () => undefined, fetch },
    info: { id: 'w', kind: 'remote', name: 'W', baseUrl: '', remoteId: 'w', allowInsecure: false, createdAt: '' },
    mirror,
    newId: context.newId,
    pollMs: () => 60_000,
    keyStore: async () => err(workspaceErrors.notFound),
    service: null,
    isReopened: false,
    check: () => check.promise,
    onChange: () => undefined,
    onDamaged: () => undefined,
  })
  return {
    environment,
    removeEnvironment: () => valueOf(mirror.write((tx) => deleteParent(tx, context, 'environment', environment, seenNow))),
    found: async (isWhole: boolean) => {
      check.resolve(isWhole)
      await nextTurn()
    },
    drafts: () => mirror.snapshot(draftsIn).map(({ placeId }) => placeId),
  }
}

test('the drafts of a place that is deleted while the database is checked are kept, because an undo can restore it', async () => {
  const { environment, removeEnvironment, found, drafts } = session()
  removeEnvironment()
  await found(true)
  expect(drafts()).toEqual([environment])
})

test('a damaged database keeps all drafts: their places may be what it lost', async () => {
  const { environment, found, drafts } = session()
  await found(false)
  expect(drafts().toSorted()).toEqual(['deleted before', environment].toSorted())
})
