import { expect, test } from 'vitest'
import { lastOwner, memberStatusWords } from '../../../src/domain/member-words.ts'
import { permissionWords, roleWords } from '../../../src/domain/permission-words.ts'

const member = { status: 'active', isLeaving: false, sync: 'synced', syncReason: null } as const

test.each([
  [member, 'Active'],
  [{ ...member, status: 'invited' }, 'Invited'],
  [{ ...member, status: 'unsent', sync: 'queued' }, 'Invitation pending'],
  [{ ...member, status: 'suspended' }, 'suspended'],
  [{ ...member, isLeaving: true, sync: 'queued' }, 'Removal pending'],
  [{ ...member, isLeaving: true, sync: 'failed', syncReason: 'The last owner stays.' }, 'The last owner stays.'],
  [{ ...member, sync: 'queued', syncReason: 'The service is away.' }, 'Active'],
] as const)('%j reads “%s”', (row, words) => {
  expect(memberStatusWords(row)).toBe(words)
})

test('what a role may do is said in words, and in the service’s own where Holdfast knows none', () => {
  expect(permissionWords(['read', 'variables.write', 'billing.see'])).toBe('see everything, change variables, and billing.see')
  expect(permissionWords([])).toBe('')
})

const roles = [
  { id: 'owner', name: 'Owner', permissions: ['read', 'owners.write'] },
  { id: 'editor', name: 'Editor', permissions: ['read'] },
]
const ada = { id: 'ada', status: 'active', roleId: 'owner', isLeaving: false }
const ben = { ...ada, id: 'ben' }
test.each([
  ['the only owner', [ada, { ...ben, roleId: 'editor' }], roles, 'ada'],
  ['none of two owners', [ada, ben], roles, null],
  ['an owner beside one who was only invited', [ada, { ...ben, status: 'invited' }], roles, 'ada'],
  ['an owner beside one whose removal waits', [ada, { ...ben, isLeaving: true }], roles, 'ada'],
  ['nobody where nobody is an owner', [{ ...ada, roleId: 'editor' }], roles, null],
  ['nobody where roles say nothing', [ada], roles.map((role) => ({ ...role, permissions: [] })), null],
])('the last owner is %s', (_, members, known, id) => {
  expect(lastOwner(members, known)).toBe(id)
})

test('a role in a list tells what it can do beyond the next lesser one', () => {
  const viewer = { name: 'Viewer', permissions: ['read'] }
  const editor = { name: 'Editor', permissions: ['read', 'variables.write'] }
  const owner = { name: 'Owner', permissions: ['read', 'variables.write', 'owners.write'] }
  const roles = [owner, viewer, editor, { name: 'Robot', permissions: [] }]
  expect(roles.map((role) => roleWords(role, roles))).toEqual([
    'Everything Editor can, and make owners',
    'Can see everything',
    'Everything Viewer can, and change variables',
    '',
  ])
})
