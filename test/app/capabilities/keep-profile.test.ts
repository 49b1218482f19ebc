import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Flavour } from '../../support/flavours.ts'
import { startFlavour, type FlavouredService } from '../../support/start-flavour.ts'
import { connectTo, createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
let dir: string
let service: FlavouredService
let apiKey: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-profile-'))
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
  const desk = await stage.start()
  valueOf(await desk.command('keys.choose', { store: 'session' }))
  const { workspaceId } = await connectTo(desk, { url: service.url, apiKey })
  return { desk, workspaceId }
}

const noFeed = 'This service has no change feed'
const noLists = 'This service can’t list its projects, environments and variables'
const noCreates = 'This service can’t create projects or variables'
const noVersions = 'This service can’t list versions'
const noMembers = 'This service can’t list members'
const noRoles = 'This service can’t list roles'

test.each<[Flavour, string[]]>([
  ['full', []],
  ['no-feed', [noFeed, noCreates]],
  ['bare-arrays', [noFeed, noCreates]],
  ['only-14', [noFeed, noCreates, noLists, noVersions, noMembers, noRoles]],
])('what a service of the kind %s cannot do is said, also offline, and no more of it once it can', async (flavour, limits) => {
  const { desk, workspaceId } = await connected()
  const { id: projectId } = valueOf(await desk.command('projects.create', { workspaceId, name: 'Shop' }))
  valueOf(await desk.command('environments.create', { workspaceId, projectId, name: 'Prod' }))
  await desk.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
  const said = async () => valueOf(await desk.query('sync.status', { workspaceId })).limits.map((limit) => limit.split(':')[0])
  expect(await said()).toEqual([])

  await become(flavour)
  valueOf(await desk.command('sync.now', { workspaceId }))
  expect(await said()).toEqual(limits)

  await service.close()
  valueOf(await desk.command('sync.now', { workspaceId }))
  expect(valueOf(await desk.query('sync.status', { workspaceId })).state).toBe('offline')
  expect(await said()).toEqual(limits)

  service = await startFlavour('full', dir, Number(new URL(service.url).port))
  valueOf(await desk.command('sync.now', { workspaceId }))
  await desk.until('sync.status', { workspaceId }, (status) => status.limits.length === 0 && status.queued === 0)
})
