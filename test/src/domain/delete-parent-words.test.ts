import { expect, test } from 'vitest'
import type { QueueRow } from '../../../electron/bridge/rows.ts'
import { deleteParentWords, unsentWithin } from '../../../src/domain/delete-parent-words.ts'
import type { TreeItem } from '../../../src/domain/tree-items.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'

const project = aProjectRow({ name: 'Shop', slug: 'shop' })
const environment = (id: string, variableCount: number) => anEnvironmentRow({ id, name: id, slug: id, variableCount })
const staging = environment('staging', 1)
const ofProject: TreeItem = { kind: 'project', row: project, environments: [staging, environment('live', 1200)] }
const ofStaging: TreeItem = { kind: 'environment', row: staging }

const change = (subject: QueueRow['subject'], environmentId: string | null, projectId: string | null = 'p') => ({
  subject,
  at: { projectId, environmentId, variableId: null },
})
const queue = [
  change('variable', 'staging'),
  change('variable', 'staging'),
  change('version', 'live'),
  change('environment', 'staging'),
  change('project', null),
  change('variable', 'other', 'q'),
  change('member', null, null),
]

test.each([
  ['an environment: its variables and versions, not its own rename', ofStaging, 2],
  ['a project: all below it, not its own rename', ofProject, 4],
])('unsent edits within %s', (_, item, count) => {
  expect(unsentWithin(queue, item)).toBe(count)
})

test.each([
  [{ ...ofStaging, row: environment('new', 0) }, 0, 'This environment is empty.', null],
  [ofStaging, 0, 'This also deletes 1 variable. You can restore the environment within 30 days.', null],
  [ofStaging, 1, 'This also deletes 1 variable.', '1 change in it hasn’t been sent yet and exists only on this computer.'],
  [
    ofProject,
    4,
    'This also deletes 2 environments with 1,201 variables.',
    '4 changes in it haven’t been sent yet and exist only on this computer.',
  ],
])('what a deletion takes along, said before it happens', (item, unsent, goes, words) => {
  expect(deleteParentWords(item, unsent)).toEqual({ goes, unsent: words })
})
