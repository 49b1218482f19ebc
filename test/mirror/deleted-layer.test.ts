import { expect, test } from 'vitest'
import { putBase } from '../../electron/mirror/base-layer.ts'
import { deletedChildren, getDeleted, keepDeleted } from '../../electron/mirror/deleted-layer.ts'
import { setState } from '../../electron/mirror/workspace-state.ts'
import type { BaseRow } from '../../electron/queue/entry.ts'
import { sealed } from '../queue/a-change.ts'
import { newMirror } from './temp-file.ts'

const row = (id: string, kind: BaseRow['kind'], parentId: string | null): BaseRow => ({
  id,
  kind,
  parentId,
  remoteId: `remote ${id}`,
  fields: { name: id, ...(kind === 'variable' ? { value: sealed(id) } : { slug: id }) },
  etag: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
})

test.each([
  { clock: 'goes on', lastSync: 500, at: 1000 },
  { clock: 'was set back since the last sync', lastSync: 1_000_000, at: 1000 },
])('what others deleted with an environment is kept with it where the clock $clock', ({ lastSync, at }) => {
  const mirror = newMirror()
  const kept = mirror.write((tx) => {
    setState(tx, 'last-synced-at', String(lastSync))
    for (const each of [row('project', 'project', null), row('prod', 'environment', 'project'), row('KEY', 'variable', 'prod')])
      putBase(tx, each)
    keepDeleted(tx, ['KEY'], { whose: 'theirs', by: null }, at)
    keepDeleted(tx, ['prod'], { whose: 'theirs', by: null }, at + 1000)
    const prod = getDeleted(tx, 'prod')
    return prod && deletedChildren(tx, prod)
  })
  expect(kept).toMatchObject([{ name: 'KEY' }])
})
