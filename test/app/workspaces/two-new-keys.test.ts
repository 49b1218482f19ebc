import { afterEach, expect, test } from 'vitest'
import { startService, type StartedService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf, type TestApp } from './start-app.ts'

const stage = createStage()
let service: StartedService | null = null
afterEach(async () => {
  await stage.clear()
  await service?.close()
})

/** A computer with its keys in memory alone. */
async function startComputer(): Promise<TestApp> {
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'session' }))
  return it
}

const synced = (it: TestApp, workspaceId: string, unverified: number) =>
  it.until('sync.status', { workspaceId }, (status) => status.queued === 0 && status.unverified === unverified)

/** A project with one environment and one variable in it. */
async function write(it: TestApp, workspaceId: string, name: string, value: string) {
  const project = valueOf(await it.command('projects.create', { workspaceId, name }))
  const environment = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
  const fields = { name: 'GREETING', value, type: 'string', isSecret: false } as const
  valueOf(await it.command('variables.create', { workspaceId, environmentId: environment.id, ...fields }))
  return { projectId: project.id, environmentId: environment.id }
}

/** What an export of the environment of a project by that name gives, also where its values are in doubt. */
async function exported(it: TestApp, workspaceId: string, name: string): Promise<string> {
  const project = valueOf(await it.query('projects.list', { workspaceId })).find((each) => each.name === name)
  const environment = valueOf(await it.query('environments.list', { workspaceId })).find(({ projectId }) => projectId === project?.id)
  const args = { workspaceId, environmentId: environment?.id ?? '', format: 'env', reveal: true, resolve: false } as const
  return valueOf(await it.query('export.text', args)).text
}

test('of two computers that each make a key for a workspace without values, none takes or loses a value of the other, and one can join', async () => {
  service = await startService()
  const [first, second] = [await startComputer(), await startComputer()]
  const [ours, theirs] = [(await connectTo(first, service)).workspaceId, (await connectTo(second, service)).workspaceId]
  await write(first, ours, 'Shop', 'first')
  await synced(first, ours, 0)
  const { projectId } = await write(second, theirs, 'Blog', 'second')
  valueOf(await second.command('sync.now', { workspaceId: theirs }))
  await synced(second, theirs, 1)
  valueOf(await first.command('sync.now', { workspaceId: ours }))
  await synced(first, ours, 1)

  for (const [it, workspaceId, own, other] of [
    [first, ours, 'Shop', 'Blog'],
    [second, theirs, 'Blog', 'Shop'],
  ] as const) {
    expect(await exported(it, workspaceId, own)).toContain(`GREETING=${it === first ? 'first' : 'second'}`)
    expect(await exported(it, workspaceId, other)).not.toContain('GREETING=')
    expect(valueOf(await it.query('unverified.list', { workspaceId })).rows).toMatchObject([{ doubt: 'elsewhere', canAccept: false }])
  }

  // A third computer makes no key any more.
  const third = await startComputer()
  const args = { baseUrl: service.url, apiKey: service.apiKey, allowInsecure: false, confirmNoValues: true }
  expect(await third.command('workspaces.connect', { ...args, workspaceKey: null })).toMatchObject({ ok: false })

  const [project] = valueOf(await second.query('projects.list', { workspaceId: theirs })).filter(({ id }) => id === projectId)
  valueOf(await second.command('projects.delete', { workspaceId: theirs, id: projectId, seen: project?.rev ?? 0 }))
  valueOf(await second.command('sync.now', { workspaceId: theirs }))
  await synced(second, theirs, 1)
  valueOf(await second.command('workspaces.remove', { workspaceId: theirs, discardUnsent: false }))
  const { recoveryKey } = valueOf(await first.query('keys.recovery', { workspaceId: ours }))
  const joined = valueOf(await second.command('workspaces.connect', { ...args, workspaceKey: recoveryKey })).workspaceId
  await second.until('projects.list', { workspaceId: joined }, (projects) => projects.length === 1)
  await synced(second, joined, 0)
  expect(await exported(second, joined, 'Shop')).toContain('GREETING=first')
})
