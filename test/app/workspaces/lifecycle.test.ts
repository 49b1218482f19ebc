import { cpSync, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { KeyStores } from '../../../electron/app/keys/key-stores.ts'
import { ok } from '../../../electron/bridge/result.ts'
import type { EnvironmentRow } from '../../../electron/bridge/rows.ts'
import { lastingStores, type LastingStores } from './lasting-stores.ts'
import { createStage, serviceFolder, serviceRuns, storesWithoutKeychain, valueOf, type TestApp } from './start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const startWith = async (lasting: LastingStores, dataDir: string): Promise<TestApp> => {
  const it = await stage.start({ dataDir, stores: lasting.stores(dataDir) })
  valueOf(await it.command('keys.choose', { store: 'session' }))
  return it
}

const synced = (it: TestApp, workspaceId: string) => it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')

const addProject = async (it: TestApp, workspaceId: string, name: string) =>
  valueOf(await it.command('projects.create', { workspaceId, name }))

/** Its service cannot start any more: a file has the place of its folder. */
const writeInPlaceOfService = async (it: TestApp, workspaceId: string): Promise<void> => {
  await rename(serviceFolder(it, workspaceId), `${serviceFolder(it, workspaceId)}.away`)
  await writeFile(serviceFolder(it, workspaceId), 'x')
}

/** A project with one environment and one variable, made through the application. */
const addVariable = async (it: TestApp, workspaceId: string, value: string) => {
  const project = await addProject(it, workspaceId, 'Shop')
  const environment = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
  const variable = valueOf(
    await it.command('variables.create', {
      workspaceId,
      environmentId: environment.id,
      name: 'TOKEN',
      value,
      type: 'string',
      isSecret: true,
    }),
  )
  return variable.id
}

/** A local workspace that has sent its only variable, on a computer whose session store outlives the application. */
const startWithAVariable = async () => {
  const lasting = lastingStores()
  const it = await startWith(lasting, await stage.folder())
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const id = await addVariable(it, workspaceId, 'first')
  await synced(it, workspaceId)
  return { lasting, it, workspaceId, id }
}

/** The only environment of the only project. */
const environmentOf = async (it: TestApp, workspaceId: string): Promise<EnvironmentRow> => {
  const [environment] = valueOf(await it.query('environments.list', { workspaceId }))
  if (environment === undefined) throw new Error('there is no environment')
  return environment
}

const manyLines = (count: number): string => Array.from({ length: count }, (_, n) => `NAME_${n}=value ${n}\n`).join('')

describe('a local workspace over time', () => {
  test('is there at the next start, with its edits, and its service starts only when it is opened', async () => {
    const { lasting, it, workspaceId, id } = await startWithAVariable()
    await it.app.close()

    const next = await startWith(lasting, it.dataDir)
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, needs: [], problem: null }])
    expect(serviceRuns(next, workspaceId)).toBe(false)
    expect(valueOf(await next.query('variables.values', { workspaceId, ids: [id], reveal: true }))).toEqual([
      { id, rev: 0, state: 'shown', value: 'first' },
    ])
    await synced(next, workspaceId)
    expect(serviceRuns(next, workspaceId)).toBe(true)
  })

  test('works while its service does not start: rows are read, edits are kept, and the status says why', async () => {
    const { lasting, it, workspaceId } = await startWithAVariable()
    await it.app.close()

    await writeInPlaceOfService(it, workspaceId)
    const next = await startWith(lasting, it.dataDir)
    expect(valueOf(await next.query('projects.list', { workspaceId }))).toMatchObject([{ name: 'Shop', sync: 'synced' }])
    valueOf(await next.command('projects.create', { workspaceId, name: 'Kept' }))
    const status = await next.until('sync.status', { workspaceId }, ({ state, message }) => state === 'offline' && message !== null)
    expect(status.queued).toBe(1)
  })

  test('a store that takes a key and does not give it back is not trusted with one', async () => {
    const lasting = lastingStores()
    const it = await stage.start({
      stores: {
        ...storesWithoutKeychain(''),
        openSession: () => ({ ...lasting.stores('').openSession(), get: async () => ok(null) }),
      },
    })
    valueOf(await it.command('keys.choose', { store: 'session' }))
    expect(await it.command('workspaces.start-local', {})).toMatchObject({ ok: false, error: { kind: 'keychain-absent' } })
    expect(await readdir(join(it.dataDir, 'workspaces'))).toEqual([])
  })
})

describe('locking', () => {
  test('forgets keys, stops sync and hides values; names and edits of the queue stay', async () => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    const id = await addVariable(it, workspaceId, 'first')
    await synced(it, workspaceId)
    valueOf(await it.command('keys.lock', {}))
    expect(valueOf(await it.query('sync.status', { workspaceId })).state).not.toBe('synced')
    expect((await it.query('variables.values', { workspaceId, ids: [id], reveal: true })).ok).toBe(false)
    await expect.poll(() => serviceRuns(it, workspaceId)).toBe(false)
    expect(await it.query('keys.recovery', { workspaceId })).toMatchObject({ ok: false })
    expect(valueOf(await it.query('projects.list', { workspaceId }))).toHaveLength(1)
    valueOf(await it.command('keys.unlock', { passphrase: 'correct horse battery' }))
    await synced(it, workspaceId)
    expect(valueOf(await it.query('variables.values', { workspaceId, ids: [id], reveal: true }))).toEqual([
      { id, rev: 0, state: 'shown', value: 'first' },
    ])
  })

  test('ends an import whose text is still being read', async () => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    await addVariable(it, workspaceId, 'first')
    const environment = await environmentOf(it, workspaceId)
    const imported = it.command('import.apply', {
      workspaceId,
      environmentId: environment.id,
      text: manyLines(50_000),
      seen: environment.rev,
      token: 'reading',
    })
    await it.until('import.progress', { token: 'reading' }, (progress) => progress?.stage === 'reading')
    valueOf(await it.command('keys.lock', {}))
    expect(await imported).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
  })
})

test('an import that begins as Holdfast ends changes nothing', async () => {
  const { lasting, it, workspaceId } = await startWithAVariable()
  const { id, rev } = await environmentOf(it, workspaceId)
  const imported = it.command('import.apply', { workspaceId, environmentId: id, text: manyLines(3000), seen: rev })
  await it.app.close()
  expect((await imported).ok).toBe(false)

  const next = await startWith(lasting, it.dataDir)
  expect((await environmentOf(next, workspaceId)).variableCount).toBe(1)
})

test('an import that the end of Holdfast comes upon is taken back', async () => {
  const { lasting, it, workspaceId } = await startWithAVariable()
  const environment = await environmentOf(it, workspaceId)
  const imported = it.command('import.apply', {
    workspaceId,
    environmentId: environment.id,
    // Far more than is saved until it is looked at.
    text: manyLines(30_000),
    seen: environment.rev,
    token: 't',
  })
  await it.until('import.progress', { token: 't' }, (progress) => (progress?.done ?? 0) > 0 && progress?.stage === 'saving')
  await it.app.close()
  expect(await imported).toMatchObject({ ok: false, error: { kind: 'cancelled' } })

  const next = await startWith(lasting, it.dataDir)
  const left = await environmentOf(next, workspaceId)
  expect(left.variableCount).toBe(1)
})

test('an import in the middle of which Holdfast is killed is taken back at the next start, and nothing else', async () => {
  const { lasting, it, workspaceId, id } = await startWithAVariable()
  const environment = await environmentOf(it, workspaceId)
  // Nothing of it reaches the service before the copy is made.
  valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
  const imported = it.command('import.apply', {
    workspaceId,
    environmentId: environment.id,
    text: `TOKEN=replaced\n${manyLines(30_000)}`,
    seen: environment.rev,
    token: 't',
  })
  // Enough that to undo it takes a while.
  await it.until('import.progress', { token: 't' }, (progress) => (progress?.done ?? 0) > 5000 && progress?.stage === 'saving')
  // Smaller work that begins and ends meanwhile stays, and doesn't keep it from being taken back.
  const small = { workspaceId, environmentId: environment.id, text: 'SMALL=1', seen: (await environmentOf(it, workspaceId)).rev }
  valueOf(await it.command('import.apply', small))
  // A copy of the folder is what a killed process leaves.
  const left = await stage.folder()
  cpSync(it.dataDir, left, { recursive: true, filter: (file) => !file.endsWith('.lock') })
  valueOf(await it.command('import.cancel', { token: 't' }))
  await imported
  await it.app.close()

  const next = await startWith(lasting, left)
  // While it can't be taken back, nobody sees half of it.
  const other = new Database(join(left, 'workspaces', workspaceId, 'mirror.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  expect(await next.query('environments.list', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'folder-in-use' } })
  other.exec('ROLLBACK')
  other.close()
  const shown = environmentOf(next, workspaceId)
  await next.until('workspaces.list', {}, ([row]) => row?.undoing !== null)
  expect((await shown).variableCount).toBe(2)
  expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ undoing: null }])
  const note = valueOf(await next.query('import.interrupted', { workspaceId }))
  expect(note).toEqual({ undone: expect.any(Number), kept: 0, left: 0 })
  expect(note?.undone).toBeGreaterThan(0)
  expect(valueOf(await next.query('variables.values', { workspaceId, ids: [id], reveal: true }))).toMatchObject([{ value: 'first' }])
  valueOf(await next.command('sync.pause', { workspaceId, paused: false }))
  await synced(next, workspaceId)
  expect((await environmentOf(next, workspaceId)).variableCount).toBe(2)

  // It is taken back once: what is imported again stays.
  const again = { workspaceId, environmentId: environment.id, text: manyLines(600), seen: (await environmentOf(next, workspaceId)).rev }
  valueOf(await next.command('import.apply', again))
  await next.app.close()
  const last = await startWith(lasting, left)
  await synced(last, workspaceId)
  expect((await environmentOf(last, workspaceId)).variableCount).toBe(602)
})

test('a workspace opens though its interrupted import can’t be undone, and says that it wasn’t', async () => {
  const { lasting, it, workspaceId } = await startWithAVariable()
  await it.app.close()
  const database = new Database(join(it.dataDir, 'workspaces', workspaceId, 'mirror.sqlite'))
  // Not a row: a fault of an earlier Holdfast.
  database.prepare(`INSERT INTO meta (key, value) VALUES ('unfinished-work-0', '[]'), ('unfinished-work-1', '[null]')`).run()
  database.close()
  const next = await startWith(lasting, it.dataDir)
  expect(valueOf(await next.query('import.interrupted', { workspaceId }))).toEqual({ undone: 0, kept: 0, left: 1 })
  expect((await environmentOf(next, workspaceId)).variableCount).toBe(1)
})

test('an import whose database is closed for a repair is taken back when that opens again', async () => {
  const { it, workspaceId } = await startWithAVariable()
  const { id, rev } = await environmentOf(it, workspaceId)
  valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
  const imported = it.command('import.apply', { workspaceId, environmentId: id, text: manyLines(30_000), seen: rev, token: 't' })
  await it.until('import.progress', { token: 't' }, (progress) => (progress?.done ?? 0) > 0 && progress?.stage === 'saving')
  // There is nothing to repair, which only a closed database shows.
  expect(await it.command('repair.run', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  expect(await imported).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
  expect((await environmentOf(it, workspaceId)).variableCount).toBe(1)
  expect(valueOf(await it.query('import.interrupted', { workspaceId }))).toMatchObject({ kept: 0 })
  expect(valueOf(await it.query('undo.status', { workspaceId })).undo).not.toMatch(/^Import/)
})

describe('removing', () => {
  test('is refused while edits are unsent, and with the word to drop them deletes files and keys', async () => {
    const lasting = lastingStores()
    const it = await startWith(lasting, await stage.folder())
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    await synced(it, workspaceId)
    await it.app.close()
    await writeInPlaceOfService(it, workspaceId)
    const next = await startWith(lasting, it.dataDir)
    await addVariable(next, workspaceId, 'unsent')
    expect(await next.command('workspaces.remove', { workspaceId, discardUnsent: false })).toMatchObject({
      ok: false,
      error: { kind: 'unsent-edits', message: expect.stringContaining('3 changes haven’t been sent yet.') },
    })
    expect(existsSync(join(it.dataDir, 'workspaces', workspaceId, 'mirror.sqlite'))).toBe(true)
    valueOf(await next.command('workspaces.remove', { workspaceId, discardUnsent: true }))
    expect(await readdir(join(it.dataDir, 'workspaces'))).toEqual([])
    expect([...lasting.kept.keys()]).toEqual([])
    expect(await next.query('projects.list', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(await next.command('workspaces.remove', { workspaceId, discardUnsent: true })).toMatchObject({ error: { kind: 'not-found' } })
  })
})

test('a workspace is not removed with an edit that was made while the removal waited for the keys', async () => {
  const { stores } = lastingStores()
  const keychain = Promise.withResolvers<'available'>()
  const storesOf =
    (probed: 'available' | Promise<'available'>) =>
    (dataDir: string): KeyStores => ({
      ...stores(dataDir),
      probeKeychain: async () => probed,
      openKeychain: () => ({ ...stores(dataDir).openSession(), kind: 'os' }),
    })
  const dataDir = await stage.folder()
  const it = await stage.start({ dataDir, stores: storesOf('available')(dataDir) })
  valueOf(await it.command('keys.choose', { store: 'os' }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  await synced(it, workspaceId)
  await it.app.close()
  await writeInPlaceOfService(it, workspaceId)

  // At this start, the keychain asks its user first.
  const next = await stage.start({ dataDir, stores: storesOf(keychain.promise)(dataDir) })
  valueOf(await next.query('projects.list', { workspaceId }))
  const removed = next.command('workspaces.remove', { workspaceId, discardUnsent: false })
  // The removal counts the unsent edits before this is answered.
  valueOf(await next.query('workspaces.list', {}))
  await addProject(next, workspaceId, 'Typed meanwhile')
  keychain.resolve('available')
  expect(await removed).toMatchObject({
    ok: false,
    error: { kind: 'unsent-edits', message: expect.stringContaining('1 change hasn’t been sent yet.') },
  })
  expect(valueOf(await next.query('projects.list', { workspaceId }))).toMatchObject([{ name: 'Typed meanwhile' }])
})

describe('folders that are not whole', () => {
  const id = '01993a3c-0000-7000-8000-000000000001'

  test.each([
    ['begun and never completed', id, ['begun', 'mirror.sqlite']],
    ['removed by half', `${id}.removed`, ['workspace.json', 'mirror.sqlite']],
  ])('one that was %s is cleared away at the next start', async (_, name, files) => {
    const dataDir = await stage.folder()
    await mkdir(join(dataDir, 'workspaces', name), { recursive: true })
    for (const file of files) await writeFile(join(dataDir, 'workspaces', name, file), 'x')
    const it = await stage.start({ dataDir })
    expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
    expect(await readdir(join(dataDir, 'workspaces'))).toEqual([])
  })

  test('its keys go with it', async () => {
    const lasting = lastingStores()
    const dataDir = await stage.folder()
    await mkdir(join(dataDir, 'workspaces', id), { recursive: true })
    await writeFile(join(dataDir, 'workspaces', id, 'begun'), '')
    lasting.kept.set(`workspace-key:${id}`, 'x').set('workspace-key:another', 'y')
    await startWith(lasting, dataDir)
    await vi.waitFor(() => expect([...lasting.kept.keys()]).toEqual(['workspace-key:another']), { timeout: 60_000 })
  })

  test('one whose database could not be opened for a while opens once it can be, without a restart', async () => {
    const lasting = lastingStores()
    const it = await startWith(lasting, await stage.folder())
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    await it.app.close()
    const file = join(it.dataDir, 'workspaces', workspaceId, 'mirror.sqlite')
    const other = new Database(file)
    other.pragma('locking_mode = EXCLUSIVE')
    other.exec('BEGIN EXCLUSIVE')

    const next = await startWith(lasting, it.dataDir)
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ repair: null, problem: expect.any(String) }])
    other.close()
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ problem: null }])
  })

  test.each([
    ['has no workspace.json', null],
    ['has half a workspace.json', '{"id": "01993a3c'],
    ['has the workspace.json of another one', JSON.stringify({ id: '01993a3c-0000-7000-8000-000000000002' })],
    ['has one that a newer Holdfast wrote', JSON.stringify({ id, kind: 'shared', name: 'x' })],
  ])('one that %s is listed with a problem, stays as it is, and does not stand in the way of others', async (_, text) => {
    const lasting = lastingStores()
    const it = await startWith(lasting, await stage.folder())
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    await it.app.close()
    const folder = join(it.dataDir, 'workspaces', id)
    await mkdir(folder)
    await writeFile(join(folder, 'mirror.sqlite'), 'x')
    if (text !== null) await writeFile(join(folder, 'workspace.json'), text)

    const next = await startWith(lasting, it.dataDir)
    const rows = valueOf(await next.query('workspaces.list', {}))
    expect(rows.map((row) => [row.id, row.problem !== null])).toEqual([
      [id, true],
      [workspaceId, false],
    ])
    expect(await next.query('projects.list', { workspaceId: id })).toMatchObject({ ok: false })
    expect(await readFile(join(folder, 'mirror.sqlite'), 'utf8')).toBe('x')
  })

  test.each([
    ['a newer database', 'database-newer'],
    ['a damaged database', 'database-damaged'],
  ])('%s is told in the list and when it is opened', async (_, kind) => {
    const lasting = lastingStores()
    const it = await startWith(lasting, await stage.folder())
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    await it.app.close()
    const file = join(it.dataDir, 'workspaces', workspaceId, 'mirror.sqlite')
    if (kind === 'database-newer') {
      const database = new Database(file)
      database.pragma('user_version = 9999')
      database.close()
    } else
      await writeFile(
        file,
        'this is no database, and it is longer than a header of one hundred bytes would have to be to be read'.repeat(9),
      )

    const next = await startWith(lasting, it.dataDir)
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, problem: expect.any(String) }])
    expect(await next.query('projects.list', { workspaceId })).toMatchObject({ ok: false, error: { kind } })
    expect(await next.command('workspaces.remove', { workspaceId, discardUnsent: false })).toMatchObject({
      error: { kind: 'unsent-edits', message: expect.stringContaining('can’t tell how many changes haven’t been sent yet.') },
    })
    valueOf(await next.command('workspaces.remove', { workspaceId, discardUnsent: true }))
  })
})
