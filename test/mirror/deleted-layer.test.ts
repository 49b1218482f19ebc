import { expect, test } from 'vitest'
import { putBase } from '../../electron/mirror/base-layer.ts'
import { countDeleted, deletedChildren, getDeleted, keepDeleted } from '../../electron/mirror/deleted-layer.ts'
import { setState } from '../../electron/mirror/workspace-state.ts'
import type { Tx } from '../../electron/mirror/tx.ts'
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

test('what a deleted project holds is counted without its variables, of which there may be 100,000: each name once, as it comes back', () => {
  const mirror = newMirror()
  const names = Array.from({ length: 300 }, (_, n) => `KEY_${n}`)
  let rows = 0
  const told = (tx: Tx): Tx => ({
    ...tx,
    all: (query) => {
      const found = tx.all(query)
      rows += found.length
      return found
    },
  })
  const [counted, found] = mirror.write((tx) => {
    const parents = [row('project', 'project', null), row('prod', 'environment', 'project')]
    const variables = [...names, 'EARLIER', 'AGAIN'].map((name) => row(name, 'variable', 'prod'))
    for (const each of [...parents, ...variables]) putBase(tx, each)
    keepDeleted(tx, ['EARLIER'], { whose: 'mine', by: null }, 500)
    // Renamed and deleted again, and another one with the name of the first.
    keepDeleted(tx, ['AGAIN'], { whose: 'mine', by: null }, 1000)
    putBase(tx, { ...row('AGAIN', 'variable', 'prod'), fields: { name: 'KEY_0' } })
    keepDeleted(tx, ['AGAIN', ...names], { whose: 'mine', by: null }, 1000)
    keepDeleted(tx, ['prod'], { whose: 'mine', by: null }, 1000)
    keepDeleted(tx, ['project'], { whose: 'mine', by: null }, 1000)
    const [project, prod] = ['project', 'prod'].map((id) => getDeleted(tx, id))
    return [project && countDeleted(told(tx), project), prod && deletedChildren(tx, prod)]
  })
  expect(counted).toEqual({ environments: 1, variables: names.length, versions: 0 })
  expect(found).toHaveLength(names.length)
  expect(rows).toBeLessThan(10)
})
