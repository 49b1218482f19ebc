import { afterEach, describe, expect, test } from 'vitest'
import { queryTables } from '../../../electron/bridge/query-tables.ts'
import { createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const initial = {
  theme: 'system',
  hideFromCapture: false,
  maskAll: false,
  lockAfterMinutes: 15,
  clipboardClearSeconds: 30,
  syncIntervalSeconds: 15,
  tourSeen: false,
}

/** A local workspace with one plain variable; gives its ids. */
const withVariable = async (it: TestApp) => {
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const project = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  const { id: environmentId } = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
  const { id } = valueOf(
    await it.command('variables.create', { workspaceId, environmentId, name: 'A', value: '1', type: 'string', isSecret: false }),
  )
  return { workspaceId, id }
}

describe('settings', () => {
  test('have their defaults, take what is set, tell the page, and are there at the next start', async () => {
    const it = await stage.start()
    expect(valueOf(await it.query('settings.get', {}))).toEqual(initial)
    valueOf(await it.command('settings.set', { theme: 'dark' }))
    valueOf(await it.command('settings.set', { lockAfterMinutes: 10, clipboardClearSeconds: 0 }))
    const changed = { ...initial, theme: 'dark', lockAfterMinutes: 10, clipboardClearSeconds: 0 }
    expect(valueOf(await it.query('settings.get', {}))).toEqual(changed)
    await it.until('settings.get', {}, () => it.pushes.some(({ tables }) => tables.includes('settings')))
    await it.app.close()
    const next = await stage.start({ dataDir: it.dataDir })
    expect(valueOf(await next.query('settings.get', {}))).toEqual(changed)
  })

  test.each([
    [{ theme: 'pink' }, 'theme'],
    [{ lockAfterMinutes: -1 }, 'lockAfterMinutes'],
    [{ lockAfterMinutes: 1.5 }, 'lockAfterMinutes'],
    [{ syncIntervalSeconds: 4 }, 'syncIntervalSeconds'],
    [{ syncIntervalSeconds: 3601 }, 'syncIntervalSeconds'],
    [{ clipboardClearSeconds: 3601 }, 'clipboardClearSeconds'],
    [{ maskAll: 'yes' }, 'maskAll'],
  ])('refuse %j', async (patch, field) => {
    const it = await stage.start()
    expect(await it.app.command('settings.set', patch)).toMatchObject({ ok: false, error: { kind: 'invalid-input', field } })
    expect(valueOf(await it.query('settings.get', {}))).toEqual(initial)
  })

  test('mask all values, until revealed', async () => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'session' }))
    const { workspaceId, id } = await withVariable(it)
    const values = async (reveal: boolean) => valueOf(await it.query('variables.values', { workspaceId, ids: [id], reveal }))
    expect(await values(false)).toEqual([{ id, rev: 0, state: 'shown', value: '1' }])
    valueOf(await it.command('settings.set', { maskAll: true }))
    expect(await values(false)).toEqual([{ id, rev: 0, state: 'masked' }])
    expect(await values(true)).toEqual([{ id, rev: 0, state: 'shown', value: '1' }])
  })

  test.each([
    'variables.values',
    'variables.changed',
    'queue.show',
    'conflicts.show',
    'export.text',
    'history.values',
    'versions.values',
  ] as const)('mask the values of %s in every window as soon as one masks all', (name) => {
    expect(queryTables[name]).toContain('settings')
  })

  test.each([
    ['opens', { ok: true, value: null }, { ok: true, value: null }],
    ['is said not to open', { ok: false, error: 'No program is known for it' }, { ok: false, error: { kind: 'not-found' } }],
  ] as const)('the data folder %s where there is a file manager', async (_what, answer, expected) => {
    const asked: string[] = []
    const it = await stage.start({ deps: { openFolder: async (folder) => (asked.push(folder), answer) } })
    const result = await it.command('app.open-folder', {})
    expect(result).toMatchObject(expected)
    if (!result.ok) expect(result.error.message).toBe(`No program is known for it. The folder is ${it.dataDir}`)
    expect(asked).toEqual([it.dataDir])
  })

  test('the data folder is named where nothing could open it', async () => {
    const it = await stage.start()
    const result = await it.command('app.open-folder', {})
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-found', message: expect.stringContaining(it.dataDir) } })
  })

  test('set how often sync asks, at once', async () => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'session' }))
    valueOf(await it.command('settings.set', { syncIntervalSeconds: 3600 }))
    const { workspaceId } = await withVariable(it)
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
    const synced = new Set<string | null>()
    valueOf(await it.command('settings.set', { syncIntervalSeconds: 5 }))
    // Synced before, when sync starts anew, and after five seconds.
    await it.until('sync.status', { workspaceId }, ({ lastSyncedAt }) => synced.add(lastSyncedAt).size >= 3)
  })
})

describe('keys that nobody used for a while', () => {
  const passphrase = 'correct horse battery'
  const start = async () => {
    const clock = { now: Date.now() }
    return { clock, it: await stage.start({ deps: { now: () => clock.now } }) }
  }

  test('of a vault are locked: values are closed until it is unlocked', async () => {
    const { clock, it } = await start()
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId, id } = await withVariable(it)
    valueOf(await it.command('settings.set', { lockAfterMinutes: 5 }))
    clock.now += 4 * 60_000
    it.app.wake()
    expect(valueOf(await it.query('app.status', {})).keys).toMatchObject({ state: 'ready', store: 'vault' })
    clock.now += 6 * 60_000
    it.app.wake()
    await it.until('app.status', {}, ({ keys }) => keys.state === 'locked')
    expect(await it.query('variables.values', { workspaceId, ids: [id], reveal: true })).toMatchObject({
      ok: false,
      error: { kind: 'keys-locked' },
    })
    valueOf(await it.command('keys.unlock', { passphrase }))
    expect(valueOf(await it.query('variables.values', { workspaceId, ids: [id], reveal: true }))).toEqual([
      { id, rev: 0, state: 'shown', value: '1' },
    ])
  })

  test('of a vault stay open while their user is active, whatever else the page asks or does', async () => {
    const { clock, it } = await start()
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId, id } = await withVariable(it)
    valueOf(await it.command('settings.set', { lockAfterMinutes: 5 }))
    for (let minute = 0; minute < 10; minute += 1) {
      clock.now += 60_000
      valueOf(await it.command('app.stay-unlocked', {}))
    }
    it.app.wake()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(valueOf(await it.query('app.status', {})).keys.state).toBe('ready')
    for (let minute = 0; minute < 6; minute += 1) {
      clock.now += 60_000
      valueOf(await it.query('variables.values', { workspaceId, ids: [id], reveal: false }))
      valueOf(await it.command('drafts.keep', { workspaceId, placeId: id, draft: 'kept anew' }))
    }
    it.app.wake()
    await it.until('app.status', {}, ({ keys }) => keys.state === 'locked')
  })

  test('of a session stay, because locking would lose them', async () => {
    const { clock, it } = await start()
    valueOf(await it.command('keys.choose', { store: 'session' }))
    const { workspaceId, id } = await withVariable(it)
    valueOf(await it.command('settings.set', { lockAfterMinutes: 5 }))
    clock.now += 60 * 60_000
    it.app.wake()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(valueOf(await it.query('variables.values', { workspaceId, ids: [id], reveal: true }))).toEqual([
      { id, rev: 0, state: 'shown', value: '1' },
    ])
  })
})
