import { beforeEach, expect, test } from 'vitest'
import { putBase } from '../../electron/mirror/base-layer.ts'
import { keepHistory } from '../../electron/mirror/history-layer.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { restoreEntry, allEntries } from '../../electron/mirror/queue-layer.ts'
import { rebind } from '../../electron/mirror/rebind.ts'
import { build } from '../../electron/mirror/tx.ts'
import { checkWorking, getWorking, refreshRow } from '../../electron/mirror/working-layer.ts'
import type { BaseRow } from '../../electron/queue/entry.ts'
import { aChange, sealed } from '../queue/a-change.ts'
import { newMirror } from './temp-file.ts'

let mirror: Mirror
beforeEach(() => {
  mirror = newMirror()
})

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

test('two local ids of one record become one: unsent changes, what is below, moves to and from it and kept values go along', () => {
  mirror.write((tx) => {
    for (const each of [row('project', 'project', null), row('twin', 'environment', 'project'), row('below', 'variable', 'twin')]) {
      putBase(tx, each)
      refreshRow(tx, each.id)
    }
    keepHistory(tx, row('below', 'variable', 'twin'), { whose: 'mine', why: 'changed' }, 1)
    keepHistory(tx, row('twin', 'environment', 'project'), { whose: 'mine', why: 'changed' }, 1)
    restoreEntry(tx, aChange({ id: 'edit', rowId: 'below', ancestors: ['twin', 'project'], patch: { value: sealed('2') } }))
    restoreEntry(tx, aChange({ id: 'new', kind: 'create', rowId: 'new', ancestors: ['twin', 'project'], base: null, patch: { name: 'N' } }))
    restoreEntry(tx, aChange({ id: 'moved', kind: 'delete', rowId: 'elsewhere', ancestors: ['other', 'project'], base: { name: 'G' } }))
    const move = {
      ancestors: ['twin', 'project'],
      leaves: ['other', 'project'],
      patch: { parent: 'twin' },
      base: { name: 'M', parent: 'other' },
    }
    restoreEntry(tx, aChange({ id: 'move in', rowId: 'm', ...move }))
    const back = {
      ancestors: ['other', 'project'],
      leaves: ['twin', 'project'],
      patch: { parent: 'other' },
      base: { name: 'O', parent: 'twin' },
    }
    restoreEntry(tx, aChange({ id: 'move out', rowId: 'o', ...back }))
    for (const id of ['below', 'new']) refreshRow(tx, id)
    rebind(tx, 'twin', 'mine')
    putBase(tx, { ...row('mine', 'environment', 'project'), remoteId: 'remote twin' })
    refreshRow(tx, 'mine')
  })
  expect(mirror.snapshot(allEntries)).toMatchObject([
    { id: 'edit', ancestors: ['mine', 'project'] },
    { id: 'new', ancestors: ['mine', 'project'] },
    { id: 'moved', ancestors: ['other', 'project'] },
    { id: 'move in', ancestors: ['mine', 'project'], leaves: ['other', 'project'], patch: { parent: 'mine' } },
    { id: 'move out', ancestors: ['other', 'project'], leaves: ['mine', 'project'], base: { parent: 'mine' } },
  ])
  const kept = mirror.snapshot((tx) => tx.all(build.selectFrom('history').select(['row_id', 'parent_id']).orderBy('seq')))
  expect(kept).toEqual([
    { row_id: 'below', parent_id: 'mine' },
    { row_id: 'mine', parent_id: 'project' },
  ])
  expect(mirror.snapshot(checkWorking)).toEqual([])
})

test('what is to be created below a row is shown below the other at once, where that one is shown already', () => {
  mirror.write((tx) => {
    const rows = [row('project', 'project', null), row('twin', 'environment', 'project'), row('mine', 'environment', 'project')]
    for (const each of rows) {
      putBase(tx, each)
      refreshRow(tx, each.id)
    }
    restoreEntry(tx, aChange({ id: 'new', kind: 'create', rowId: 'new', ancestors: ['twin', 'project'], base: null, patch: { name: 'N' } }))
    refreshRow(tx, 'new')
    rebind(tx, 'twin', 'mine')
  })
  expect(mirror.snapshot((tx) => getWorking(tx, 'new'))).toMatchObject({ parentId: 'mine', fields: { name: 'N' } })
  expect(mirror.snapshot(checkWorking)).toEqual([])
})
