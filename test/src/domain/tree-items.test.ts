import { expect, test } from 'vitest'
import { keepItem, neededToDelete, treeItems } from '../../../src/domain/tree-items.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'

const project = (id: string) => aProjectRow({ id, name: id, slug: id })
const environment = (id: string, projectId: string) => anEnvironmentRow({ id, projectId, name: id, slug: id })

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

test.each([
  ['stays where it was', 'live', ['shop', 'dev', 'prod', 'live', 'empty']],
  ['is not kept without its id', null, ['shop', 'dev', 'prod', 'empty']],
  ['is not kept if it was not there', 'other', ['shop', 'dev', 'prod', 'empty']],
  ['is there once if it is not missing', 'dev', ['shop', 'dev', 'prod', 'empty']],
])('a missing item %s', (_, id, kept) => {
  const former = treeItems([project('shop'), project('empty')], [...environments, environment('live', 'shop')], new Set())
  const items = treeItems([project('shop'), project('empty')], environments, new Set())
  expect(keepItem(items, former, id).map((item) => item.row.id)).toEqual(kept)
})
