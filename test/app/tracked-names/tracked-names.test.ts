import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TrackedNameRow } from '../../../electron/bridge/rows.ts'
import { startFlavour, type FlavouredService } from '../../support/start-flavour.ts'
import { connectTo, createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
let dir: string
let service: FlavouredService
let apiKey: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-tracked-'))
  service = await startFlavour('full', dir)
  apiKey = service.apiKey ?? ''
  const port = Number(new URL(service.url).port)
  const ask = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    expect((await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })).status).toBe(201)
  }
  await ask('POST', '/projects', { name: 'Shop', slug: 'shop' })
  await ask('POST', '/projects/shop/environments', { name: 'Production', slug: 'prod' })
  const sealed = `v1:${Buffer.alloc(40, 7).toString('base64')}`
  for (const name of ['A', 'B', 'C']) await ask('POST', '/projects/shop/environments/prod/variables', { name, value: sealed })
  await service.close()
  service = await startFlavour('only-14', dir, port)
})

afterEach(() => stage.clear())

afterAll(async () => {
  await service.close()
  await rm(dir, { recursive: true, force: true })
})

async function connected(): Promise<{ desk: TestApp; workspaceId: string }> {
  const desk = await stage.start()
  valueOf(await desk.command('keys.choose', { store: 'session' }))
  const { workspaceId } = await connectTo(desk, { url: service.url, apiKey })
  await desk.until('tracked.list', { workspaceId }, ({ isNeeded }) => isNeeded)
  return { desk, workspaceId }
}

const keysOf = (rows: readonly TrackedNameRow[]) => rows.map(({ key, state }) => `${key} ${state}`)

describe('tracked names', () => {
  test('a pasted .env is tracked by its names, what is not there is said, and none of its values goes anywhere', async () => {
    const { desk, workspaceId } = await connected()
    const names = 'A=sentinel-of-a-value\nB=2\nNOT_THERE=3\nbroken line\n'
    const added = valueOf(await desk.command('tracked.add', { workspaceId, project: ' shop ', environment: 'prod', names }))
    expect(added).toEqual({ added: 3, already: 0, refused: [{ name: 'Line 4', reason: 'This line has no NAME=value.' }] })
    const { rows } = await desk.until('tracked.list', { workspaceId }, (list) => list.rows.every(({ state }) => state !== 'waiting'))
    expect(keysOf(rows)).toEqual(['shop there', 'prod there', 'A there', 'B there', 'NOT_THERE missing'])
    expect(rows.at(-1)).toMatchObject({ kind: 'variable', project: 'shop', environment: 'prod' })
    const [environment] = await desk.until('environments.list', { workspaceId }, (list) => list[0]?.variableCount === 2)
    expect(environment).toMatchObject({ name: 'Production' })
    expect(valueOf(await desk.query('queue.list', { workspaceId }))).toEqual([])
    const again = valueOf(await desk.command('tracked.add', { workspaceId, project: 'shop', environment: 'prod', names: 'A, C' }))
    expect(again).toEqual({ added: 1, already: 1, refused: [] })
  })

  test('are listed in the order of people, numbers by their size', async () => {
    const { desk, workspaceId } = await connected()
    const track = async (project: string, environment: string | null, names: string) =>
      valueOf(await desk.command('tracked.add', { workspaceId, project, environment, names }))
    for (const project of ['shop-10', 'shop-2']) await track(project, null, '')
    for (const environment of ['eu-10', 'eu-9']) await track('shop-2', environment, 'B10 B9')
    const { rows } = valueOf(await desk.query('tracked.list', { workspaceId }))
    expect(rows.map(({ key }) => key)).toEqual(['shop-2', 'eu-9', 'B9', 'B10', 'eu-10', 'B9', 'B10', 'shop-10'])
  })

  test.each<[string, { project: string; environment: string | null; names: string }, string]>([
    ['no project', { project: ' ', environment: null, names: '' }, 'project'],
    ['a project that would be another address', { project: '..', environment: null, names: '' }, 'project'],
    ['a slash', { project: 'a/b', environment: null, names: '' }, 'project'],
    ['an environment that would be another address', { project: 'a', environment: '.', names: '' }, 'environment'],
    ['variables of no environment', { project: 'a', environment: null, names: 'A' }, 'environment'],
    [
      'more names than a sync can read',
      { project: 'a', environment: 'b', names: Array.from({ length: 5001 }, (_, n) => `N${n}`).join(' ') },
      'names',
    ],
  ])('%s is refused with a sentence, and nothing is tracked', async (_what, args, field) => {
    const { desk, workspaceId } = await connected()
    const refused = await desk.command('tracked.add', { workspaceId, ...args })
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid-input', field, message: expect.stringMatching(/\.$/) } })
    expect(valueOf(await desk.query('tracked.list', { workspaceId })).rows).toEqual([])
  })

  test('what is no longer tracked goes from here and stays on the service; with unsent edits it stays here too', async () => {
    const { desk, workspaceId } = await connected()
    valueOf(await desk.command('tracked.add', { workspaceId, project: 'shop', environment: 'prod', names: 'A B' }))
    const { rows } = await desk.until('tracked.list', { workspaceId }, (list) => list.rows.every(({ state }) => state === 'there'))
    const [environment] = await desk.until('environments.list', { workspaceId }, (list) => list[0]?.variableCount === 2)
    const created = { workspaceId, environmentId: environment?.id ?? '', name: 'NEW', value: 'x', type: 'string' as const, isSecret: false }
    valueOf(await desk.command('variables.create', created))
    const idOf = (key: string) => rows.find((row) => row.key === key)?.id ?? ''
    const refused = await desk.command('tracked.remove', { workspaceId, ids: [idOf('A'), idOf('prod')] })
    expect(refused).toMatchObject({
      ok: false,
      error: { kind: 'unsent-edits', message: expect.stringContaining('prod has an unsent change.') },
    })
    expect(valueOf(await desk.query('tracked.list', { workspaceId })).rows).toHaveLength(4)
    valueOf(await desk.command('tracked.remove', { workspaceId, ids: [idOf('A')] }))
    valueOf(await desk.command('sync.now', { workspaceId }))
    await desk.until('environments.list', { workspaceId }, (list) => list[0]?.variableCount === 2)
    const left = valueOf(await desk.query('tracked.list', { workspaceId }))
    expect(keysOf(left.rows)).toEqual(['shop there', 'prod there', 'B there'])
    const headers = { authorization: `Bearer ${apiKey}` }
    expect((await fetch(`${service.url}/projects/shop/environments/prod/variables/A`, { headers })).status).toBe(200)
  })
})
