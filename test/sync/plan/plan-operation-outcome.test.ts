import { expect, test } from 'vitest'
import type { Operation } from '../../../electron/queue/entry.ts'
import { planOperationOutcome } from '../../../electron/sync/plan/plan-operation-outcome.ts'
import type { AnswerFacts } from '../../../electron/sync/plan/step.ts'
import type { Outcome, RemoteMemberRow, RemoteVersionRow } from '../../../electron/sync/port.ts'
import { anOperation } from '../../queue/a-change.ts'
import { factsOf, wordsOf } from './plan-words.ts'

const sent = { id: 'o1', state: 'sending', attempts: 1 } as const
const onMember = { ...sent, rowKind: 'member' as const, rowId: 'ada' }
const snapshot = anOperation(sent)
const rollback = anOperation({
  ...sent,
  kind: 'rollback',
  detail: { label: 'v1', agreed: { counts: { added: 0, updated: 1, removed: 0 }, resealed: 0, fingerprint: 'f' } },
})
const invite = anOperation({ ...onMember, kind: 'invite', detail: { email: 'ada@example.com', roleId: 'viewer' } })
const setRole = anOperation({ ...onMember, kind: 'set-role', detail: { email: 'ada@example.com', roleId: 'editor', base: 'viewer' } })
const remove = anOperation({ ...onMember, kind: 'remove', detail: { email: 'ada@example.com' } })

const member = (roleId: string): RemoteMemberRow => ({
  remoteId: 'm',
  email: 'ada@example.com',
  status: 'active',
  roleId,
  etag: null,
  createdAt: null,
})
const version: RemoteVersionRow = {
  remoteId: 'remote version',
  environmentRemoteId: 'r-env',
  label: 'v1',
  note: '',
  variableCount: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  variables: null,
}
const confirmed = { is: 'confirmed', row: null } as const
const missing = { is: 'missing', what: 'record', message: 'None.' } as const
const stale = (roleId: string | null): Outcome => ({ is: 'stale', current: null, member: roleId === null ? null : member(roleId) })
const taken = (roleId: string | null): Outcome => ({
  is: 'taken',
  holder: null,
  message: 'Taken.',
  member: roleId === null ? null : member(roleId),
})

test.each<{ says: string; operation: Operation; outcome: Outcome; facts?: Partial<AnswerFacts>; plan: string[] }>([
  { says: 'a snapshot that was taken', operation: snapshot, outcome: { ...confirmed, version }, plan: ['write-version', 'confirm o1'] },
  { says: 'a snapshot whose label is taken', operation: snapshot, outcome: taken(null), plan: ['reject o1'] },
  { says: 'a snapshot of an environment that is missing', operation: snapshot, outcome: missing, plan: ['delay o1'] },
  { says: 'one that is missing too often', operation: { ...snapshot, attempts: 8 }, outcome: missing, plan: ['reject o1'] },
  {
    says: 'a rollback that was done is only done once its environment was read',
    operation: rollback,
    outcome: { ...confirmed, counts: { added: 0, updated: 1, removed: 0 } },
    plan: ['done o1'],
  },
  { says: 'a rollback to a deleted version', operation: rollback, outcome: missing, plan: ['reject o1'] },
  { says: 'a rollback of an environment that changed', operation: rollback, outcome: { is: 'changed-below' }, plan: ['delay o1'] },
  {
    says: 'an invitation that was sent',
    operation: invite,
    outcome: { ...confirmed, member: member('viewer') },
    plan: ['write-member', 'confirm o1'],
  },
  { says: 'an invitation of a member with that role', operation: invite, outcome: taken('viewer'), plan: ['write-member', 'confirm o1'] },
  {
    says: 'an invitation of a member with another role',
    operation: invite,
    outcome: taken('admin'),
    plan: ['write-member', 'park o1 as name-taken'],
  },
  { says: 'an invitation of somebody nobody shows', operation: invite, outcome: taken(null), plan: ['reject o1'] },
  {
    says: 'a role that was given',
    operation: setRole,
    outcome: { ...confirmed, member: member('editor') },
    plan: ['write-member', 'confirm o1'],
  },
  {
    says: 'a role of a member who is missing',
    operation: setRole,
    outcome: missing,
    plan: ['delete-member', 'park o1 as deleted-remotely'],
  },
  {
    says: 'a role of a member others removed',
    operation: setRole,
    outcome: stale(null),
    plan: ['delete-member', 'park o1 as deleted-remotely'],
  },
  { says: 'a role others gave too', operation: setRole, outcome: stale('editor'), plan: ['write-member', 'confirm o1'] },
  { says: 'a role others changed to another', operation: setRole, outcome: stale('admin'), plan: ['write-member', 'park o1 as fields'] },
  {
    says: 'a member whose record changed in something else',
    operation: setRole,
    outcome: stale('viewer'),
    plan: ['write-member', 'delay o1'],
  },
  {
    says: 'and does so without end',
    operation: setRole,
    outcome: stale('viewer'),
    facts: { timesStale: 8 },
    plan: ['write-member', 'reject o1'],
  },
  { says: 'a removal that was done', operation: remove, outcome: confirmed, plan: ['delete-member', 'confirm o1'] },
  { says: 'a removal of somebody who is removed already', operation: remove, outcome: missing, plan: ['delete-member', 'confirm o1'] },
  {
    says: 'a removal by an id that nobody has',
    operation: remove,
    outcome: missing,
    facts: { memberStatus: () => '' },
    plan: ['reject o1'],
  },
  { says: 'a removal of a member who changed', operation: remove, outcome: stale('admin'), plan: ['write-member', 'delay o1'] },
])('an answer: $says', ({ operation, outcome, facts, plan }) => {
  expect(wordsOf(planOperationOutcome(operation, outcome, factsOf([], [operation], facts)))).toEqual(plan)
})
