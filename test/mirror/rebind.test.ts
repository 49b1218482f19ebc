import { afterEach, beforeEach, expect, test } from 'vitest'
import { putBase } from '../../electron/mirror/base-layer.ts'
import { keepHistory } from '../../electron/mirror/history-layer.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { addChange, allChanges } from '../../electron/mirror/queue-layer.ts'
import { rebind } from '../../electron/mirror/rebind.ts'
import { build } from '../../electron/mirror/tx.ts'
import { checkWorking, refreshRow } from '../../electron/mirror/working-layer.ts'
import type { BaseRow } from '../../electron/queue/entry.ts'
import { aChange, sealed } from '../queue/a-change.ts'
import { tempFile } from './temp-file.ts'

let mirror: Mirror
beforeEach(() => {
  const opened = openMirror(tempFile())
  if (!opened.ok) throw new Error(opened.error.message)
  mirror = opened.value
})
afterEach(() => mirror.close())

const row = (id: string, kind: BaseRow['kind'], parentId: string | null): BaseRow => ({
  id,
  kind,
  parentId,
  remoteId: `remote ${id}`,
  fields: { name: id, slug: id, value: sealed(id) },
  etag: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
})

test('two local ids of one record become one: unsent changes, what is below, moves that wait for it and kept values go along', () => {
  mirror.write((tx) => {
    for (const each of [row('project', 'project', null), row('twin', 'environment', 'project'), row('below', 'variable', 'twin')]) {
      putBase(tx, each)
      refreshRow(tx, each.id)
    }
    keepHistory(tx, row('below', 'variable', 'twin'), { whose: 'mine', why: 'changed' }, 1)
    keepHistory(tx, row('twin', 'environment', 'project'), { whose: 'mine', why: 'changed' }, 1)
    addChange(tx, aChange({ id: 'edit', rowId: 'below', ancestors: ['twin', 'project'], patch: { value: sealed('2') } }))
    addChange(tx, aChange({ id: 'new', kind: 'create', rowId: 'new', ancestors: ['twin', 'project'], base: null, patch: { name: 'N' } }))
    addChange(tx, aChange({ id: 'moved', kind: 'delete', rowId: 'elsewhere', ancestors: ['other', 'project'], after: 'twin' }))
    for (const id of ['below', 'new']) refreshRow(tx, id)
    rebind(tx, 'twin', 'mine')
    putBase(tx, { ...row('mine', 'environment', 'project'), remoteId: 'remote twin' })
    refreshRow(tx, 'mine')
  })
  expect(mirror.snapshot(allChanges)).toMatchObject([
    { id: 'edit', ancestors: ['mine', 'project'] },
    { id: 'new', ancestors: ['mine', 'project'] },
    { id: 'moved', after: 'mine' },
  ])
  const kept = mirror.snapshot((tx) => tx.all(build.selectFrom('history').select(['row_id', 'parent_id']).orderBy('seq')))
  expect(kept).toEqual([
    { row_id: 'below', parent_id: 'mine' },
    { row_id: 'mine', parent_id: 'project' },
  ])
  expect(mirror.snapshot(checkWorking)).toEqual([])
})
