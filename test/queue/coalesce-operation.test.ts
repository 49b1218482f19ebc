import { describe, expect, test } from 'vitest'
import type { Act } from '../../electron/queue/entry.ts'
import { coalesceAct, type NewAct } from '../../electron/queue/coalesce-operation.ts'
import { anAct } from './a-change.ts'

const email = 'ada@example.com'
const member = { rowKind: 'member' as const, rowId: 'ada', ancestors: [] }
const invite = (parts: Partial<Act> = {}) =>
  anAct({ ...member, kind: 'invite', detail: { email, roleId: 'editor' }, ...parts } as Partial<Act>)
const role = (parts: Partial<Act> = {}) =>
  anAct({ ...member, kind: 'set-role', detail: { email, roleId: 'admin', was: 'editor' }, ...parts } as Partial<Act>)
const toViewer: NewAct = { ...member, kind: 'set-role', detail: { email, roleId: 'viewer', was: 'editor' } }
const backToEditor: NewAct = { ...member, kind: 'set-role', detail: { email, roleId: 'editor', was: 'editor' } }
const removal: NewAct = { ...member, kind: 'remove', detail: { email } }
const snapshot: NewAct = { kind: 'snapshot', rowKind: 'version', rowId: 'v', ancestors: ['env', 'project'], detail: {} }

const table: { says: string; earlier: Act[]; next: NewAct; leaves: string[]; amended?: object }[] = [
  { says: 'an act with nothing before it is added', earlier: [], next: removal, leaves: ['remove'] },
  { says: 'two snapshots are two', earlier: [anAct({ rowId: 'v' })], next: snapshot, leaves: ['snapshot', 'snapshot'] },
  { says: 'an unsent invitation that is taken back leaves nothing', earlier: [invite()], next: removal, leaves: [] },
  { says: 'also when the server had refused it', earlier: [invite({ state: 'failed', attempts: 1 })], next: removal, leaves: [] },
  {
    says: 'one that may have been sent is followed by the removal',
    earlier: [invite({ state: 'sending', attempts: 1 })],
    next: removal,
    leaves: ['invite', 'remove'],
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
    earlier: [invite({ attempts: 1 })],
    next: toViewer,
    leaves: ['invite', 'set-role'],
  },
  {
    says: 'of two unsent roles the last counts, on the one the user saw first',
    earlier: [role()],
    next: toViewer,
    leaves: ['set-role'],
    amended: { email, roleId: 'viewer', was: 'editor' },
  },
  { says: 'a role and its way back leave nothing', earlier: [role()], next: backToEditor, leaves: [] },
  {
    says: 'an invitation that met a member is followed by the removal of that one',
    earlier: [invite({ state: 'conflict', attempts: 1, conflict: { kind: 'fields', theirs: null, by: null } })],
    next: removal,
    leaves: ['remove'],
  },
  {
    says: 'an invitation that met a member gives way to a new role for that one',
    earlier: [invite({ state: 'conflict', attempts: 1, conflict: { kind: 'fields', theirs: null, by: null } })],
    next: toViewer,
    leaves: ['set-role'],
  },
  {
    says: 'a role that somebody changed meanwhile counts as the one the user sees now',
    earlier: [
      role({
        state: 'conflict',
        conflict: { kind: 'fields', theirs: null, by: null },
        detail: { email, roleId: 'admin', was: 'editor', theirs: 'owner' },
      }),
    ],
    next: backToEditor,
    leaves: ['set-role'],
    amended: { email, roleId: 'editor', was: 'owner' },
  },
  { says: 'a removal makes an unsent role moot', earlier: [role()], next: removal, leaves: ['remove'] },
]

describe('coalesceAct', () => {
  test.each(table)('$says', ({ earlier, next, leaves, amended }) => {
    const outcome = coalesceAct(earlier, next)
    const kept = earlier.filter((act) => !outcome.dropped.includes(act))
    expect([...kept, ...(outcome.add === null ? [] : [outcome.add])].map(({ kind }) => kind)).toEqual(leaves)
    expect(outcome.amended?.detail).toEqual(amended)
  })
})
