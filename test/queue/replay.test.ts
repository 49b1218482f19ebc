import { describe, expect, test } from 'vitest'
import type { BaseRow } from '../../electron/queue/entry.ts'
import { replayAll, replayRow } from '../../electron/queue/replay.ts'
import { aChange } from './a-change.ts'

const aBase = (parts: Partial<BaseRow> = {}): BaseRow => ({
  id: 'row',
  kind: 'variable',
  parentId: 'env',
  fields: { name: 'A', isSecret: false },
  remoteId: 'r',
  etag: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
  ...parts,
})

describe('replayRow', () => {
  test.each([
    { says: 'a row without changes is its base', base: aBase(), changes: [], fields: { name: 'A', isSecret: false } },
    { says: 'no base and no changes are no row', base: null, changes: [], fields: null },
    {
      says: 'updates lie on the base in order',
      base: aBase(),
      changes: [aChange({ patch: { name: 'B' } }), aChange({ seq: 2, patch: { name: 'C', isSecret: true } })],
      fields: { name: 'C', isSecret: true },
    },
    { says: 'a create is a row', base: null, changes: [aChange({ kind: 'create', patch: { name: 'N' } })], fields: { name: 'N' } },
    { says: 'a delete is no row', base: aBase(), changes: [aChange({ kind: 'delete' })], fields: null },
    {
      says: 'a create, then a delete are no row',
      base: null,
      changes: [aChange({ kind: 'create', patch: { name: 'N' } }), aChange({ seq: 2, kind: 'delete' })],
      fields: null,
    },
    {
      says: 'an update whose base is gone still shows what was typed, on the row it was made on',
      base: null,
      changes: [aChange({ base: { name: 'A', isSecret: true }, patch: { name: 'B' } })],
      fields: { name: 'B', isSecret: true },
    },
    {
      says: 'a parked change shows like any other',
      base: aBase(),
      changes: [aChange({ state: 'conflict', patch: { name: 'B' } })],
      fields: { name: 'B', isSecret: false },
    },
  ])('$says', ({ base, changes, fields }) => {
    expect(replayRow(base, changes)?.fields ?? null).toEqual(fields)
  })
})

test('a move shows the row where it goes, with its fields, and moves after it count', () => {
  const there = replayRow(aBase(), [aChange({ patch: { parent: 'other', name: 'B' } }), aChange({ seq: 2, patch: { isSecret: true } })])
  expect(there).toMatchObject({ parentId: 'other', fields: { name: 'B', isSecret: true } })
  expect(there?.fields).not.toHaveProperty('parent')
  expect(replayRow(aBase(), [aChange({ patch: { parent: 'other' } }), aChange({ seq: 2, patch: { parent: 'third' } })])?.parentId).toBe(
    'third',
  )
})

describe('replayAll', () => {
  const project = aBase({ id: 'project', kind: 'project', parentId: null, remoteId: 'p' })
  const environment = aBase({ id: 'env', kind: 'environment', parentId: 'project', remoteId: 'e' })

  test('a row is there only below a parent that is', () => {
    const rows = replayAll([aBase(), environment, project], [aChange({ rowId: 'env', rowKind: 'environment', kind: 'delete' })])
    expect([...rows.keys()]).toEqual(['project'])
  })

  test('the order of base rows and of the queue as given does not matter, the order of seq does', () => {
    const changes = [aChange({ seq: 2, patch: { name: 'second' } }), aChange({ seq: 1, patch: { name: 'first' } })]
    const rows = replayAll([aBase(), project, environment], changes)
    expect(rows.get('row')?.fields.name).toBe('second')
    expect(replayAll([environment, project, aBase()], changes.toReversed())).toEqual(rows)
  })
})
