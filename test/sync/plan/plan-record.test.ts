import { expect, test } from 'vitest'
import type { BaseRow, Change, Entry } from '../../../electron/queue/entry.ts'
import type { RemoteRow } from '../../../electron/sync/port.ts'
import type { Facts } from '../../../electron/sync/plan/step.ts'
import { deletedRow, dropDescendants, planDeleted, planRecord, removeRow } from '../../../electron/sync/plan/plan-record.ts'
import { aChange, anOperation, sealed } from '../../queue/a-change.ts'
import { aBaseRow, aRemoteRow, environment, factsOf, project, wordsOf } from './plan-words.ts'

const parents = [project, environment]
const create = (parts: Partial<Change> = {}): Change =>
  aChange({ id: 'c1', kind: 'create', base: null, patch: { name: 'A', value: sealed('2') }, ...parts })
const update = (parts: Partial<Change> = {}): Change =>
  aChange({ id: 'c1', base: { name: 'A', value: sealed('1') }, patch: { value: sealed('2') }, ...parts })
const remove = (parts: Partial<Change> = {}): Change => update({ kind: 'delete', patch: {}, ...parts })
const remoteTwo = { fields: { name: 'A', value: sealed('3') }, etag: 'e2' }

test.each<{ says: string; base: BaseRow[]; queue: Entry[]; record?: Partial<RemoteRow>; plan: string[] | 'held' }>([
  { says: 'a record nobody knew is a new row', base: [], queue: [], plan: ['base new1 in env is A 1#1'] },
  { says: 'one that is known as it is changes nothing', base: [aBaseRow()], queue: [], plan: [] },
  {
    says: 'another value is written, and the old one kept',
    base: [aBaseRow()],
    queue: [],
    record: remoteTwo,
    plan: ['base row in env is A 3#1', 'history keeps A 1#1, changed by remote'],
  },
  {
    says: 'an unsent edit of the same field is a conflict',
    base: [aBaseRow()],
    queue: [update()],
    record: remoteTwo,
    plan: ['base row in env is A 3#1', 'history keeps A 1#1, changed by remote', 'park c1 as fields'],
  },
  {
    says: 'an edit behind a value that is sealed anew is in no conflict with that',
    base: [aBaseRow()],
    queue: [update({ patch: { value: { ...sealed('1'), reseal: true } } }), update({ id: 'c2', seq: 2 })],
    record: { fields: { name: 'B', value: sealed('1') }, etag: 'e2' },
    plan: ['base row in env is B 1#1', 'rebase c1: 1#1', 'rebase c2: 2#1'],
  },
  {
    says: 'an unsent edit of another field goes on',
    base: [aBaseRow()],
    queue: [update()],
    record: { fields: { name: 'B', value: sealed('1') }, etag: 'e2' },
    plan: ['base row in env is B 1#1', 'rebase c1: 2#1'],
  },
  {
    says: 'an unsent edit that others made too is done',
    base: [aBaseRow()],
    queue: [update()],
    record: { fields: { name: 'A', value: sealed('2', 7) }, etag: 'e2' },
    plan: ['base row in env is A 2#7', 'history keeps A 1#1, changed by remote', 'confirm c1'],
  },
  {
    says: 'an unsent deletion of a row that others changed is a conflict',
    base: [aBaseRow()],
    queue: [remove()],
    record: remoteTwo,
    plan: ['base row in env is A 3#1', 'history keeps A 1#1, changed by remote', 'park c1 as changed-remotely'],
  },
  { says: 'a row under way is held back', base: [aBaseRow()], queue: [update({ state: 'sending' })], record: remoteTwo, plan: 'held' },
  { says: 'and so is a record whose create is under way', base: [], queue: [create({ state: 'sending' })], plan: 'held' },
  {
    says: 'an unsent create of the same name is a conflict with that record',
    base: [],
    queue: [create()],
    plan: ['base row in env is A 1#1', 'bind c1 as name-taken: 2#1'],
  },
  {
    says: 'an unsent create of the same name and value is that record',
    base: [],
    queue: [create({ patch: { name: 'A', value: sealed('1') } })],
    plan: ['base row in env is A 1#1', 'confirm c1'],
  },
  {
    says: 'the record that a create was to make again is edited instead',
    base: [],
    queue: [
      create({
        base: { name: 'A', value: sealed('1') },
        conflict: { kind: 'deleted-remotely', remote: null, by: null, remoteId: 'r-row' },
      }),
    ],
    plan: ['base row in env is A 1#1', 'found c1: 2#1', 'rebase c1: 2#1'],
  },
  {
    says: 'a placeholder gives way to the row its user created',
    base: [aBaseRow({ id: 'placeholder', fields: {}, etag: null })],
    queue: [create({ remoteId: 'r-row' })],
    plan: ['placeholder is row', 'base row in env is A 1#1', 'bind c1 as name-taken: 2#1'],
  },
])('a record that comes: $says', ({ base, queue, record, plan }) => {
  const planned = planRecord(aRemoteRow(record), 'env', factsOf([...parents, ...base], queue))
  expect(planned === 'held' ? planned : wordsOf(planned)).toEqual(plan)
})

const child = aBaseRow({ parentId: 'env' })

test.each<{ says: string; row: BaseRow; queue: Entry[]; plan: string[] | 'held' }>([
  { says: 'without unsent edits it goes', row: child, queue: [], plan: ['history keeps A 1#1, deleted by remote', 'base without row'] },
  { says: 'a row under way is held back', row: child, queue: [update({ state: 'sending' })], plan: 'held' },
  {
    says: 'deleted here too, it is done',
    row: child,
    queue: [remove()],
    plan: ['history keeps A 1#1, deleted by local', 'drop c1', 'base without row'],
  },
  {
    says: 'with an unsent edit its user is asked',
    row: child,
    queue: [update()],
    plan: ['recreate c1 as deleted-remotely: A 2#1', 'base without row'],
  },
  {
    says: 'a parent without edits takes its rows along',
    row: environment,
    queue: [],
    plan: ['history keeps A 1#1, deleted by remote', 'base without row', 'history keeps Prod prod, deleted by remote', 'base without env'],
  },
  {
    says: 'a parent with an edit below is one question, and its row waits for it',
    row: environment,
    queue: [update()],
    plan: ['create env again if its user wants (deleted-remotely)', 'recreate c1: A 2#1', 'base without row', 'base without env'],
  },
  {
    says: 'a value that is only to be sealed anew is no edit that anybody is asked about',
    row: environment,
    queue: [update({ patch: { value: { ...sealed('1'), reseal: true } } })],
    plan: [
      'history keeps A 1#1, deleted by remote',
      'drop c1',
      'base without row',
      'history keeps Prod prod, deleted by remote',
      'base without env',
    ],
  },
  {
    says: 'a variable that was moved out is asked about where it goes',
    row: environment,
    queue: [
      update({ ancestors: ['env2', 'project'], leaves: ['env', 'project'], base: { parent: 'env', name: 'A' }, patch: { parent: 'env2' } }),
    ],
    plan: ['recreate c1 as deleted-remotely: A 1#1', 'base without row', 'history keeps Prod prod, deleted by remote', 'base without env'],
  },
])('a record that others deleted: $says', ({ row, queue, plan }) => {
  const planned = planDeleted(row, null, factsOf([...parents, child], queue))
  expect(planned === 'held' ? planned : wordsOf(planned)).toEqual(plan)
})

test('a row that is no longer tracked goes from here alone, and its values are not kept', () => {
  expect(wordsOf(removeRow(environment, null, factsOf([...parents, child], [])))).toEqual(['base without row', 'base without env'])
})

test('an environment goes with any number of variables', () => {
  const children = Array.from({ length: 50_000 }, (_, n) => aBaseRow({ id: `row${n}`, remoteId: `remote${n}` }))
  const facts: Facts = { ...factsOf([], []), children: (id) => (id === 'env' ? children : []) }
  const steps = removeRow(environment, { whose: 'theirs', by: null }, facts)
  expect(steps.filter((step) => step.do === 'forget')).toHaveLength(50_001)
})

test.each<{ says: string; queue: Entry[]; plan: string[] }>([
  { says: 'its creates', queue: [create()], plan: ['drop c1'] },
  { says: 'what was edited after a create', queue: [create(), update({ id: 'c2', seq: 2 })], plan: ['drop c1', 'drop c2', 'drop c2'] },
  { says: 'its operations', queue: [anOperation({ id: 'o1' })], plan: ['drop o1'] },
  { says: 'a request under way, whose answer no longer matters', queue: [create({ state: 'sending' })], plan: ['confirm c1'] },
])('a parent that will never exist drops $says', ({ queue, plan }) => {
  expect(wordsOf(dropDescendants('env', factsOf([], queue)))).toEqual(plan)
})

test('a row that is to be created again has as its base what its user saw, where an edit of it is in question', () => {
  const rename = update({ base: { name: 'A', value: sealed('3') }, patch: { name: 'B' } })
  const edit = update({ id: 'c2', seq: 2, state: 'conflict', conflict: { kind: 'fields', remote: remoteTwo.fields, by: null } })
  const row = aBaseRow({ fields: remoteTwo.fields })
  const steps = planDeleted(row, null, factsOf([...parents, row], [rename, edit]))
  const event =
    steps === 'held' ? null : steps.flatMap((step) => (step.do === 'advance' && step.event.is === 'recreate' ? [step.event] : []))
  expect(event).toMatchObject([{ base: { name: 'A', value: sealed('1') }, patch: { name: 'B', value: sealed('2') } }])
})

test('changes that wait for their user go along with a row that others moved to another environment', () => {
  const other = aBaseRow({
    id: 'other',
    kind: 'environment',
    parentId: 'project',
    remoteId: 'r-other',
    fields: { name: 'Dev', slug: 'dev' },
  })
  const [first, second, third] = [update(), update({ id: 'c2', seq: 2 }), remove({ id: 'c3', seq: 3 })]
  const away = update({ id: 'c4', seq: 4, patch: { parent: 'env' }, leaves: ['env', 'project'] })
  const queue = [first, second, third, away]
  const steps = planRecord(aRemoteRow(remoteTwo), 'other', factsOf([...parents, other, aBaseRow()], queue))
  const paths = steps === 'held' ? [] : steps.flatMap((step) => (step.do === 'advance' ? [[step.event.is, step.entry.id, step.event]] : []))
  const there = { ancestors: ['other', 'project'], leaves: [] }
  expect(paths).toMatchObject([
    ['park', 'c1', there],
    ['revise', 'c2', there],
    ['revise', 'c3', there],
    ['revise', 'c4', { ancestors: ['env', 'project'], leaves: ['other', 'project'] }],
  ])
})

test('an edit behind a snapshot keeps the value that its user saw, when a row that others edited and deleted is made again', () => {
  const saw = { name: 'A', value: sealed('seen') }
  const queue = [
    aChange({ id: 'first', seq: 1, rowId: 'row', patch: { name: 'B' }, base: saw }),
    anOperation({ id: 'o1', seq: 2 }),
    aChange({ id: 'last', seq: 3, rowId: 'row', patch: { value: sealed('mine') }, base: { ...saw, name: 'B' } }),
  ]
  const row = aBaseRow({ fields: { name: 'A', value: sealed('theirs') } })
  const steps = deletedRow(row, 'Ada', factsOf([row, ...parents], queue))
  const moved = steps.flatMap((step) => (step.do === 'advance' && step.entry.id === 'last' ? [step.event] : []))
  expect(moved).toMatchObject([{ is: 'rebase', base: { value: sealed('seen') } }])
})
