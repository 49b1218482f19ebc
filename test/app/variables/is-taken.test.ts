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
