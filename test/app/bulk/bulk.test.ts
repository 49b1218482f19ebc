import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Queries } from '../../../electron/bridge/contract.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { createDesk, workspaceId, type Desk } from '../../support/desk.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let service: StartedService
let desk: Desk
let dev: string
let prod: string
const idOf: Record<string, string> = {}

const rows = [
  { name: 'A', value: '1', type: 'number', isSecret: false },
  { name: 'B', value: 'b', type: 'string', isSecret: true },
  { name: 'C', value: 'true', type: 'boolean', isSecret: false },
] as const

beforeEach(async () => {
  service = await startService()
  desk = createDesk({ service, key: randomBytes(32), random: seededRandom(1) })
  desk.client.createProject('Shop')
  desk.client.createEnvironment('shop', 'Dev')
  desk.client.createEnvironment('shop', 'Prod')
  const shop = desk.client.find('project', null, 'shop').id
  dev = desk.client.find('environment', shop, 'dev').id
  prod = desk.client.find('environment', shop, 'prod').id
  for (const row of rows) {
    const made = await valueOf(desk.handlers['variables.create']({ workspaceId, environmentId: dev, ...row }))
    idOf[row.name] = made.id
  }
  desk.client.setVariable(prod, 'B', 'kept')
  await desk.client.sync()
  desk.context.undo.drop(workspaceId, 'undo')
})

afterEach(async () => {
  await desk.client.close()
  await service.close()
})

const ids = (...names: string[]): string[] => names.map((name) => idOf[name] ?? 'gone')
const namesOf = async (args: Partial<Queries['variables.page']['args']>): Promise<string[]> => {
  const page = await valueOf(
    desk.handlers['variables.page']({ workspaceId, environmentId: dev, filter: '', offset: 0, limit: 50, ...args }),
  )
  expect(page.total).toBe(page.rows.length)
  return page.rows.map((row) => row.name)
}

describe('many variables at once', () => {
  test('are deleted, but for those that no longer exist, which are counted', async () => {
    const answer = await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([...ids('A', 'B'), 'gone']) }))
    expect(answer).toEqual({ gone: 1 })
    expect(await namesOf({})).toEqual(['C'])
  })

  test('take a type and secrecy, in one step of undo', async () => {
    const before = desk.client.children('variable', dev)
    const answer = await valueOf(
      desk.handlers['variables.update-many']({ workspaceId, rows: rowsAsShown([...ids('A', 'B', 'C'), 'gone']), isSecret: true }),
    )
    expect(answer).toEqual({ gone: 1 })
    expect(desk.client.children('variable', dev).map((row) => row.fields.isSecret)).toEqual([true, true, true])
    expect(desk.client.queue()).toHaveLength(2)
    expect(await valueOf(desk.handlers['undo.undo']({ workspaceId }))).toEqual({
      label: 'Change 2 variables',
      place: { id: dev, path: 'Shop / Dev' },
    })
    expect(desk.client.children('variable', dev)).toEqual(before)
    expect(desk.client.queue()).toEqual([])
  })

  test.each([
    { onTaken: 'skip', move: false, counts: { copied: 2, skipped: 1, overwritten: 0 }, b: 'kept', left: ['A', 'B', 'C'] },
    { onTaken: 'overwrite', move: false, counts: { copied: 2, skipped: 0, overwritten: 1 }, b: 'b', left: ['A', 'B', 'C'] },
    { onTaken: 'skip', move: true, counts: { copied: 2, skipped: 1, overwritten: 0 }, b: 'kept', left: ['B'] },
    { onTaken: 'overwrite', move: true, counts: { copied: 2, skipped: 0, overwritten: 1 }, b: 'b', left: [] },
  ] as const)('go to another environment: $onTaken, move $move', async ({ onTaken, move, counts, b, left }) => {
    const before = desk.client.contents()
    const copied = await valueOf(
      desk.handlers['variables.copy-to']({
        workspaceId,
        seen: asShown,
        rows: rowsAsShown([...ids('A', 'B', 'C'), 'gone']),
        environmentId: prod,
        onTaken,
        move,
      }),
    )
    expect(copied).toEqual(counts)
    expect(desk.client.contents()).toMatchObject({ 'shop/prod/A': '1', 'shop/prod/B': b, 'shop/prod/C': 'true' })
    expect(desk.client.children('variable', dev).map((row) => row.fields.name)).toEqual(left)
    const after = desk.client.contents()
    const verb = move ? 'Move' : 'Copy'
    expect((await valueOf(desk.handlers['undo.undo']({ workspaceId }))).label).toBe(`${verb} ${onTaken === 'skip' ? 2 : 3} variables`)
    expect(desk.client.contents()).toEqual(before)
    expect(desk.client.queue()).toEqual([])
    await valueOf(desk.handlers['undo.redo']({ workspaceId }))
    expect(desk.client.contents()).toEqual(after)
    await desk.client.sync()
    expect(desk.client.queue()).toEqual([])
    expect(desk.client.contents()).toEqual(after)
  })

  test('stay where they are when they go to their own environment', async () => {
    const args = { workspaceId, rows: rowsAsShown(ids('A')), seen: asShown, environmentId: dev, onTaken: 'overwrite' as const, move: true }
    expect(await valueOf(desk.handlers['variables.copy-to'](args))).toEqual({ copied: 0, skipped: 1, overwritten: 0 })
    expect(desk.client.queue()).toEqual([])
  })

  test('go nowhere when the environment is gone', async () => {
    const args = { workspaceId, rows: rowsAsShown(ids('A')), seen: asShown, environmentId: 'gone', onTaken: 'skip' as const, move: true }
    expect(await desk.handlers['variables.copy-to'](args)).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  })

  test('one is doubled under a free name, all its fields the same', async () => {
    const first = await valueOf(desk.handlers['variables.duplicate']({ workspaceId, id: ids('B')[0] ?? '', seen: asShown }))
    await valueOf(desk.handlers['variables.duplicate']({ workspaceId, id: ids('B')[0] ?? '', seen: asShown }))
    expect(await namesOf({})).toEqual(['A', 'B', 'B_COPY', 'B_COPY_2', 'C'])
    expect(desk.client.find('variable', dev, 'B_COPY')).toMatchObject({ id: first.id, fields: { type: 'string', isSecret: true } })
    expect(desk.client.contents()['shop/dev/B_COPY']).toBe('b')
    expect(await valueOf(desk.handlers['undo.status']({ workspaceId }))).toMatchObject({ undo: 'Create B_COPY_2', redo: null })
  })
})

describe('the table sorts and filters', () => {
  beforeEach(async () => {
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: ids('B')[0] ?? '', value: 'edited' }))
    await valueOf(
      desk.handlers['variables.create']({ workspaceId, environmentId: dev, name: 'D', value: '', type: 'string', isSecret: false }),
    )
  })

  test.each<{ args: Partial<Queries['variables.page']['args']>; names: string[] }>([
    { args: {}, names: ['A', 'B', 'C', 'D'] },
    { args: { sort: { by: 'name', dir: 'desc' } }, names: ['D', 'C', 'B', 'A'] },
    { args: { sort: { by: 'type', dir: 'asc' } }, names: ['C', 'A', 'B', 'D'] },
    { args: { sort: { by: 'type', dir: 'desc' } }, names: ['B', 'D', 'A', 'C'] },
    { args: { sort: { by: 'secret', dir: 'desc' } }, names: ['B', 'A', 'C', 'D'] },
    { args: { sort: { by: 'sync', dir: 'desc' } }, names: ['B', 'D', 'A', 'C'] },
    { args: { sort: { by: 'updated', dir: 'desc' }, types: ['string'] }, names: ['D', 'B'] },
    { args: { types: ['number', 'boolean'] }, names: ['A', 'C'] },
    { args: { types: ['unknown'] }, names: [] },
    { args: { types: [], sync: [] }, names: ['A', 'B', 'C', 'D'] },
    { args: { secret: true }, names: ['B'] },
    { args: { secret: false }, names: ['A', 'C', 'D'] },
    { args: { sync: ['queued', 'failed'] }, names: ['B', 'D'] },
    { args: { sync: ['synced'] }, names: ['A', 'C'] },
    { args: { sync: ['queued'], types: ['string'], secret: false, filter: 'd' }, names: ['D'] },
  ])('$args', async ({ args, names }) => {
    expect(await namesOf(args)).toEqual(names)
    // Where each stands is the same question, asked the other way round.
    for (const row of desk.client.children('variable', dev)) {
      const { offset: _offset, limit: _limit, ...window } = { offset: 0, limit: 0, ...args }
      const place = await valueOf(
        desk.handlers['variables.position']({ workspaceId, environmentId: dev, filter: '', ...window, id: row.id }),
      )
      expect(place).toBe(names.includes(row.fields.name ?? '') ? names.indexOf(row.fields.name ?? '') : null)
    }
  })
})
