import { describe, expect, test } from 'vitest'
import { coalesce, keysOfMerge, type NewChange } from '../../electron/queue/coalesce.ts'
import type { Change } from '../../electron/queue/entry.ts'
import { aChange, sealed } from './a-change.ts'

const alone = { crossed: false, children: false }
const update = (patch: Change['patch'], base: Change['base'] = {}): NewChange => aChange({ patch, base })
const remove: NewChange = aChange({ kind: 'delete', base: {} })

const table: { says: string; last?: Change; next: NewChange; around?: Partial<typeof alone>; gives: object }[] = [
  { says: 'a first change is added', next: update({ name: 'B' }), gives: { do: 'add' } },
  { says: 'a first update that changes nothing is nothing', next: update({}), gives: { do: 'nothing' } },
  {
    says: 'create + update = a create of the newer',
    last: aChange({ kind: 'create', base: null, patch: { name: 'N', value: sealed('1') } }),
    next: update({ value: sealed('2') }),
    gives: { do: 'amend', patch: { name: 'N', value: sealed('2') }, base: null, requeue: false },
  },
  {
    says: 'update + update = one update on the first base',
    last: aChange({ patch: { name: 'B' }, base: { name: 'A', isSecret: false } }),
    next: update({ isSecret: true }, { name: 'B', isSecret: false }),
    gives: { do: 'amend', patch: { name: 'B', isSecret: true }, base: { name: 'A', isSecret: false } },
  },
  {
    says: 'an update and its way back are nothing',
    last: aChange({ patch: { value: sealed('2') }, base: { value: sealed('1', 1) } }),
    next: update({ value: sealed('1', 7) }),
    gives: { do: 'drop' },
  },
  {
    says: 'create + delete = nothing',
    last: aChange({ kind: 'create', base: null, patch: { name: 'N' } }),
    next: remove,
    gives: { do: 'drop' },
  },
  {
    says: 'a create with something built on it is not dropped by the delete',
    last: aChange({ kind: 'create', base: null, patch: { name: 'N' } }),
    next: remove,
    around: { children: true },
    gives: { do: 'add' },
  },
  { says: 'a delete comes behind an update', last: aChange({ patch: { name: 'B' } }), next: remove, gives: { do: 'add' } },
  { says: 'nothing merges into a delete', last: aChange({ kind: 'delete' }), next: update({ name: 'B' }), gives: { do: 'add' } },
  {
    says: 'never into a change that is being sent',
    last: aChange({ state: 'sending', patch: { name: 'B' } }),
    next: update({ name: 'C' }),
    gives: { do: 'add' },
  },
  {
    says: 'never into a change that was attempted: its bytes are frozen',
    last: aChange({ attempts: 1, patch: { name: 'B' } }),
    next: update({ name: 'C' }),
    gives: { do: 'add' },
  },
  {
    says: 'never a delete into an attempted create: the server may have it',
    last: aChange({ kind: 'create', base: null, attempts: 1, patch: { name: 'N' } }),
    next: remove,
    gives: { do: 'add' },
  },
  {
    says: 'never past a change that claims or frees one of the names',
    last: aChange({ patch: { value: sealed('2') }, base: { value: sealed('1') } }),
    next: update({ name: 'B' }),
    around: { crossed: true },
    gives: { do: 'add' },
  },
  {
    says: 'into a refused change, which is tried anew under a new id',
    last: aChange({ state: 'failed', attempts: 1, patch: { value: sealed('2') }, base: { value: sealed('1') } }),
    next: update({ value: sealed('3') }),
    gives: { do: 'amend', requeue: true },
  },
  {
    says: 'never into a parked create that may have been made',
    last: aChange({
      kind: 'create',
      base: null,
      state: 'failed',
      attempts: 8,
      sentTo: { project: 'p', environment: 'e' },
      patch: { name: 'N' },
    }),
    next: update({ value: sealed('3') }),
    gives: { do: 'add' },
  },
  {
    says: 'into a change in conflict, which stays one even when it goes back to what was',
    last: aChange({
      state: 'conflict',
      patch: { value: sealed('2') },
      base: { value: sealed('1') },
      conflict: { kind: 'fields', theirs: { value: sealed('9') }, by: null },
    }),
    next: update({ value: sealed('1', 2) }),
    gives: { do: 'amend', requeue: false },
  },
]

describe('coalesce', () => {
  test.each(table)('$says', ({ last, next, around, gives }) => {
    expect(coalesce(last, next, { ...alone, ...around })).toMatchObject(gives)
  })

  test('a merge of two changes touches every name that either claims or frees', () => {
    const last = aChange({ patch: { name: 'B' }, base: { name: 'A' } })
    expect(keysOfMerge(last, update({ name: 'C' }, { name: 'B' })).toSorted()).toEqual(['A', 'B', 'C'])
  })
})
