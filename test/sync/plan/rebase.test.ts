import { describe, expect, test } from 'vitest'
import type { Change, ConflictKind } from '../../../electron/queue/entry.ts'
import type { Fields } from '../../../electron/queue/fields.ts'
import { rebaseChange } from '../../../electron/sync/plan/rebase.ts'
import { aChange, sealed } from '../../queue/a-change.ts'

/** Where the row lives. */
const here = ['env', 'project']

const was: Fields = { name: 'A', value: sealed('1'), type: 'string', isSecret: false }

/** What the user did to a row, in words. */
const local = {
  'a new row': { kind: 'create', base: null, patch: { ...was, value: sealed('2') } },
  'a row to bring back': { kind: 'create', base: was, patch: { ...was, value: sealed('2') } },
  'a new value': { base: was, patch: { value: sealed('2') } },
  'a value taken back to what it was': { base: was, patch: { value: sealed('1', 4) } },
  'a new name': { base: was, patch: { name: 'B' } },
  'a new name and value': { base: was, patch: { name: 'B', value: sealed('2') } },
  'a new secret flag': { base: was, patch: { isSecret: true } },
  'a new type': { base: was, patch: { type: 'number' } },
  'a delete': { kind: 'delete', base: was, patch: {} },
} satisfies Record<string, Partial<Change>>

/** What the service shows by then. */
const remote = {
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
  'the same, without flag and type': { name: 'A', value: sealed('1') },
  'my very value, without flag and type': { name: 'A', value: sealed('2', 5) },
} satisfies Record<string, Fields | null>

type Mine = keyof typeof local
type Theirs = keyof typeof remote

/** What comes of it: every one of mine with every one of theirs, or the types do not fit. */
const table: Record<Mine, Record<Theirs, string>> = {
  'a new row': {
    'the same row': 'asks: the name is taken',
    'the same, sealed anew': 'asks: the name is taken',
    'no row': 'still sends name, value, type, isSecret',
    'another value': 'asks: the name is taken',
    'my very value': 'nothing is left to send',
    'another name': 'asks: the name is taken',
    'my very name': 'asks: the name is taken',
    'my name and value': 'asks: the name is taken',
    'another secret flag': 'asks: the name is taken',
    'another type': 'asks: the name is taken',
    'a value nobody can open': 'asks: the name is taken',
    'the same, without flag and type': 'asks: the name is taken',
    'my very value, without flag and type': 'nothing is left to send',
  },
  'a row to bring back': {
    'the same row': 'asks: the name is taken',
    'the same, sealed anew': 'asks: the name is taken',
    'no row': 'still sends name, value, type, isSecret',
    'another value': 'asks: the name is taken',
    'my very value': 'nothing is left to send',
    'another name': 'asks: the name is taken',
    'my very name': 'asks: the name is taken',
    'my name and value': 'asks: the name is taken',
    'another secret flag': 'asks: the name is taken',
    'another type': 'asks: the name is taken',
    'a value nobody can open': 'asks: the name is taken',
    'the same, without flag and type': 'asks: the name is taken',
    'my very value, without flag and type': 'nothing is left to send',
  },
  'a new value': {
    'the same row': 'still sends value',
    'the same, sealed anew': 'still sends value',
    'no row': 'asks: it is gone there',
    'another value': 'asks: both changed the same',
    'my very value': 'nothing is left to send',
    'another name': 'still sends value',
    'my very name': 'still sends value',
    'my name and value': 'nothing is left to send',
    'another secret flag': 'still sends value',
    'another type': 'still sends value',
    'a value nobody can open': 'asks: both changed the same',
    'the same, without flag and type': 'still sends value',
    'my very value, without flag and type': 'nothing is left to send',
  },
  'a value taken back to what it was': {
    'the same row': 'nothing is left to send',
    'the same, sealed anew': 'nothing is left to send',
    'no row': 'asks: it is gone there',
    'another value': 'nothing is left to send',
    'my very value': 'nothing is left to send',
    'another name': 'nothing is left to send',
    'my very name': 'nothing is left to send',
    'my name and value': 'nothing is left to send',
    'another secret flag': 'nothing is left to send',
    'another type': 'nothing is left to send',
    'a value nobody can open': 'nothing is left to send',
    'the same, without flag and type': 'nothing is left to send',
    'my very value, without flag and type': 'nothing is left to send',
  },
  'a new name': {
    'the same row': 'still sends name',
    'the same, sealed anew': 'still sends name',
    'no row': 'asks: it is gone there',
    'another value': 'still sends name',
    'my very value': 'still sends name',
    'another name': 'asks: both changed the same',
    'my very name': 'nothing is left to send',
    'my name and value': 'nothing is left to send',
    'another secret flag': 'still sends name',
    'another type': 'still sends name',
    'a value nobody can open': 'still sends name',
    'the same, without flag and type': 'still sends name',
    'my very value, without flag and type': 'still sends name',
  },
  'a new name and value': {
    'the same row': 'still sends name, value',
    'the same, sealed anew': 'still sends name, value',
    'no row': 'asks: it is gone there',
    'another value': 'asks: both changed the same',
    'my very value': 'still sends name',
    'another name': 'asks: both changed the same',
    'my very name': 'still sends value',
    'my name and value': 'nothing is left to send',
    'another secret flag': 'still sends name, value',
    'another type': 'still sends name, value',
    'a value nobody can open': 'asks: both changed the same',
    'the same, without flag and type': 'still sends name, value',
    'my very value, without flag and type': 'still sends name',
  },
  'a new secret flag': {
    'the same row': 'still sends isSecret',
    'the same, sealed anew': 'still sends isSecret',
    'no row': 'asks: it is gone there',
    'another value': 'still sends isSecret',
    'my very value': 'still sends isSecret',
    'another name': 'still sends isSecret',
    'my very name': 'still sends isSecret',
    'my name and value': 'still sends isSecret',
    'another secret flag': 'nothing is left to send',
    'another type': 'still sends isSecret',
    'a value nobody can open': 'still sends isSecret',
    'the same, without flag and type': 'still sends isSecret',
    'my very value, without flag and type': 'still sends isSecret',
  },
  'a new type': {
    'the same row': 'still sends type',
    'the same, sealed anew': 'still sends type',
    'no row': 'asks: it is gone there',
    'another value': 'still sends type',
    'my very value': 'still sends type',
    'another name': 'still sends type',
    'my very name': 'still sends type',
    'my name and value': 'still sends type',
    'another secret flag': 'still sends type',
    'another type': 'nothing is left to send',
    'a value nobody can open': 'still sends type',
    'the same, without flag and type': 'still sends type',
    'my very value, without flag and type': 'still sends type',
  },
  'a delete': {
    'the same row': 'is sent',
    'the same, sealed anew': 'is sent',
    'no row': 'nothing is left to send',
    'another value': 'asks: it was changed there',
    'my very value': 'asks: it was changed there',
    'another name': 'asks: it was changed there',
    'my very name': 'asks: it was changed there',
    'my name and value': 'asks: it was changed there',
    'another secret flag': 'asks: it was changed there',
    'another type': 'asks: it was changed there',
    'a value nobody can open': 'asks: it was changed there',
    'the same, without flag and type': 'is sent',
    'my very value, without flag and type': 'asks: it was changed there',
  },
}

const asks: Record<string, ConflictKind> = {
  'asks: the name is taken': 'name-taken',
  'asks: it is gone there': 'deleted-remotely',
  'asks: both changed the same': 'fields',
  'asks: it was changed there': 'changed-remotely',
}

const rows = (Object.keys(table) as Mine[]).flatMap((mine) =>
  (Object.keys(table[mine]) as Theirs[]).map((theirs) => ({ mine, theirs, outcome: table[mine][theirs] })),
)

describe('an unsent change meets what the service shows now', () => {
  test.each(rows)('$mine meets $theirs: $outcome', ({ mine, theirs, outcome }) => {
    const change = aChange(local[mine])
    const fields = remote[theirs]
    const rebased = rebaseChange(change, { fields, ancestors: here, by: 'kim@example.com' })
    if (rebased.do === 'confirm') expect('nothing is left to send').toBe(outcome)
    else if (rebased.do === 'keep') {
      const names = Object.keys(rebased.patch).join(', ')
      expect(names === '' ? 'is sent' : `still sends ${names}`).toBe(outcome)
    } else {
      expect(rebased.conflict.kind).toBe(asks[outcome])
      expect(rebased.conflict.remote).toEqual(fields)
      expect(rebased.conflict.by).toBe('kim@example.com')
    }
  })

  test('a change that is kept stands on what the service shows, and keeps what the service did not say', () => {
    const change = aChange({ base: was, patch: { value: sealed('2') } })
    expect(rebaseChange(change, { fields: { name: 'C', value: sealed('1') }, ancestors: here, by: null })).toMatchObject({
      do: 'keep',
      base: { name: 'C', value: sealed('1'), type: 'string', isSecret: false },
    })
  })

  test('the patch that is kept is the bytes that were queued, never theirs', () => {
    const mine = sealed('2', 1)
    const rebased = rebaseChange(aChange({ base: was, patch: { value: mine } }), {
      fields: { ...was, name: 'C' },
      ancestors: here,
      by: null,
    })
    expect(rebased).toMatchObject({ do: 'keep', patch: { value: mine } })
  })
})

const [there, far] = [
  ['env2', 'project'],
  ['env3', 'project'],
]
const at = (parent: string): Fields => ({ ...was, parent })

describe('a move meets where the row is now', () => {
  const move = aChange({ patch: { parent: 'env2', value: sealed('2') }, base: at('env'), ancestors: there, leaves: here })

  test.each([
    {
      remote: at('env'),
      ancestors: here,
      says: 'still where it was: the move is sent',
      outcome: { do: 'keep', ancestors: there, leaves: here },
    },
    {
      remote: at('env2'),
      ancestors: there,
      says: 'moved there by others: the rest is sent',
      outcome: { do: 'keep', patch: { value: sealed('2') }, ancestors: there, leaves: [] },
    },
    {
      remote: at('env3'),
      ancestors: far,
      says: 'moved elsewhere by others: asks',
      outcome: { do: 'conflict', conflict: { kind: 'fields' } },
    },
    {
      remote: { ...at('env2'), value: sealed('2', 7) },
      ancestors: there,
      says: 'all of it is done already',
      outcome: { do: 'confirm' },
    },
    {
      remote: { ...at('env'), value: sealed('3') },
      ancestors: here,
      says: 'changed there by others: asks',
      outcome: { do: 'conflict', conflict: { kind: 'fields' } },
    },
    { remote: null, ancestors: here, says: 'deleted by others: asks', outcome: { do: 'conflict', conflict: { kind: 'deleted-remotely' } } },
  ])('$says', ({ remote, ancestors, outcome }) => {
    expect(rebaseChange(move, { fields: remote, ancestors, by: null })).toMatchObject(outcome)
  })

  test('an edit follows a row that others moved', () => {
    const edit = aChange({ patch: { value: sealed('2') }, base: at('env'), ancestors: here })
    expect(rebaseChange(edit, { fields: at('env2'), ancestors: there, by: null })).toMatchObject({
      do: 'keep',
      ancestors: there,
      leaves: [],
    })
  })

  test('a deletion of a row that others moved asks', () => {
    const deletion = aChange({ kind: 'delete', patch: {}, base: at('env'), ancestors: here })
    const rebased = rebaseChange(deletion, { fields: at('env2'), ancestors: there, by: null })
    expect(rebased).toMatchObject({ do: 'conflict', conflict: { kind: 'changed-remotely' } })
  })
})
