import { describe, expect, test } from 'vitest'
import type { BaseRow, Change, Entry } from '../../../electron/queue/entry.ts'
import { maxAttempts, outcomeOf, planOutcome, planUnreconciled } from '../../../electron/sync/plan/plan-outcome.ts'
import { maxRetries } from '../../../electron/sync/plan/plan-retry.ts'
import type { AnswerFacts } from '../../../electron/sync/plan/step.ts'
import type { Failure, Outcome } from '../../../electron/sync/port.ts'
import { aChange, anOperation, sealed } from '../../queue/a-change.ts'
import { aBaseRow, aRemoteRow, environment, factsOf, project, wordsOf } from './plan-words.ts'

const sent = { id: 'c1', state: 'sending', attempts: 1 } as const
const create = aChange({ ...sent, kind: 'create', remoteId: 'r-made', base: null, patch: { name: 'A', value: sealed('2') } })
const update = aChange({ ...sent, base: { name: 'A', value: sealed('1') }, patch: { value: sealed('2') } })
const remove = aChange({ ...sent, kind: 'delete', base: { name: 'A', value: sealed('1') } })
const later = aChange({ id: 'c2', seq: 2, base: { name: 'A', value: sealed('2') }, patch: { value: sealed('4') } })

const failure = (kind: Failure['kind']): Failure => ({ kind, message: 'It went wrong.', retryAfterMs: null })
const done = aRemoteRow({ fields: { name: 'A', value: sealed('2') }, etag: 'e2' })
const others = aRemoteRow({ fields: { name: 'A', value: sealed('3') }, etag: 'e2' })
const made = aRemoteRow({ remoteId: 'r-made', fields: { name: 'A', value: sealed('2') } })

const known = [project, environment, aBaseRow()]
const unknown = [project, environment]

const twin = aBaseRow({ id: 'twin', remoteId: 'r-twin', fields: { name: 'B', value: sealed('1') } })
const likeMine = aRemoteRow({ remoteId: 'r-twin', fields: { name: 'A', value: sealed('2') } })

interface Case {
  says: string
  entry: Change
  outcome: Outcome
  isNew?: boolean
  rows?: BaseRow[]
  queue?: Entry[]
  facts?: Partial<AnswerFacts>
  plan: string[]
}

test.each<Case>([
  {
    says: 'confirmed, base is what was sent',
    entry: update,
    outcome: { is: 'confirmed', row: done },
    plan: ['confirm c1', 'history keeps A 1#1, changed by local', 'base row in env is A 2#1'],
  },
  {
    says: 'confirmed, a later change of the row moves onto it',
    entry: update,
    queue: [later],
    outcome: { is: 'confirmed', row: done },
    plan: ['confirm c1', 'history keeps A 1#1, changed by local', 'base row in env is A 2#1', 'rebase c2: 4#1'],
  },
  {
    says: 'confirmed, and changed by others before the answer',
    entry: update,
    outcome: { is: 'confirmed', row: others },
    plan: ['confirm c1', 'history keeps A 1#1, changed by local', 'history keeps A 2#1, changed by remote', 'base row in env is A 3#1'],
  },
  {
    says: 'confirmed, and shown as it was before the edit: the service ignored it',
    entry: update,
    outcome: { is: 'confirmed', row: aRemoteRow({ fields: { name: 'A', value: sealed('1') }, etag: 'e2' }) },
    plan: ['reject c1'],
  },
  {
    says: 'confirmed, and shown with one of two edited fields, the other as it was before: the service ignored that one',
    entry: { ...update, patch: { name: 'B', value: sealed('2') } },
    outcome: { is: 'confirmed', row: aRemoteRow({ fields: { name: 'A', value: sealed('2') }, etag: 'e2' }) },
    plan: ['reject c1'],
  },
  {
    says: 'confirmed, and shown with one of two edited fields, the other with a third value: the service did it, and others changed that one',
    entry: { ...update, patch: { name: 'B', value: sealed('2') } },
    outcome: { is: 'confirmed', row: aRemoteRow({ fields: { name: 'C', value: sealed('2') }, etag: 'e2' }) },
    plan: ['confirm c1', 'history keeps A 1#1, changed by local', 'base row in env is C 2#1'],
  },
  {
    says: 'confirmed, a new row is in base',
    entry: create,
    isNew: true,
    outcome: { is: 'confirmed', row: made },
    plan: ['confirm c1', 'base row in env is A 2#1'],
  },
  {
    says: 'confirmed, as an earlier request made it: what it says now is an edit of that record',
    entry: create,
    isNew: true,
    outcome: { is: 'confirmed', row: aRemoteRow({ remoteId: 'r-made', fields: { name: 'A', value: sealed('1') } }) },
    plan: ['found c1: 2#1', 'base row in env is A 1#1', 'rebase new1: 2#1'],
  },
  {
    says: 'confirmed, a deleted row leaves base',
    entry: remove,
    outcome: { is: 'confirmed', row: null },
    plan: ['history keeps A 1#1, deleted by local', 'confirm c1', 'base without row', 'untrack'],
  },
  {
    says: 'stale by another field, it moves onto the record',
    entry: update,
    outcome: { is: 'stale', current: aRemoteRow({ fields: { name: 'B', value: sealed('1') }, etag: 'e2' }) },
    plan: ['base row in env is B 1#1', 'rebase c1: 2#1'],
  },
  {
    says: 'stale by the same field, its user chooses',
    entry: update,
    outcome: { is: 'stale', current: others },
    plan: ['base row in env is A 3#1', 'history keeps A 1#1, changed by remote', 'park c1 as fields'],
  },
  {
    says: 'stale too often, it waits for its user',
    entry: update,
    facts: { timesStale: maxRetries },
    outcome: { is: 'stale', current: others },
    plan: ['reject c1'],
  },
  {
    says: 'stale, and deleted by others',
    entry: update,
    outcome: { is: 'stale', current: null },
    plan: ['recreate c1 as deleted-remotely: A 2#1', 'base without row'],
  },
  {
    says: 'a name that its own record has is done',
    entry: create,
    isNew: true,
    outcome: { is: 'taken', holder: made, message: '' },
    plan: ['confirm c1', 'base row in env is A 2#1'],
  },
  {
    says: 'a name that another record has',
    entry: create,
    isNew: true,
    outcome: { is: 'taken', holder: others, message: '' },
    plan: ['base row in env is A 3#1', 'bind c1 as name-taken: 2#1'],
  },
  {
    says: 'a name that a row shown here has by now is a question, with the same value too',
    entry: create,
    rows: [...unknown, twin],
    outcome: { is: 'taken', holder: likeMine, message: '' },
    plan: ['park c1 as name-taken'],
  },
  {
    says: 'a name that a row shown here has by now, of a row that its user has deleted since: nothing is left of that',
    entry: create,
    rows: [...unknown, twin],
    queue: [aChange({ id: 'c2', seq: 2, kind: 'delete', patch: {} })],
    outcome: { is: 'taken', holder: likeMine, message: '' },
    plan: ['history keeps A 2#1, deleted by local', 'confirm c1', 'drop c2', 'base without row'],
  },
  {
    says: 'a name whose holder nobody shows',
    entry: create,
    isNew: true,
    outcome: { is: 'taken', holder: null, message: '' },
    plan: ['park c1 as name-taken'],
  },
  {
    says: 'a missing record of a deletion is done',
    entry: remove,
    outcome: { is: 'missing', what: 'record', message: '' },
    plan: ['history keeps A 1#1, deleted by local', 'confirm c1', 'base without row', 'untrack'],
  },
  {
    says: 'a missing record of an edit is a question',
    entry: update,
    outcome: { is: 'missing', what: 'record', message: '' },
    plan: ['recreate c1 as deleted-remotely: A 2#1', 'base without row'],
  },
  {
    says: 'a missing parent waits for the next pull',
    entry: update,
    outcome: { is: 'missing', what: 'parent', message: '' },
    plan: ['delay c1'],
  },
  { says: 'refused', entry: update, outcome: { is: 'refused', message: 'No.' }, plan: ['reject c1'] },
  { says: 'never possible on this service', entry: update, outcome: { is: 'unsupported', message: 'No.' }, plan: ['block c1'] },
  { says: 'never sent', entry: update, outcome: { is: 'unsent', failure: failure('offline') }, plan: ['unsent c1'] },
  { says: 'not taken now', entry: update, outcome: { is: 'unsent', failure: failure('failed') }, plan: ['delay c1'] },
  {
    says: 'not taken after many tries',
    entry: { ...update, attempts: maxAttempts },
    outcome: { is: 'unsent', failure: failure('failed') },
    plan: ['reject c1'],
  },
  {
    says: 'without an answer it is never sent again before a read',
    entry: update,
    outcome: { is: 'unknown', failure: failure('offline') },
    plan: ['unanswered c1'],
  },
  { says: 'something changed below a deleted parent', entry: remove, outcome: { is: 'changed-below' }, plan: ['delay c1'] },
])('an answer: $says', ({ entry, outcome, isNew = false, rows = isNew ? unknown : known, queue = [], facts, plan }) => {
  expect(wordsOf(planOutcome(entry, outcome, factsOf(rows, [entry, ...queue], facts)))).toEqual(plan)
})

describe('what a read says of an entry whose answer was lost', () => {
  test.each<{ says: string; entry: Entry; read: Parameters<typeof outcomeOf>[1]; outcome: Outcome | null }>([
    {
      says: 'a create with its record',
      entry: create,
      read: { is: 'row', row: made, holder: null },
      outcome: { is: 'confirmed', row: made },
    },
    { says: 'a create without one', entry: create, read: { is: 'row', row: null, holder: null }, outcome: null },
    {
      says: 'a create whose name another has',
      entry: create,
      read: { is: 'row', row: null, holder: others },
      outcome: { is: 'taken', holder: others, message: expect.any(String) as string },
    },
    {
      says: 'an update is compared with the record',
      entry: update,
      read: { is: 'row', row: others, holder: null },
      outcome: { is: 'stale', current: others },
    },
    {
      says: 'a deletion without a record',
      entry: remove,
      read: { is: 'row', row: null, holder: null },
      outcome: { is: 'confirmed', row: null },
    },
    {
      says: 'a deletion with one',
      entry: remove,
      read: { is: 'row', row: others, holder: null },
      outcome: { is: 'stale', current: others },
    },
    { says: 'an operation that is done', entry: anOperation(sent), read: { is: 'done' }, outcome: { is: 'confirmed', row: null } },
    { says: 'an operation that is not', entry: anOperation(sent), read: { is: 'undone' }, outcome: null },
  ])('$says', ({ entry, read, outcome }) => {
    expect(outcomeOf(entry, read)).toEqual(outcome)
  })

  test.each<{ kind: Failure['kind']; attempts: number; plan: string[] }>([
    { kind: 'failed', attempts: 1, plan: ['unanswered c1'] },
    { kind: 'failed', attempts: maxAttempts, plan: ['reject c1'] },
    { kind: 'refused', attempts: 1, plan: ['reject c1'] },
  ])('a read that $kind after $attempts attempts', ({ kind, attempts, plan }) => {
    expect(wordsOf(planUnreconciled({ ...update, attempts }, failure(kind), factsOf(known, [])))).toEqual(plan)
  })
})

test('says that sync tries again only of what it tries again', () => {
  const busy = { ...failure('failed'), next: 'Holdfast will try again.' }
  const reasonsOf = (attempts: number) => {
    const entry = { ...update, attempts }
    const facts = factsOf(known, [entry])
    const steps = [
      ...planOutcome(entry, { is: 'unsent', failure: busy }, facts),
      ...planOutcome(entry, { is: 'unknown', failure: busy }, facts),
      ...planUnreconciled(entry, busy, facts),
    ]
    return steps.map((step) => 'event' in step && 'reason' in step.event && step.event.reason)
  }
  const again = 'It went wrong. Holdfast will try again.'
  expect(reasonsOf(1)).toEqual([again, again, again])
  expect(reasonsOf(maxAttempts)).toEqual(['It went wrong.', again, 'It went wrong.'])
})
