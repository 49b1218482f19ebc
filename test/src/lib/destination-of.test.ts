import { expect, test } from 'vitest'
import { destinationOf } from '../../../src/lib/destination-of.ts'

const at = { projectId: 'p', environmentId: 'e', variableId: null }
const nowhere = { projectId: null, environmentId: null, variableId: null }

test.each([
  ['a variable', { kind: 'update', subject: 'variable', at: { ...at, variableId: 'v' } }, { variable: { id: 'v', name: 'PORT' } }],
  ['a deleted variable', { kind: 'delete', subject: 'variable', at: { ...at, variableId: 'v' } }, { environmentId: 'e', variable: null }],
  ['an environment', { kind: 'update', subject: 'environment', at }, { environmentId: 'e', variable: null }],
  ['a project', { kind: 'create', subject: 'project', at: { ...nowhere, projectId: 'p' } }, { projectId: 'p', environmentId: null }],
  ['a rollback', { kind: 'rollback', subject: 'version', at }, { environmentId: 'e', screen: 'versions' }],
  ['an invitation', { kind: 'invite', subject: 'member', at: nowhere }, { environmentId: null, screen: 'members' }],
] as const)('the change of %s is seen where that is', (_, change, destination) => {
  expect(destinationOf('w', { ...change, name: 'PORT' })).toMatchObject({ workspaceId: 'w', ...destination })
})

test.each(['project', 'environment'] as const)('a deleted %s is seen nowhere any more', (subject) => {
  expect(destinationOf('w', { kind: 'delete', subject, name: 'gone', at })).toBeNull()
})
