import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startService, type StartedService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'

const stage = createStage()
let service: StartedService

beforeEach(async () => {
  service = await startService()
})
afterEach(async () => {
  await stage.clear()
  await service.close()
})

/** A Holdfast that was online once, and then made three edits with the service away; it is closed. */
async function withUnsentEdits(): Promise<{
  dataDir: string
  workspaceId: string
  file: string
  environmentId: string
  offline: typeof fetch
}> {
  let isOnline = true
  const offline: typeof fetch = (...args) => (isOnline ? fetch(...args) : Promise.reject(new TypeError('fetch failed')))
  const it = await stage.start({ deps: { fetch: offline } })
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'seven quiet herons' }))
  const { workspaceId } = await connectTo(it, service)
  const { id: projectId } = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  const { id: environmentId } = valueOf(await it.command('environments.create', { workspaceId, projectId, name: 'Prod' }))
  for (const name of ['KEPT', 'CHANGED', 'DELETED']) await add(it, workspaceId, environmentId, name, `${name} before`)
  await it.until('queue.list', { workspaceId }, (rows) => rows.length === 0)
  isOnline = false
  const { rows } = valueOf(await it.query('variables.page', { workspaceId, environmentId, filter: '', offset: 0, limit: 10 }))
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? ''
  valueOf(await it.command('variables.update', { seen: asShown, workspaceId, id: idOf('CHANGED'), value: 'changed offline' }))
  valueOf(await it.command('variables.delete', { workspaceId, rows: rowsAsShown([idOf('DELETED')]) }))
  await add(it, workspaceId, environmentId, 'MADE', 'made offline')
  await it.app.close()
  return { dataDir: it.dataDir, workspaceId, environmentId, file: join(it.dataDir, 'workspaces', workspaceId, 'mirror.sqlite'), offline }
}

const add = async (it: TestApp, workspaceId: string, environmentId: string, name: string, value: string) =>
  valueOf(await it.command('variables.create', { workspaceId, environmentId, name, value, type: 'string', isSecret: false }))

/** Starts on the folder again, keys unlocked. */
async function startAgain(dataDir: string): Promise<TestApp> {
  const it = await stage.start({ dataDir })
  valueOf(await it.command('keys.unlock', { passphrase: 'seven quiet herons' }))
  return it
}

function overwriteHead(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 0, 100)
  writeFileSync(file, bytes)
}

/** Overwrites every page of a table and its indexes. */
function overwriteTable(file: string, table: string): void {
  const database = new SqliteDatabase(file, { readonly: true })
  const names = database.prepare('SELECT name FROM sqlite_master WHERE tbl_name = ?').pluck().all(table)
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck()
  const numbers = names.flatMap((name) => pages.all(name).map(Number))
  database.close()
  const handle = openSync(file, 'r+')
  for (const number of numbers) writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, (number - 1) * 4096)
  closeSync(handle)
}

/** Names and values of the environment as the user sees them. */
async function shown(it: TestApp, workspaceId: string, environmentId: string): Promise<unknown> {
  const args = { workspaceId, environmentId, format: 'json' as const, reveal: true, resolve: false }
  return JSON.parse(valueOf(await it.query('export.text', args)).text)
}

const afterEdits = { KEPT: 'KEPT before', CHANGED: 'changed offline', MADE: 'made offline' }

describe('a workspace whose database is damaged', () => {
  test('says what can be saved, is repaired by choice, sends the edits it saved, and keeps the damaged file', async () => {
    const { dataDir, workspaceId, file, environmentId } = await withUnsentEdits()
    overwriteHead(file)
    const damaged = readFileSync(file)
    const it = await startAgain(dataDir)
    expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, repair: 'damaged' }])
    expect(await it.query('queue.list', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    const look = valueOf(await it.query('repair.preview', { workspaceId }))
    expect(look).toEqual({ unsent: 3, rebuilt: 0, lost: 0, unsure: false, unknownDeletions: [], records: 5, history: 0 })
    expect(readFileSync(file).equals(damaged)).toBe(true)
    expect(readdirSync(join(dataDir, 'workspaces', workspaceId)).filter((name) => name.includes('preview'))).toEqual([])

    const note = valueOf(await it.command('repair.run', { workspaceId }))
    expect(note).toMatchObject(look)
    expect(readFileSync(String(note.copy)).equals(damaged)).toBe(true)
    expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, problem: null, repair: null }])
    expect(await shown(it, workspaceId, environmentId)).toEqual(afterEdits)
    await it.until('queue.list', { workspaceId }, (rows) => rows.length === 0)
    expect(await shown(it, workspaceId, environmentId)).toEqual(afterEdits)

    expect(valueOf(await it.query('repair.note', { workspaceId }))).toEqual(note)
    valueOf(await it.command('repair.dismiss', { workspaceId }))
    expect(valueOf(await it.query('repair.note', { workspaceId }))).toBeNull()
    expect(existsSync(String(note.copy))).toBe(true)
  })

  test('with nothing to be read in it starts again from the service, says so, and keeps the damaged file', async () => {
    const { dataDir, workspaceId, file } = await withUnsentEdits()
    truncateSync(file, 700)
    const it = await startAgain(dataDir)
    const note = valueOf(await it.command('repair.run', { workspaceId }))
    expect(note).toMatchObject({ unsent: 0, unsure: true, records: 0 })
    expect(readFileSync(String(note.copy))).toHaveLength(700)
    const [environment] = await it.until('environments.list', { workspaceId }, (rows) => rows[0]?.variableCount === 3)
    expect(await shown(it, workspaceId, environment?.id ?? '')).toEqual({
      KEPT: 'KEPT before',
      CHANGED: 'CHANGED before',
      DELETED: 'DELETED before',
    })
  })

  test('cannot be repaired when it is not damaged', async () => {
    const { dataDir, workspaceId } = await withUnsentEdits()
    const it = await startAgain(dataDir)
    expect(await it.command('repair.run', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(await it.query('repair.preview', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(valueOf(await it.query('queue.list', { workspaceId })).length).toBeLessThanOrEqual(3)
  })

  test('in the middle of work keeps the draft of an environment that an undo still restores', async () => {
    const { dataDir, workspaceId, file, environmentId } = await withUnsentEdits()
    const it = await stage.start({ dataDir, deps: { fetch: () => Promise.reject(new TypeError('fetch failed')) } })
    valueOf(await it.command('keys.unlock', { passphrase: 'seven quiet herons' }))
    const [project] = valueOf(await it.query('projects.list', { workspaceId }))
    const unsent = { workspaceId, projectId: project?.id ?? '', name: 'Unsent' }
    const { id: placeId } = valueOf(await it.command('environments.create', unsent))
    const kept = { placeId: `${placeId}/page`, draft: 'half typed' }
    valueOf(await it.command('drafts.keep', { workspaceId, ...kept }))
    valueOf(await it.command('environments.delete', { workspaceId, id: placeId, seen: asShown }))
    const log = new SqliteDatabase(file)
    log.pragma('wal_checkpoint(TRUNCATE)')
    log.close()
    overwriteTable(file, 'working')
    const page = { workspaceId, environmentId, filter: '', offset: 0, limit: 10 }
    expect(await it.query('variables.page', page)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    valueOf(await it.command('repair.run', { workspaceId }))
    await it.until('variables.page', page, ({ rows }) => rows.length === 3)

    valueOf(await it.command('undo.undo', { workspaceId }))

    expect(valueOf(await it.command('drafts.take', { workspaceId, page: 'page' }))).toEqual([kept])
  })

  test('in the middle of work is closed, called damaged, and repaired with every edit', async () => {
    const { dataDir, workspaceId, file, environmentId } = await withUnsentEdits()
    const it = await stage.start({ dataDir, deps: { fetch: () => Promise.reject(new TypeError('fetch failed')) } })
    valueOf(await it.command('keys.unlock', { passphrase: 'seven quiet herons' }))
    expect(valueOf(await it.query('queue.list', { workspaceId }))).toHaveLength(3)
    overwriteTable(file, 'working')
    expect(await it.query('variables.page', { workspaceId, environmentId, filter: '', offset: 0, limit: 10 })).toMatchObject({
      ok: false,
      error: { kind: 'database-damaged' },
    })
    await it.until('workspaces.list', {}, ([row]) => row?.repair === 'damaged')
    const note = valueOf(await it.command('repair.run', { workspaceId }))
    expect(note).toMatchObject({ unsent: 3, lost: 0, unsure: false })
    expect(await shown(it, workspaceId, environmentId)).toEqual(afterEdits)
  })

  test('where nothing reads at first, it shows its rows, sends nothing, and is called damaged soon', async () => {
    const { dataDir, workspaceId, file, environmentId } = await withUnsentEdits()
    overwriteTable(file, 'past')
    let requests = 0
    const counting: typeof fetch = (...args) => {
      requests += 1
      return fetch(...args)
    }
    const it = await stage.start({ dataDir, deps: { fetch: counting } })
    valueOf(await it.command('keys.unlock', { passphrase: 'seven quiet herons' }))
    const page = { workspaceId, environmentId, filter: '', offset: 0, limit: 10 }
    expect(valueOf(await it.query('variables.page', page)).total).toBe(3)
    await it.until('workspaces.list', {}, ([row]) => row?.repair === 'damaged')
    expect(await it.query('variables.page', page)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    expect(requests).toBe(0)
    expect(valueOf(await it.command('repair.run', { workspaceId }))).toMatchObject({ unsent: 3, lost: 0, unsure: false })
  })

  test('a value that the damage altered is not sent: it waits for the user', async () => {
    const { dataDir, workspaceId, file } = await withUnsentEdits()
    const bytes = readFileSync(file)
    const it0 = bytes.toString('latin1')
    // Turns over one letter of every copy of the sealed value of MADE, as base64 still well-formed, and makes the file unreadable.
    const sealed = [...it0.matchAll(/"name":"MADE","value":\{"sealed":"(v1:[^"]+)"/g)][0]?.[1] ?? ''
    expect(sealed.length).toBeGreaterThan(20)
    for (let at = bytes.indexOf(sealed); at >= 0; at = bytes.indexOf(sealed, at + 1)) {
      bytes[at + 10] = bytes[at + 10] === 0x41 ? 0x42 : 0x41
    }
    bytes.fill(0xa5, 0, 100)
    writeFileSync(file, bytes)
    const it = await startAgain(dataDir)
    valueOf(await it.command('repair.run', { workspaceId }))
    const rows = await it.until('queue.list', { workspaceId }, (all) => all.length === 1)
    expect(rows).toMatchObject([{ name: 'MADE', state: 'failed', reason: expect.stringContaining('value was damaged') }])
  })
})

describe('a workspace whose database is missing', () => {
  test('says so and opens as it was once the file is back', async () => {
    const { dataDir, workspaceId, file, environmentId } = await withUnsentEdits()
    const away = `${file}.away`
    renameSync(file, away)
    const it = await startAgain(dataDir)
    const [row] = valueOf(await it.query('workspaces.list', {}))
    expect(row).toMatchObject({ id: workspaceId, repair: 'missing', problem: expect.stringContaining(file) })
    expect(await it.query('queue.list', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'database-missing' } })
    expect(existsSync(file)).toBe(false)
    await it.app.close()
    renameSync(away, file)
    expect(await shown(await startAgain(dataDir), workspaceId, environmentId)).toEqual(afterEdits)
  })

  test('gets a new one by choice, which sync fills from the service', async () => {
    const { dataDir, workspaceId, file } = await withUnsentEdits()
    rmSync(file)
    const it = await startAgain(dataDir)
    const look = valueOf(await it.query('repair.preview', { workspaceId }))
    expect(look).toMatchObject({ unsent: 0, unsure: true, records: 0 })
    expect(existsSync(file)).toBe(false)
    expect(valueOf(await it.command('repair.run', { workspaceId }))).toMatchObject({ copy: null })
    expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, problem: null, repair: null }])
    await it.until('environments.list', { workspaceId }, (rows) => rows.length === 1)
  })
})
