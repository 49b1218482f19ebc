import { beforeEach, expect, test } from 'vitest'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { queueCounts } from '../../../electron/mirror/reads/queue-counts.ts'
import { restoreEntry } from '../../../electron/mirror/queue-layer.ts'
import type { Change } from '../../../electron/queue/entry.ts'
import { aChange } from '../../queue/a-change.ts'
import { newMirror } from '../temp-file.ts'

let mirror: Mirror
beforeEach(() => {
  mirror = newMirror()
})

const parent = { rowKind: 'environment' as const, rowId: 'env', ancestors: ['project'], kind: 'create' as const, patch: { slug: 'e' } }

test.each<{ says: string; queue: Partial<Change>[]; attention: number }>([
  { says: 'a queued change waits for its turn', queue: [{}], attention: 0 },
  {
    says: 'a conflict and a rejected change need attention',
    queue: [{ state: 'conflict' }, { rowId: 'b', state: 'failed' }],
    attention: 2,
  },
  { says: 'a change that this service cannot take does not, by itself', queue: [{ state: 'blocked' }], attention: 0 },
  { says: 'it does when another change waits for it', queue: [{ ...parent, state: 'blocked' }, {}, { rowId: 'b' }], attention: 1 },
  { says: 'a change that waits for a conflict is not decided on itself', queue: [{ state: 'conflict' }, {}], attention: 1 },
])('$says', async ({ queue, attention }) => {
  mirror.write((tx) => {
    for (const [at, parts] of queue.entries()) restoreEntry(tx, aChange({ base: { name: 'A' }, ...parts, id: `c${at}` }))
  })
  expect(await queueCounts(mirror)).toEqual({ queued: queue.length, attention })
})
