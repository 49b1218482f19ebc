import { expect, test } from 'vitest'
import type { EnvironmentRow, ProjectRow } from '../../../electron/bridge/rows.ts'
import { neededToDelete, treeItems } from '../../../src/domain/tree-items.ts'

const project = (id: string): ProjectRow => ({ id, name: id, slug: id, sync: 'synced', isUnsent: false, rev: 0 })
const environment = (id: string, projectId: string): EnvironmentRow => ({
  id,
  projectId,
  name: id,
  slug: id,
  variableCount: 0,
  sync: 'synced',
  isUnsent: false,
  rev: 0,
})

const projects = [project('shop'), project('billing'), project('empty')]
const environments = [environment('dev', 'shop'), environment('live', 'billing'), environment('prod', 'shop')]
const ids = (closed: string[]) => treeItems(projects, environments, new Set(closed)).map((item) => item.row.id)

test('environments stand below their project, in their order', () => {
  expect(ids([])).toEqual(['shop', 'dev', 'prod', 'billing', 'live', 'empty'])
})

test('a closed project hides its environments and no others', () => {
  expect(ids(['shop'])).toEqual(['shop', 'billing', 'live', 'empty'])
})

test('a closed project still knows its environments, to say what a deletion takes along', () => {
  const [shop] = treeItems(projects, environments, new Set(['shop']))
  expect(shop?.kind === 'project' && shop.environments.map((row) => row.id)).toEqual(['dev', 'prod'])
})

test('what the service never had is deleted whatever the role, and the rest takes the permission of its kind', () => {
  const items = treeItems([project('shop'), { ...project('new'), isUnsent: true }], [environment('dev', 'shop')], new Set())
  expect(items.map(neededToDelete)).toEqual(['projects.delete', 'environments.delete', undefined])
})
