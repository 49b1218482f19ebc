import { describe, expect, test } from 'vitest'
import { claimsOfMerge, coalesce, type Neighbours, type NewChange } from '../../electron/queue/coalesce.ts'
import type { Change } from '../../electron/queue/entry.ts'
import { aChange, sealed } from './a-change.ts'

const alone: Neighbours = { crossed: false, children: false, under: {} }
const update = (patch: Change['patch'], base: Change['base'] = {}): NewChange => aChange({ patch, base })
const pathOf = (environment: string) => [environment, 'project']
const move = (from: string, to: string): NewChange =>
  aChange({ patch: { parent: to }, base: { name: 'A', parent: from }, ancestors: pathOf(to), leaves: pathOf(from) })
const moved = (from: string, to: string, parts: Partial<Change> = {}): Change => ({ ...aChange(), ...move(from, to), ...parts })
const remove: NewChange = aChange({ kind: 'delete', base: {} })

const inQuestion = aChange({
  state: 'conflict',
  patch: { value: sealed('2') },
  base: { name: 'A', value: sealed('1') },
  conflict: { kind: 'fields', remote: { value: sealed('9') }, by: null },
})

const table: { says: string; last?: Change; next: NewChange; around?: Partial<Neighbours>; gives: object }[] = [
  { says: 'a first change is added', next: update({ name: 'B' }), gives: { do: 'add' } },
  { says: 'a first update that changes nothing is nothing', next: update({}), gives: { do: 'nothing' } },
  {
    says: 'an update that changes nothing leaves what waits for its user waiting',
    last: aChange({ state: 'failed', patch: { name: 'B' }, base: { name: 'A' } }),
    next: update({}),
    gives: { do: 'nothing' },
  },
  {
    says: 'create + update = a create of the newer',
    last: aChange({ kind: 'create', base: null, patch: { name: 'N', value: sealed('1') } }),
    next: update({ value: sealed('2') }),
    gives: { do: 'amend', to: { patch: { name: 'N', value: sealed('2') }, base: null } },
  },
  {
    says: 'update + update = one update on the first base',
    last: aChange({ patch: { name: 'B' }, base: { name: 'A', isSecret: false } }),
    next: update({ isSecret: true }, { name: 'B', isSecret: false }),
    gives: { do: 'amend', to: { patch: { name: 'B', isSecret: true }, base: { name: 'A', isSecret: false } } },
  },
  {
    says: 'an update and its way back are nothing',
    last: aChange({ patch: { value: sealed('2') }, base: { value: sealed('1', 1) } }),
    next: update({ value: sealed('1', 7) }),
    gives: { do: 'drop' },
  },
  {
    says: 'what is typed over a value to be sealed anew comes behind it: typed back, it leaves that as it was',
    last: aChange({ patch: { value: { ...sealed('1', 1), reseal: true } }, base: { value: sealed('1', 1) } }),
    next: update({ value: sealed('2') }),
    gives: { do: 'add' },
  },
  {
    says: 'what is typed over one that the service refused to take takes its place: nothing waits behind that',
    last: aChange({ state: 'failed', patch: { value: { ...sealed('1', 1), reseal: true } }, base: { value: sealed('1', 1) } }),
    next: update({ value: sealed('2') }),
    gives: { do: 'amend', to: { patch: { value: sealed('2') } } },
  },
  {
    says: 'a value typed where nothing was shown stays a change of its own: the rename before it has seen one',
    last: aChange({ patch: { name: 'B' }, base: { name: 'A', value: sealed('1') } }),
    next: aChange({ patch: { value: sealed('2') }, base: null }),
    gives: { do: 'add' },
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
    says: 'into a change that was attempted and surely not done',
    last: aChange({ attempts: 1, patch: { name: 'B' }, base: { name: 'A' } }),
    next: update({ name: 'C' }),
    gives: { do: 'amend', to: { patch: { name: 'C' } } },
  },
  {
    says: 'never a delete into a create that is being sent: the service may have it',
    last: aChange({ kind: 'create', base: null, state: 'sending', attempts: 1, patch: { name: 'N' } }),
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
    says: 'never into one that may have been done, but could not be reconciled',
    last: aChange({ state: 'failed', attempts: 1, patch: { name: 'B' }, base: { name: 'A' } }),
    next: update({ name: 'A' }, { name: 'B' }),
    gives: { do: 'add' },
  },
  {
    says: 'into a refused change',
    last: aChange({ state: 'failed', patch: { value: sealed('2') }, base: { value: sealed('1') } }),
    next: update({ value: sealed('3') }),
    gives: { do: 'amend', to: { patch: { value: sealed('3') } } },
  },
  {
    says: 'into a change in conflict: back to what was, it is an edit over what the screen showed',
    last: inQuestion,
    next: update({ value: sealed('1', 2) }, { value: sealed('2') }),
    gives: { do: 'amend', to: { patch: { value: sealed('1', 2) }, base: { name: 'A', value: sealed('2') } } },
  },
  {
    says: 'into a change in conflict: taken back to what was, it leaves an empty one, which theirs replaces',
    last: inQuestion,
    next: { ...update({ value: sealed('1', 2) }, { value: sealed('2') }), takesBack: true },
    gives: { do: 'amend', to: { patch: {}, base: { name: 'A', value: sealed('1') } } },
  },
  {
    says: 'into a change in conflict: back to what was, where the screen did not show what is there, it is an edit over what is unknown',
    last: inQuestion,
    next: update({ value: sealed('1', 2) }, { name: 'A' }),
    gives: { do: 'amend', to: { patch: { value: sealed('1', 2) }, base: { name: 'A' } } },
  },
  {
    says: 'a move onto an edit is one change that edits and moves',
    last: aChange({ patch: { value: sealed('2') }, base: { value: sealed('1') } }),
    next: move('env', 'other'),
    gives: {
      do: 'amend',
      to: {
        patch: { value: sealed('2'), parent: 'other' },
        base: { value: sealed('1'), parent: 'env' },
        ancestors: ['other', 'project'],
        leaves: ['env', 'project'],
      },
    },
  },
  {
    says: 'an edit onto a move is one change that goes where the move goes',
    last: moved('env', 'other'),
    next: { ...update({ name: 'B' }, { name: 'A' }), ancestors: ['other', 'project'] },
    gives: {
      do: 'amend',
      to: { patch: { name: 'B', parent: 'other' }, ancestors: ['other', 'project'], leaves: ['env', 'project'] },
    },
  },
  {
    says: 'a move onto a move leaves where the first one left',
    last: moved('env', 'other'),
    next: move('other', 'third'),
    gives: { do: 'amend', to: { patch: { parent: 'third' }, ancestors: ['third', 'project'], leaves: ['env', 'project'] } },
  },
  { says: 'a move and its way back are nothing', last: moved('env', 'other'), next: move('other', 'env'), gives: { do: 'drop' } },
  {
    says: 'a move back comes behind a move that others have made meanwhile, too: they have taken the row there as well',
    last: moved('env', 'other'),
    next: move('other', 'env'),
    around: { under: { name: 'A', parent: 'other' } },
    gives: { do: 'add' },
  },
  {
    says: 'a former name comes behind a rename that others have made meanwhile, too',
    last: aChange({ patch: { name: 'B' }, base: { name: 'A' } }),
    next: update({ name: 'A' }, { name: 'B' }),
    around: { under: { name: 'B' } },
    gives: { do: 'add' },
  },
  {
    says: 'a former name takes back a rename where others have made another one',
    last: aChange({ patch: { name: 'B' }, base: { name: 'A' } }),
    next: update({ name: 'A' }, { name: 'B' }),
    around: { under: { name: 'C' } },
    gives: { do: 'drop' },
  },
  {
    says: 'a move back leaves the edit that went with it, where the row is',
    last: moved('env', 'other', { patch: { name: 'B', parent: 'other' }, base: { name: 'A', parent: 'env' } }),
    next: move('other', 'env'),
    gives: { do: 'amend', to: { patch: { name: 'B' }, ancestors: ['env', 'project'], leaves: [] } },
  },
  {
    says: 'an unsent create that is moved is a create where it goes',
    last: aChange({ kind: 'create', base: null, patch: { name: 'N' } }),
    next: move('env', 'other'),
    gives: { do: 'amend', to: { patch: { name: 'N' }, base: null, ancestors: ['other', 'project'], leaves: [] } },
  },
]

describe('coalesce', () => {
  test.each(table)('$says', ({ last, next, around, gives }) => {
    expect(coalesce(last, next, { ...alone, ...around })).toMatchObject(gives)
  })

  test('a merge of two changes touches every name that either claims or frees', () => {
    const last = aChange({ patch: { name: 'B' }, base: { name: 'A' } })
    const keys = claimsOfMerge(last, update({ name: 'C' }, { name: 'B' })).map(({ key }) => key)
    expect([...new Set(keys)].toSorted()).toEqual(['A', 'B', 'C'])
  })

  test('a merge with a move touches the name where it goes and where it leaves', () => {
    const claims = claimsOfMerge(aChange({ patch: { isSecret: true }, base: { name: 'A', isSecret: false } }), move('env', 'other'))
    expect(new Set(claims.map(({ parentId, key }) => `${parentId}/${key}`))).toEqual(new Set(['env/A', 'other/A']))
  })

  test('a create that is moved touches its name in both environments', () => {
    const claims = claimsOfMerge(aChange({ kind: 'create', base: null, patch: { name: 'N' } }), {
      ...move('env', 'other'),
      base: { parent: 'env' },
    })
    expect(new Set(claims.map(({ parentId, key }) => `${parentId}/${key}`))).toEqual(new Set(['env/N', 'other/N']))
  })
})
