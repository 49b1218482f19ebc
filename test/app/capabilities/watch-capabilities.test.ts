import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askAgainMs } from '../../../electron/app/capabilities/watch-capabilities.ts'
import { TestClient } from '../../support/build-client.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import type { Flavour } from '../../support/flavours.ts'
import { startFlavour, type FlavouredService } from '../../support/start-flavour.ts'
import { createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
let dir: string
let service: FlavouredService
let apiKey: string
let ahead: number

beforeEach(async () => {
  ahead = 0
  dir = await mkdtemp(join(tmpdir(), 'holdfast-capabilities-'))
  service = await startFlavour('full', dir)
  apiKey = service.apiKey ?? ''
})

afterEach(async () => {
  await stage.clear()
  await service.close()
  await rm(dir, { recursive: true, force: true })
})

async function become(flavour: Flavour): Promise<void> {
  const port = Number(new URL(service.url).port)
  await service.close()
  service = await startFlavour(flavour, dir, port)
}

async function connected(): Promise<{ desk: TestApp; workspaceId: string }> {
  const desk = await stage.start({ deps: { now: () => Date.now() + ahead } })
  valueOf(await desk.command('keys.choose', { store: 'session' }))
  const args = { baseUrl: service.url, apiKey, allowInsecure: false, workspaceKey: null, confirmNoValues: true }
  const { workspaceId } = valueOf(await desk.command('workspaces.connect', args))
  return { desk, workspaceId }
}

/** What stands at the beginning of each limit shown. */
const starts = (limits: readonly string[]) => limits.map((limit) => limit.split(':')[0])

const noFeed = 'This server has no list of changes'
const noLists = 'This server cannot list what it holds'
const noEtags = 'This server does not mark revisions'
const noVersions = 'This server cannot list versions'
const noMembers = 'This server cannot list members.'
const noCreates = 'This server offers no way to create projects or variables'

test.each<[Flavour, string[]]>([
  ['no-feed', [noFeed]],
  ['no-etags', [noEtags]],
  ['bare-arrays', [noFeed]],
  ['only-14', [noLists, noFeed, noCreates, noEtags, noVersions, noMembers]],
])('what a server of the kind %s cannot do is said, and no more of it once the server was upgraded', async (flavour, limits) => {
  const { desk, workspaceId } = await connected()
  const { id: projectId } = valueOf(await desk.command('projects.create', { workspaceId, name: 'Shop' }))
  valueOf(await desk.command('environments.create', { workspaceId, projectId, name: 'Prod' }))
  await desk.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
  expect(valueOf(await desk.query('sync.status', { workspaceId })).limits).toEqual([])

  await become(flavour)
  if (flavour === 'only-14') valueOf(await desk.command('projects.create', { workspaceId, name: 'Waits' }))
  ahead += askAgainMs
  valueOf(await desk.command('sync.now', { workspaceId }))
  const isAs = (said: readonly string[]) => (value: { limits: string[] }) =>
    [...starts(value.limits)].toSorted().join() === [...said].toSorted().join()
  await desk.until('sync.status', { workspaceId }, isAs(limits))

  await become('full')
  ahead += askAgainMs
  valueOf(await desk.command('sync.now', { workspaceId }))
  await desk.until('sync.status', { workspaceId }, (value) => value.limits.length === 0 && value.queued === 0)
})

test('a server without ETags says so as soon as there is a record to see it on', async () => {
  await become('no-etags')
  const { desk, workspaceId } = await connected()
  await desk.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
  expect(valueOf(await desk.query('sync.status', { workspaceId })).limits).toEqual([])
  valueOf(await desk.command('projects.create', { workspaceId, name: 'Shop' }))
  await desk.until('sync.status', { workspaceId }, ({ limits }) => starts(limits).includes(noEtags))
})

test('a key that no sync has tried yet asks for nothing, though sync is paused and taken up again', async () => {
  const at = { url: service.url, apiKey, workspaceId: service.workspaceId }
  const client = new TestClient({ service: at, key: randomBytes(32), random: seededRandom(1), probes: true })
  const asked: string[] = []
  client.network = async (forward, { path }) => {
    asked.push(path)
    return forward()
  }
  try {
    await client.sync()
    client.restart()
    asked.length = 0
    client.engine.hold(true)
    client.engine.hold(false)
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([])
    await client.sync()
    expect(asked[0]).toBe('/workspace')
  } finally {
    await client.close()
  }
})
