import { afterEach, beforeEach, expect, test } from 'vitest'
import { createComparer } from '../../../electron/app/compare/compare-page.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
beforeEach(() => void (desk = createOfflineDesk()))
afterEach(() => desk.close())

const expected = ['area 1', 'Area 2', 'area 10', 'Area 20', 'Zone']
const made = ['area 10', 'Zone', 'Area 20', 'area 1', 'Area 2']

test('projects and environments are listed in the order of people, in the tree and side by side', async () => {
  const ids = new Map<string, string>()
  for (const name of made) ids.set(name, (await valueOf(desk.handlers['projects.create']({ workspaceId, name }))).id)
  const projectId = ids.get('Zone') ?? ''
  for (const name of made) await valueOf(desk.handlers['environments.create']({ workspaceId, projectId, name }))

  const projects = await valueOf(desk.handlers['projects.list']({ workspaceId }))
  expect(projects.map(({ name }) => name)).toEqual(expected)
  const environments = await valueOf(desk.handlers['environments.list']({ workspaceId }))
  expect(environments.map(({ name }) => name)).toEqual(expected)
  const grid = await createComparer().page(desk.session.mirror, null, { projectId, filter: '', only: 'all', offset: 0, limit: 10 })
  expect(grid.environments.map(({ name }) => name)).toEqual(expected)
})
