import { describe, expect, test } from 'vitest'
import type { Change } from '../../electron/sync/change.ts'
import type { Fields } from '../../electron/sync/fields.ts'
import { rebaseChange } from '../../electron/sync/rebase.ts'
import { aChange, sealed } from './a-change.ts'

const was: Fields = { name: 'A', value: sealed('1'), type: 'string', isSecret: false }

/** What the user did to a row, in words. */
const local: Record<string, Partial<Change>> = {
  'a new row': { kind: 'create', base: null, patch: was },
  'a new value': { base: was, patch: { value: sealed('2') } },
  'a new name': { base: was, patch: { name: 'B' } },
  'a new name and value': { base: was, patch: { name: 'B', value: sealed('2') } },
  'a new secret flag': { base: was, patch: { isSecret: true } },
  'a new type': { base: was, patch: { type: 'number' } },
  'a delete': { kind: 'delete', base: was, patch: {} },
}

/** What the server shows by then. */
const remote: Record<string, Fields | null> = {
  'the same row': was,
  'the same, sealed anew': { ...was, value: sealed('1', 2) },
  'no row': null,
  'another value': { ...was, value: sealed('3') },
  'my very value': { ...was, value: sealed('2', 5) },
  'another name': { ...was, name: 'C' },
  'my very name': { ...was, name: 'B' },
  'my name and value': { ...was, name: 'B', value: sealed('2', 5) },
  'another secret flag': { ...was, isSecret: true },
  'another type': { ...was, type: 'number' },
  'a value nobody can open': { ...was, value: { sealed: 'v1:strange', tag: null, keyId: 'k' } },
  'a row without flag and type': { name: 'A', value: sealed('1') },
}

// Local change x remote row -> what happens. `keep` is followed by the fields that are still to be sent.
const table: [mine: string, theirs: string, outcome: string][] = [
  ['a new row', 'the same row', 'settle'],
  ['a new row', 'the same, sealed anew', 'settle'],
  ['a new row', 'no row', 'keep name,value,type,isSecret'],
  ['a new row', 'another value', 'name-taken'],
  ['a new row', 'another secret flag', 'name-taken'],
  ['a new row', 'another type', 'name-taken'],
  ['a new row', 'a value nobody can open', 'name-taken'],
  ['a new row', 'a row without flag and type', 'settle'],

  ['a new value', 'the same row', 'keep value'],
  ['a new value', 'the same, sealed anew', 'keep value'],
  ['a new value', 'no row', 'deleted-remotely'],
  ['a new value', 'another value', 'fields'],
  ['a new value', 'my very value', 'settle'],
  ['a new value', 'another name', 'keep value'],
  ['a new value', 'my name and value', 'settle'],
  ['a new value', 'another secret flag', 'keep value'],
  ['a new value', 'another type', 'keep value'],
  ['a new value', 'a value nobody can open', 'fields'],
  ['a new value', 'a row without flag and type', 'keep value'],

  ['a new name', 'the same row', 'keep name'],
  ['a new name', 'no row', 'deleted-remotely'],
  ['a new name', 'another value', 'keep name'],
  ['a new name', 'another name', 'fields'],
  ['a new name', 'my very name', 'settle'],
  ['a new name', 'my name and value', 'settle'],
  ['a new name', 'a value nobody can open', 'keep name'],

  ['a new name and value', 'the same row', 'keep name,value'],
  ['a new name and value', 'no row', 'deleted-remotely'],
  ['a new name and value', 'another value', 'fields'],
  ['a new name and value', 'another name', 'fields'],
  ['a new name and value', 'my very value', 'keep name'],
  ['a new name and value', 'my very name', 'keep value'],
  ['a new name and value', 'my name and value', 'settle'],

  ['a new secret flag', 'the same row', 'keep isSecret'],
  ['a new secret flag', 'no row', 'deleted-remotely'],
  ['a new secret flag', 'another value', 'keep isSecret'],
  ['a new secret flag', 'another secret flag', 'settle'],
  ['a new secret flag', 'a row without flag and type', 'keep isSecret'],

  ['a new type', 'the same row', 'keep type'],
  ['a new type', 'another type', 'settle'],
  ['a new type', 'no row', 'deleted-remotely'],
  ['a new type', 'a row without flag and type', 'keep type'],

  ['a delete', 'the same row', 'keep '],
  ['a delete', 'the same, sealed anew', 'keep '],
  ['a delete', 'no row', 'settle'],
  ['a delete', 'another value', 'changed-remotely'],
  ['a delete', 'another name', 'changed-remotely'],
  ['a delete', 'another secret flag', 'changed-remotely'],
  ['a delete', 'another type', 'changed-remotely'],
  ['a delete', 'a value nobody can open', 'changed-remotely'],
  ['a delete', 'a row without flag and type', 'keep '],
]

describe('an unsent change meets what the server shows now', () => {
  test.each(table)('%s meets %s: %s', (mine, theirs, outcome) => {
    const change = aChange(local[mine])
    const fields = remote[theirs] ?? null
    const rebased = rebaseChange(change, { fields, by: 'kim@example.com' })
    if (rebased.do === 'settle') expect('settle').toBe(outcome)
    else if (rebased.do === 'keep') expect(`keep ${Object.keys(rebased.patch).join(',')}`).toBe(outcome)
    else {
      expect(rebased.conflict.kind).toBe(outcome)
      expect(rebased.conflict.theirs).toEqual(fields)
      expect(rebased.conflict.by).toBe('kim@example.com')
    }
  })

  test('a change that is kept stands on what the server shows, and keeps what the server did not say', () => {
    const change = aChange({ base: was, patch: { value: sealed('2') } })
    expect(rebaseChange(change, { fields: { name: 'C', value: sealed('1') }, by: null })).toMatchObject({
      do: 'keep',
      base: { name: 'C', value: sealed('1'), type: 'string', isSecret: false },
    })
  })

  test('the patch that is kept is the bytes that were queued, never theirs', () => {
    const mine = sealed('2', 1)
    const rebased = rebaseChange(aChange({ base: was, patch: { value: mine } }), { fields: { ...was, name: 'C' }, by: null })
    expect(rebased).toMatchObject({ do: 'keep', patch: { value: mine } })
  })
})
