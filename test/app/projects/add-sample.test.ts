import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
beforeEach(() => void (desk = createOfflineDesk()))
afterEach(() => desk.close())

test('a sample project comes with its environments and variables, as one step of undo, as often as it is asked for', async () => {
  const { environmentId } = await valueOf(desk.handlers['projects.add-sample']({ workspaceId }))
  const environments = await valueOf(desk.handlers['environments.list']({ workspaceId }))
  const [first] = environments
  expect(environments).toHaveLength(3)
  expect(environments.map((row) => row.slug).toSorted()).toEqual(['development', 'production', 'staging'])
  expect(environments.map((row) => row.id)).toContain(environmentId)
  expect(first?.variableCount).toBeGreaterThan(10)
  expect((await valueOf(desk.handlers['undo.status']({ workspaceId }))).undo).toBe('Create Web shop')

  await valueOf(desk.handlers['projects.add-sample']({ workspaceId }))
  const projects = await valueOf(desk.handlers['projects.list']({ workspaceId }))
  expect(new Set(projects.map((row) => row.slug)).size).toBe(2)

  await valueOf(desk.handlers['undo.undo']({ workspaceId }))
  await valueOf(desk.handlers['undo.undo']({ workspaceId }))
  expect(await valueOf(desk.handlers['projects.list']({ workspaceId }))).toEqual([])
})
