import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
beforeEach(() => void (desk = createOfflineDesk()))
afterEach(() => desk.close())

test('a name is taken where another variable of the environment has exactly it', async () => {
  const [here = '', there = ''] = await desk.environments('Production', 'Staging')
  const id = await desk.add(here, 'PORT', '1')
  const isTaken = async (environmentId: string, name: string, exceptId: string | null = null) =>
    (await valueOf(desk.handlers['variables.is-taken']({ workspaceId, environmentId, name, exceptId }))).by
  expect(await isTaken(here, 'PORT')).toBe(id)
  expect(await isTaken(here, 'PORT', id)).toBeNull()
  expect(await isTaken(here, 'port')).toBeNull()
  expect(await isTaken(here, 'POR')).toBeNull()
  expect(await isTaken(there, 'PORT')).toBeNull()
})

test.each([
  ['API_TOKEN', null, true],
  ['api-token', null, true],
  ['PORT', null, false],
  ['API_TOKEN', false, false],
  ['PORT', true, true],
])('a new %s whose user chose %s as its secrecy gets %s', async (name, chosen, isSecret) => {
  const [environmentId = ''] = await desk.environments('Production')
  const { looksSecret } = await valueOf(desk.handlers['variables.is-taken']({ workspaceId, environmentId, name, exceptId: null }))
  const input = { workspaceId, environmentId, name, value: '1', type: 'string' as const, isSecret: chosen }
  const made = await valueOf(desk.handlers['variables.create'](input))
  expect(made.isSecret).toBe(isSecret)
  if (chosen === null) expect(looksSecret).toBe(isSecret)
  const page = { workspaceId, environmentId, filter: '', offset: 0, limit: 10 }
  expect((await valueOf(desk.handlers['variables.page'](page))).rows).toMatchObject([{ id: made.id, name, isSecret }])
})
