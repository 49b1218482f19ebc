import { randomBytes } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createComparer } from '../../../electron/app/compare/compare-page.ts'
import type { Queries } from '../../../electron/bridge/contract.ts'
import { environmentStamps } from '../../../electron/mirror/reads/compare-columns.ts'
import type { MirrorDatabase } from '../../../electron/mirror/schema.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { createDesk, workspaceId, type Desk } from '../../support/desk.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let service: StartedService
let desk: Desk
let projectId: string
const environments: Record<string, string> = {}

const contents: Record<string, Record<string, string>> = {
  dev: { LOG: 'debug', PORT: '80', URL: '', '🔑': 'x', '\uffee': 'x' },
  prod: { LOG: 'warn', PORT: '80', URL: 'https://prod', ONLY_PROD: '1', '🔑': 'x', '\uffee': 'x' },
  stage: { LOG: 'warn', PORT: '80', URL: 'https://stage', '🔑': 'x', '\uffee': 'x' },
}

beforeEach(async () => {
  service = await startService()
  desk = createDesk({ service, key: randomBytes(32), random: seededRandom(1) })
  desk.client.createProject('Shop')
  projectId = desk.client.find('project', null, 'shop').id
  for (const [slug, variables] of Object.entries(contents)) {
    desk.client.createEnvironment('shop', slug)
    const { id } = desk.client.find('environment', projectId, slug)
    environments[slug] = id
    for (const [name, value] of Object.entries(variables)) desk.client.setVariable(id, name, value)
  }
  await desk.client.sync()
})

afterEach(async () => {
  await desk.client.close()
  await service.close()
})

const page = (args: Partial<Queries['compare.page']['args']> = {}) =>
  valueOf(desk.handlers['compare.page']({ workspaceId, projectId, filter: '', only: 'all', offset: 0, limit: 50, ...args }))
const idOf = (slug: string, name: string) => desk.client.find('variable', environments[slug] ?? '', name).id

const settled = { sync: 'synced', syncReason: null, changeId: null, rev: 0 }

describe('a project side by side', () => {
  test('shows each name over all environments, with counts', async () => {
    const grid = await page()
    expect(grid.environments).toEqual([
      { id: environments['dev'], name: 'dev', slug: 'dev', missing: 1, empty: 1, different: 1 },
      { id: environments['prod'], name: 'prod', slug: 'prod', missing: 0, empty: 0, different: 1 },
      { id: environments['stage'], name: 'stage', slug: 'stage', missing: 1, empty: 0, different: 1 },
    ])
    const states = Object.fromEntries(grid.rows.map((row) => [row.name, row.cells.map((cell) => cell.state).join(' ')]))
    expect(states).toEqual({
      LOG: 'different same same',
      ONLY_PROD: 'missing same missing',
      PORT: 'same same same',
      URL: 'empty different different',
      '🔑': 'same same same',
      '\uffee': 'same same same',
    })
    expect(grid.rows[0]).toEqual({
      name: 'LOG',
      isSecret: false,
      type: 'string',
      cells: [
        { environmentId: environments['dev'], variableId: idOf('dev', 'LOG'), state: 'different', group: 1, mark: 1, ...settled },
        { environmentId: environments['prod'], variableId: idOf('prod', 'LOG'), state: 'same', group: 2, mark: 0, ...settled },
        { environmentId: environments['stage'], variableId: idOf('stage', 'LOG'), state: 'same', group: 2, mark: 0, ...settled },
      ],
    })
  })

  test.each<{ args: Partial<Queries['compare.page']['args']>; total: number; names: string[] }>([
    { args: { only: 'differences' }, total: 3, names: ['LOG', 'ONLY_PROD', 'URL'] },
    { args: { only: 'missing' }, total: 1, names: ['ONLY_PROD'] },
    { args: { filter: 'o' }, total: 3, names: ['LOG', 'ONLY_PROD', 'PORT'] },
    { args: { filter: 'o', only: 'differences', offset: 1, limit: 1 }, total: 2, names: ['ONLY_PROD'] },
    { args: { offset: 4, limit: 200 }, total: 6, names: ['🔑', '\uffee'] },
    { args: { offset: 9 }, total: 6, names: [] },
  ])('$args', async ({ args, total, names }) => {
    const grid = await page(args)
    expect(grid.total).toBe(total)
    expect(grid.all).toBe(6)
    expect(grid.rows.map((row) => row.name)).toEqual(names)
  })

  test('two of the environments are compared by themselves, in the order asked for', async () => {
    const grid = await page({ environmentIds: [environments['stage'] ?? '', 'gone', environments['dev'] ?? ''], only: 'differences' })
    expect(grid.environments.map(({ slug, missing, empty, different }) => [slug, missing, empty, different])).toEqual([
      ['stage', 0, 0, 1],
      ['dev', 0, 1, 1],
    ])
    expect(grid.all).toBe(5)
    expect(grid.rows.map(({ name, cells }) => [name, ...cells.map(({ state }) => state)])).toEqual([
      ['LOG', 'different', 'different'],
      ['URL', 'same', 'empty'],
    ])
    expect((await page({ environmentIds: [] })).total).toBe(0)
  })

  test('only the columns in view are sent, judged with all of them', async () => {
    const whole = await page()
    const part = await page({ columns: { offset: 1, limit: 1 } })
    expect(part).toEqual({ ...whole, columnOffset: 1, rows: whole.rows.map((row) => ({ ...row, cells: row.cells.slice(1, 2) })) })
    expect((await page({ columns: { offset: 7, limit: 3 } })).rows[0]?.cells).toEqual([])
  })

  test('one name is asked for with all its cells', async () => {
    const whole = await page()
    const row = (name: string, environmentIds?: string[]) =>
      valueOf(desk.handlers['compare.row']({ workspaceId, projectId, name, ...(environmentIds && { environmentIds }) }))
    for (const each of whole.rows) expect(await row(each.name)).toEqual(each)
    expect(await row('NOWHERE')).toBeNull()
    expect(await row('ONLY_PROD', [environments['dev'] ?? ''])).toBeNull()
    expect(await valueOf(desk.handlers['compare.row']({ workspaceId, projectId: 'gone', name: 'LOG' }))).toBeNull()
  })

  describe('the variables that an environment is missing', () => {
    const missing = (slug: string, from: string | null = null) =>
      valueOf(
        desk.handlers['compare.missing']({
          workspaceId,
          environmentId: environments[slug] ?? '',
          from: from && (environments[from] ?? ''),
        }),
      )
    const names = ({ variables }: Queries['compare.missing']['value']) => variables.map(({ name }) => name)

    beforeEach(() => {
      for (const name of ['B_10', 'a_2', 'B_9']) desk.client.setVariable(environments['stage'] ?? '', name, '1')
      desk.client.setVariable(environments['prod'] ?? '', 'B_9', '2')
    })

    test('are listed from the environment with most of them, or from the one asked for', async () => {
      const ofDev = await missing('dev')
      expect(ofDev.total).toBe(4)
      expect(ofDev.sources).toEqual([
        { id: environments['stage'], name: 'stage', count: 3 },
        { id: environments['prod'], name: 'prod', count: 2 },
      ])
      expect(names(ofDev)).toEqual(['a_2', 'B_9', 'B_10'])
      const fromProd = await missing('dev', 'prod')
      expect(names(fromProd)).toEqual(['B_9', 'ONLY_PROD'])
      expect(fromProd.variables[1]).toEqual({ id: idOf('prod', 'ONLY_PROD'), name: 'ONLY_PROD', rev: 0 })
    })

    test('are none where every variable is, and not found where the environment is not', async () => {
      for (const name of ['ONLY_PROD', 'B_9', 'a_2', 'B_10']) desk.client.setVariable(environments['dev'] ?? '', name, '3')
      expect(await missing('dev')).toEqual({ total: 0, sources: [], variables: [] })
      expect(await desk.handlers['compare.missing']({ workspaceId, environmentId: projectId, from: null })).toMatchObject({
        ok: false,
        error: { kind: 'not-found' },
      })
    })
  })

  test('what is kept follows every write as if it were read anew', async () => {
    await page()
    const anew = () =>
      createComparer().page(desk.client.mirror, desk.client.cipher, { projectId, filter: '', only: 'all', offset: 0, limit: 50 })
    const update = (slug: string, name: string, change: { name?: string; value?: string; isSecret?: boolean; type?: 'number' }) =>
      valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf(slug, name), ...change }))
    const steps: (() => Promise<unknown>)[] = [
      () => update('dev', 'LOG', { value: 'warn' }),
      () => update('prod', 'PORT', { name: 'AAA' }),
      () => update('dev', 'PORT', { isSecret: true, type: 'number' }),
      () => valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([idOf('prod', 'ONLY_PROD')]) })),
      () => valueOf(desk.handlers['undo.undo']({ workspaceId })),
      () => desk.client.sync(),
      () => valueOf(desk.handlers['environments.create']({ workspaceId, projectId, name: 'New' })),
    ]
    for (const step of steps) {
      await step()
      expect(await page()).toEqual(await anew())
      const pair = [environments['prod'] ?? '', environments['dev'] ?? '']
      expect((await page({ environmentIds: pair })).rows.map(({ name }) => name)).not.toContain('NOWHERE')
    }
  })

  test('what waits and why is in its cell', async () => {
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf('dev', 'LOG'), value: 'x' }))
    const [change] = desk.client.queue()
    const grid = await page({ filter: 'LOG' })
    expect(grid.rows[0]?.cells[0]).toMatchObject({ sync: 'queued', syncReason: null, changeId: change?.id })
  })

  test('what is edited shows at once, and waits in its cell', async () => {
    await page()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf('dev', 'LOG'), value: 'warn' }))
    const grid = await page({ filter: 'LOG' })
    expect(grid.rows[0]?.cells.map(({ state, sync }) => [state, sync])).toEqual([
      ['same', 'queued'],
      ['same', 'synced'],
      ['same', 'synced'],
    ])
    expect(grid.environments[0]?.different).toBe(0)
  })

  test('a project that is gone is said to be', async () => {
    expect(
      await desk.handlers['compare.page']({ workspaceId, projectId: 'gone', filter: '', only: 'all', offset: 0, limit: 1 }),
    ).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })

  test('stamps of an environment are read from one index, in order', async () => {
    const database = new SqliteDatabase(desk.client.mirror.file, { readonly: true })
    const plans: unknown[] = []
    const log = ({ query }: { query: { sql: string; parameters: readonly unknown[] } }) => {
      plans.push(...database.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...query.parameters))
    }
    const read = new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database }), log })
    await environmentStamps({ ...desk.client.mirror, read }, ['x', 'y'], 'k')
    database.close()
    expect(plans).toMatchObject([{ detail: expect.stringContaining('SEARCH working USING COVERING INDEX working_compare') }])
  })
})

describe('a value copied across', () => {
  const to = (...names: string[]) => names.map((name) => ({ environmentId: environments[name] ?? 'gone', seen: asShown }))

  test('is set where there is one, and created where there is none, as one step', async () => {
    const before = desk.client.contents()
    const args = {
      workspaceId,
      from: { id: idOf('prod', 'ONLY_PROD'), seen: asShown },
      to: to('dev', 'prod'),
    }
    expect(await valueOf(desk.handlers['compare.copy'](args))).toEqual({ copied: 1, overwritten: 0 })
    const url = { workspaceId, from: { id: idOf('prod', 'URL'), seen: asShown }, to: to('dev', 'stage') }
    expect(await valueOf(desk.handlers['compare.copy'](url))).toEqual({ copied: 0, overwritten: 2 })
    expect(desk.client.contents()).toEqual({
      ...before,
      'shop/dev/ONLY_PROD': '1',
      'shop/dev/URL': 'https://prod',
      'shop/stage/URL': 'https://prod',
    })
    expect(await valueOf(desk.handlers['undo.undo']({ workspaceId }))).toEqual({
      label: 'Copy URL to 2 environments',
      place: { id: desk.client.find('project', null, 'shop').id, path: 'Shop' },
    })
    expect(await valueOf(desk.handlers['undo.undo']({ workspaceId }))).toEqual({
      label: 'Copy ONLY_PROD to 1 environment',
      place: { id: environments['dev'], path: 'Shop / dev' },
    })
    expect(desk.client.contents()).toEqual(before)
    expect(desk.client.queue()).toEqual([])
  })

  test.each([
    { of: 'a variable that is gone', from: 'gone', to: 'dev' },
    { of: 'an environment that is gone', from: 'LOG', to: 'gone' },
  ])('$of is refused', async ({ from, to: name }) => {
    const fromId = from === 'gone' ? 'gone' : idOf('prod', from)
    const args = { workspaceId, from: { id: fromId, seen: asShown }, to: to(name) }
    expect(await desk.handlers['compare.copy'](args)).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(desk.client.queue()).toEqual([])
  })
})
