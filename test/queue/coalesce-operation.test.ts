import { describe, expect, test } from 'vitest'
import type { Operation } from '../../electron/queue/entry.ts'
import { coalesceOperation, type NewOperation } from '../../electron/queue/coalesce-operation.ts'
import { anOperation } from './a-change.ts'

const email = 'ada@example.com'
const member = { rowKind: 'member' as const, rowId: 'ada', ancestors: [] }
const invite = (parts: Partial<Operation> = {}) =>
  anOperation({ ...member, kind: 'invite', detail: { email, roleId: 'editor' }, ...parts } as Partial<Operation>)
const role = (parts: Partial<Operation> = {}) =>
  anOperation({ ...member, kind: 'set-role', detail: { email, roleId: 'admin', base: 'editor' }, ...parts } as Partial<Operation>)
const contested = role({
  state: 'conflict',
  conflict: { kind: 'fields', remote: null, by: null },
  detail: { email, roleId: 'admin', base: 'editor', remote: 'owner' },
})
const toViewer: NewOperation = { ...member, kind: 'set-role', detail: { email, roleId: 'viewer', base: 'editor' } }
const backToEditor: NewOperation = { ...member, kind: 'set-role', detail: { email, roleId: 'editor', base: 'editor' } }
const removal: NewOperation = { ...member, kind: 'remove', detail: { email } }
const snapshot: NewOperation = {
  kind: 'snapshot',
  rowKind: 'version',
  rowId: 'v',
  ancestors: ['env', 'project'],
  detail: { remoteId: 'new' },
}

const table: { says: string; earlier: Operation[]; next: NewOperation; leaves: string[]; amended?: object }[] = [
  { says: 'an operation with nothing before it is added', earlier: [], next: removal, leaves: ['remove'] },
  { says: 'two snapshots are two', earlier: [anOperation({ rowId: 'v' })], next: snapshot, leaves: ['snapshot', 'snapshot'] },
  { says: 'an unsent invitation that is withdrawn leaves nothing', earlier: [invite()], next: removal, leaves: [] },
  { says: 'also when the service had refused it', earlier: [invite({ state: 'failed' })], next: removal, leaves: [] },
  {
    says: 'one that may have been sent is followed by the removal',
    earlier: [invite({ state: 'sending', attempts: 1 })],
    next: removal,
    leaves: ['invite', 'remove'],
  },
  {
    says: 'one that could not be reconciled is followed by the removal too',
    earlier: [invite({ state: 'failed', attempts: 1 })],
    next: removal,
    leaves: ['invite', 'remove'],
  },
  {
    says: 'a role that may have been given is followed by the way back',
    earlier: [role({ state: 'failed', attempts: 1 })],
    next: { ...backToEditor, detail: { email, roleId: 'editor', base: 'admin' } },
    leaves: ['set-role', 'set-role'],
  },
  {
    says: 'but is moot once the member is removed',
    earlier: [role({ state: 'failed', attempts: 1 })],
    next: removal,
    leaves: ['remove'],
  },
  {
    says: 'an unsent invitation takes the new role',
    earlier: [invite()],
    next: toViewer,
    leaves: ['invite'],
    amended: { email, roleId: 'viewer' },
  },
  {
    says: 'one that may have been sent is followed by the new role',
    earlier: [invite({ state: 'sending', attempts: 1 })],
    next: toViewer,
    leaves: ['invite', 'set-role'],
  },
  {
    says: 'of two unsent roles the last counts, on the one the user saw first',
    earlier: [role()],
    next: toViewer,
    leaves: ['set-role'],
    amended: { email, roleId: 'viewer', base: 'editor' },
  },
  { says: 'a role and its way back leave nothing', earlier: [role()], next: backToEditor, leaves: [] },
  {
    says: 'an invitation that met a member is followed by the removal of that one',
    earlier: [invite({ state: 'conflict', attempts: 1, conflict: { kind: 'fields', remote: null, by: null } })],
    next: removal,
    leaves: ['remove'],
  },
  {
    says: 'an invitation that met a member gives way to a new role for that one',
    earlier: [invite({ state: 'conflict', attempts: 1, conflict: { kind: 'fields', remote: null, by: null } })],
    next: toViewer,
    leaves: ['set-role'],
  },
  {
    says: 'a role that is in conflict with another takes a third, and stays in conflict with that',
    earlier: [contested],
    next: toViewer,
    leaves: ['set-role'],
    amended: { email, roleId: 'viewer', base: 'editor', remote: 'owner' },
  },
  {
    says: 'also where that is the one from before both',
    earlier: [contested],
    next: backToEditor,
    leaves: ['set-role'],
    amended: { email, roleId: 'editor', base: 'editor', remote: 'owner' },
  },
  {
    says: 'and leaves nothing once the user picks the remote one',
    earlier: [contested],
    next: { ...member, kind: 'set-role', detail: { email, roleId: 'owner', base: 'editor' } },
    leaves: [],
  },
  { says: 'a removal makes an unsent role moot', earlier: [role()], next: removal, leaves: ['remove'] },
]

describe('coalesceOperation', () => {
  test.each(table)('$says', ({ earlier, next, leaves, amended }) => {
    const outcome = coalesceOperation(earlier, next)
    const kept = earlier.filter((operation) => !outcome.dropped.includes(operation))
    expect([...kept, ...(outcome.add === null ? [] : [outcome.add])].map(({ kind }) => kind)).toEqual(leaves)
    expect(outcome.amended?.detail).toEqual(amended)
  })
})
