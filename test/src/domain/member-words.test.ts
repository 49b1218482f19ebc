import { expect, test } from 'vitest'
import { memberStatusWords } from '../../../src/domain/member-words.ts'
import { permissionWords } from '../../../src/domain/permission-words.ts'

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
