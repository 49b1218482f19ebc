import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { workspaceKeyName } from '../../../electron/app/keys/key-names.ts'
import { formatWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { lastingStores } from './lasting-stores.ts'
import { connectTo, createStage, valueOf, type TestApp } from './start-app.ts'

const stage = createStage()
let service: StartedService
beforeEach(async () => {
  service = await startService()
})
afterEach(async () => {
  await stage.clear()
  await service.close()
})

/** A computer whose keychain outlives the application. */
async function createComputer() {
  const { kept, stores } = lastingStores()
  const dataDir = await stage.folder()
  const start = async (): Promise<TestApp> => {
    const it = await stage.start({ dataDir, stores: stores(dataDir) })
    valueOf(await it.command('keys.choose', { store: 'session' }))
    return it
  }
  return { kept, start }
}

const add = async (it: TestApp, workspaceId: string, environmentId: string, name: string, value: string) =>
  valueOf(await it.command('variables.create', { workspaceId, environmentId, name, value, type: 'string', isSecret: false })).id

/** Makes a project with an environment, and these variables in it. */
async function write(it: TestApp, workspaceId: string, project: string, variables: Record<string, string>) {
  const { id: projectId } = valueOf(await it.command('projects.create', { workspaceId, name: project }))
  const { id: environmentId } = valueOf(await it.command('environments.create', { workspaceId, projectId, name: 'Production' }))
  for (const [name, value] of Object.entries(variables)) await add(it, workspaceId, environmentId, name, value)
  return environmentId
}

const synced = async (it: TestApp, workspaceId: string, unverified: number) => {
  valueOf(await it.command('sync.now', { workspaceId }))
  await it.until('sync.status', { workspaceId }, (status) => status.queued === 0 && status.unverified === unverified)
}

/** Returns an export of the environment of a project. */
async function exported(it: TestApp, workspaceId: string, name: string): Promise<string> {
  const project = valueOf(await it.query('projects.list', { workspaceId })).find((each) => each.name === name)
  const environment = valueOf(await it.query('environments.list', { workspaceId })).find(({ projectId }) => projectId === project?.id)
  const args = { workspaceId, environmentId: environment?.id ?? '', format: 'env', reveal: true, resolve: false } as const
  return valueOf(await it.query('export.text', args)).text
}

/** Returns the first variable of an environment, by name, as an edit names it. */
async function rowOf(it: TestApp, workspaceId: string, environmentId: string) {
  const [row] = valueOf(await it.query('variables.page', { workspaceId, environmentId, filter: '', offset: 0, limit: 1 })).rows
  return { id: row?.id ?? '', seen: row?.rev ?? 0 }
}

/** Returns the values in the history of an environment. */
async function formerValues(it: TestApp, workspaceId: string, environmentId: string) {
  const rows = valueOf(await it.query('history.list', { workspaceId, environmentId, variableId: null }))
  const entries = rows.map(({ entry }) => entry)
  return valueOf(await it.query('history.values', { workspaceId, entries, reveal: true })).map(({ value }) => value)
}

const keyOf = async (it: TestApp, workspaceId: string): Promise<string> =>
  valueOf(await it.query('keys.recovery', { workspaceId })).recoveryKey

/** Two computers that each made a key, with values of both on the service. `second` has sealed an unsent value, a former one and a draft. */
async function stageTwoKeys() {
  const first = await (await createComputer()).start()
  const computer = await createComputer()
  const second = await computer.start()
  const [ours, theirs] = [(await connectTo(first, service)).workspaceId, (await connectTo(second, service)).workspaceId]
  await write(first, ours, 'Shop', { GREETING: 'first', FAREWELL: 'bye', THANKS: 'cheers' })
  await synced(first, ours, 0)
  const environmentId = await write(second, theirs, 'Blog', { TITLE: 'draft', UNEDITED: 'sent' })
  await synced(second, theirs, 3)
  // Overwrites a value, which the history then has.
  valueOf(
    await second.command('variables.update', { workspaceId: theirs, ...(await rowOf(second, theirs, environmentId)), value: 'second' }),
  )
  await synced(second, theirs, 3)
  valueOf(await second.command('sync.pause', { workspaceId: theirs, paused: true }))
  await add(second, theirs, environmentId, 'UNSENT', 'typed')
  valueOf(
    await second.command('variables.update', { workspaceId: theirs, ...(await rowOf(second, theirs, environmentId)), value: 'third' }),
  )
  valueOf(await second.command('drafts.keep', { workspaceId: theirs, placeId: `${environmentId}/page`, draft: 'half a line' }))
  return { first, ours, second, theirs, computer, environmentId }
}

test('the key of the team replaces another one, and everything that was sealed with the former key is read and sealed anew', async () => {
  const { first, ours, second, theirs, environmentId } = await stageTwoKeys()
  const key = await keyOf(first, ours)
  const replace = async () => valueOf(await second.command('workspaces.supply-keys', { workspaceId: theirs, workspaceKey: key }))
  expect(await replace()).toEqual({ isSameKey: false })
  expect(await replace()).toEqual({ isSameKey: true })
  expect(await keyOf(second, theirs)).toBe(key)
  expect(await exported(second, theirs, 'Blog')).toContain('UNSENT=typed')
  expect(await formerValues(second, theirs, environmentId)).toContain('draft')
  expect(valueOf(await second.command('drafts.take', { workspaceId: theirs, page: 'page' }))).toEqual([
    { placeId: `${environmentId}/page`, draft: 'half a line' },
  ])

  valueOf(await second.command('sync.pause', { workspaceId: theirs, paused: false }))
  await synced(second, theirs, 0)
  await synced(first, ours, 0)
  for (const [it, workspaceId] of [
    [first, ours],
    [second, theirs],
  ] as const) {
    expect(await exported(it, workspaceId, 'Shop')).toContain('GREETING=first')
    expect(await exported(it, workspaceId, 'Blog')).toContain('TITLE=third')
    expect(await exported(it, workspaceId, 'Blog')).toContain('UNEDITED=sent')
    expect(await exported(it, workspaceId, 'Blog')).toContain('UNSENT=typed')
  }
})

test('a crash after the keychain has the new key and before the database knows loses nothing', async () => {
  const { first, ours, second, theirs, computer } = await stageTwoKeys()
  const key = await keyOf(first, ours)
  const own = await keyOf(second, theirs)
  await second.app.close()
  // The one write of a replacement that comes before it is answered.
  computer.kept.set(workspaceKeyName(theirs), `${key} ${own}`)

  const again = await computer.start()
  await again.until('workspaces.list', {}, ([row]) => row?.needs.length === 0)
  expect(await exported(again, theirs, 'Blog')).toContain('UNSENT=typed')
  valueOf(await again.command('sync.pause', { workspaceId: theirs, paused: false }))
  await synced(again, theirs, 0)
  await synced(first, ours, 0)
  expect(await exported(first, ours, 'Blog')).toContain('UNSENT=typed')
})

test('a key that opens fewer values than the present one is refused', async () => {
  const { first, ours, second, theirs } = await stageTwoKeys()
  const present = await keyOf(first, ours)
  await synced(first, ours, 2)
  for (const workspaceKey of [await keyOf(second, theirs), formatWorkspaceKey(randomBytes(32))])
    expect(await first.command('workspaces.supply-keys', { workspaceId: ours, workspaceKey })).toMatchObject({
      ok: false,
      error: { kind: 'workspace-key-wrong' },
    })
  expect(await keyOf(first, ours)).toBe(present)
  expect(await exported(first, ours, 'Shop')).toContain('GREETING=first')
})

test('a key that was replaced is refused while it opens fewer values than the new one', async () => {
  const { first, ours, second, theirs } = await stageTwoKeys()
  const own = await keyOf(second, theirs)
  valueOf(await second.command('workspaces.supply-keys', { workspaceId: theirs, workspaceKey: await keyOf(first, ours) }))
  expect(await second.command('workspaces.supply-keys', { workspaceId: theirs, workspaceKey: own })).toMatchObject({
    ok: false,
    error: { kind: 'workspace-key-wrong' },
  })
  expect(await exported(second, theirs, 'Blog')).toContain('UNSENT=typed')
})
