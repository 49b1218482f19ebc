import { afterEach, beforeEach, expect, test } from 'vitest'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'

const kib = 1024
let desk: OfflineDesk
let environmentId: string
beforeEach(async () => {
  desk = createOfflineDesk()
  ;[environmentId = ''] = await desk.environments('Production')
})
afterEach(() => desk.close())

const rows = async () =>
  (await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId, filter: '', offset: 0, limit: 10 }))).rows

test.each([
  ['512 KiB', 'x'.repeat(512 * kib), true],
  ['a byte more', 'x'.repeat(512 * kib + 1), false],
  ['as many letters of two bytes', 'é'.repeat(512 * kib), false],
])('a value of %s is taken, or refused with its limit', async (_what, value, isTaken) => {
  const refused = { ok: false, error: { kind: 'invalid-input', field: 'value', message: expect.stringContaining('512 KiB') as string } }
  const answer = isTaken ? { ok: true } : refused
  const input = { workspaceId, environmentId, name: 'NEW', value, type: 'string' as const, isSecret: false }
  expect(await desk.handlers['variables.create'](input)).toMatchObject(answer)
  const id = await desk.add(environmentId, 'PORT', '8080')
  expect(await desk.handlers['variables.update']({ workspaceId, id, seen: asShown, value })).toMatchObject(answer)
  expect((await rows()).map(({ name }) => name)).toEqual(isTaken ? ['NEW', 'PORT'] : ['PORT'])
  const lines = { workspaceId, environmentId, text: `LARGE=${value}\nSMALL=1`, mode: 'merge' as const }
  expect(await valueOf(desk.handlers['import.preview'](lines))).toMatchObject(isTaken ? { added: 2, invalid: 0 } : { added: 1, invalid: 1 })
})
