import { existsSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { backUp } from '../../../service/store/database-backups.ts'
import { databaseFile, openStore } from '../../../service/store/open-store.ts'
import { createStage, serviceFolder, valueOf, type TestApp } from '../workspaces/start-app.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'

const stage = createStage()
afterEach(stage.clear)

const passphrase = 'nine patient otters'
const dayMs = 86_400_000

/** A local workspace in use, with its keys unlocked. */
const openLocal = async (dataDir?: string): Promise<{ it: TestApp; workspaceId: string }> => {
  const it = await stage.start(dataDir === undefined ? {} : { dataDir })
  if (dataDir === undefined) {
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
    return { it, workspaceId: valueOf(await it.command('workspaces.start-local', {})).workspaceId }
  }
  valueOf(await it.command('keys.unlock', { passphrase }))
  const [row] = valueOf(await it.query('workspaces.list', {}))
  return { it, workspaceId: row?.id ?? '' }
}

const synced = (it: TestApp, workspaceId: string) =>
  it.until('sync.status', { workspaceId }, (status) => status.state === 'synced' && status.queued === 0)

const add = async (it: TestApp, place: { workspaceId: string; environmentId: string }, name: string) =>
  valueOf(await it.command('variables.create', { ...place, name, value: `value of ${name}`, type: 'string', isSecret: false }))

/** Names with their values, as the user sees them. */
const valuesIn = async (it: TestApp, place: { workspaceId: string; environmentId: string }): Promise<Record<string, string>> => {
  const page = valueOf(await it.query('variables.page', { ...place, filter: '', offset: 0, limit: 100 }))
  const shown = valueOf(
    await it.query('variables.values', { workspaceId: place.workspaceId, ids: page.rows.map(({ id }) => id), reveal: true }),
  )
  const byId = new Map(shown.map((each) => [each.id, 'value' in each ? (each.value ?? '') : '']))
  return Object.fromEntries(page.rows.map(({ id, name }) => [name, byId.get(id) ?? '']))
}

/** As a day ago would have done. */
const backUpAsOf = async (dataDir: string, at: number): Promise<void> => {
  const store = await openStore({ dataDir }, () => new Date(at).toISOString())
  await backUp(store, dataDir, at)
  await store.close()
}

/** Overwrites the last page of the file, which nothing reads that opens it. */
const damageEnd = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, size - 4096)
  await handle.close()
}

test('a service whose database is damaged is restored from its backup with all that was synced since', async () => {
  const first = await openLocal()
  const { workspaceId } = first
  const { dataDir } = first.it
  const { id: projectId } = valueOf(await first.it.command('projects.create', { workspaceId, name: 'Shop' }))
  const { id: environmentId } = valueOf(await first.it.command('environments.create', { workspaceId, projectId, name: 'Production' }))
  const place = { workspaceId, environmentId }
  const [left, right] = [await add(first.it, place, 'LEFT'), await add(first.it, place, 'RIGHT')]
  const dropped = await add(first.it, place, 'MADE_AGAIN')
  await synced(first.it, workspaceId)
  await first.it.app.close()
  const folder = serviceFolder(first.it, workspaceId)
  const yesterday = Date.now() - dayMs
  await backUpAsOf(folder, yesterday)

  // Since then: two names changed places, one was deleted and made again, and an environment is new.
  const second = await openLocal(dataDir)
  const rename = async (id: string, name: string) =>
    valueOf(await second.it.command('variables.update', { workspaceId, seen: asShown, id, name }))
  await rename(left.id, 'BETWEEN')
  await rename(right.id, 'LEFT')
  await rename(left.id, 'RIGHT')
  valueOf(await second.it.command('variables.delete', { workspaceId, rows: rowsAsShown([dropped.id]) }))
  await synced(second.it, workspaceId)
  valueOf(
    await second.it.command('variables.create', { ...place, name: 'MADE_AGAIN', value: 'another value', type: 'string', isSecret: false }),
  )
  const staging = valueOf(await second.it.command('environments.create', { workspaceId, projectId, name: 'Staging' }))
  await add(second.it, { workspaceId, environmentId: staging.id }, 'NEW')
  await synced(second.it, workspaceId)
  const wanted = { LEFT: 'value of RIGHT', RIGHT: 'value of LEFT', MADE_AGAIN: 'another value' }
  expect(await valuesIn(second.it, place)).toEqual(wanted)
  await second.it.app.close()
  await damageEnd(databaseFile(folder))

  const third = await openLocal(dataDir)
  await add(third.it, place, 'UNSENT')
  const [row] = await third.it.until('workspaces.list', {}, ([found]) => found !== undefined && found.serviceDamage !== null)
  expect(row).toMatchObject({ problem: null, serviceDamage: { newestBackup: new Date(yesterday).toISOString() } })
  const restored = valueOf(await third.it.command('repair.restore-service', { workspaceId }))
  expect(restored).toMatchObject({ from: new Date(yesterday).toISOString(), refused: 0 })
  expect(existsSync(restored.copy)).toBe(true)
  await synced(third.it, workspaceId)
  expect(valueOf(await third.it.query('queue.list', { workspaceId }))).toEqual([])
  expect(valueOf(await third.it.query('workspaces.list', {}))).toMatchObject([{ serviceDamage: null }])
  const all = { ...wanted, UNSENT: 'value of UNSENT' }
  expect(await valuesIn(third.it, place)).toEqual(all)
  expect(await valuesIn(third.it, { workspaceId, environmentId: staging.id })).toEqual({ NEW: 'value of NEW' })
  await third.it.app.close()

  // The service has it too: all that is read here comes from there.
  for (const name of await readdir(join(dataDir, 'workspaces', workspaceId)))
    if (name.startsWith('mirror')) await rm(join(dataDir, 'workspaces', workspaceId, name), { recursive: true })
  const fourth = await openLocal(dataDir)
  valueOf(await fourth.it.command('repair.run', { workspaceId }))
  const environments = await fourth.it.until('environments.list', { workspaceId }, (rows) => rows.length === 2)
  await synced(fourth.it, workspaceId)
  const production = environments.find(({ name }) => name === 'Production')?.id ?? ''
  expect(await valuesIn(fourth.it, { workspaceId, environmentId: production })).toEqual(all)
})

test('without any backup the service is made anew of what this computer has', async () => {
  const first = await openLocal()
  const { workspaceId } = first
  valueOf(await first.it.command('projects.create', { workspaceId, name: 'Shop' }))
  await synced(first.it, workspaceId)
  await first.it.app.close()
  await rm(serviceFolder(first.it, workspaceId), { recursive: true })

  const { it } = await openLocal(first.it.dataDir)
  await it.query('projects.list', { workspaceId })
  await it.until('workspaces.list', {}, ([found]) => found !== undefined && found.serviceDamage !== null)
  expect(valueOf(await it.command('repair.restore-service', { workspaceId }))).toMatchObject({ from: null, refused: 0 })
  await synced(it, workspaceId)
  expect(valueOf(await it.query('projects.list', { workspaceId }))).toMatchObject([{ name: 'Shop', sync: 'synced' }])
})

test('a service that works is not replaced by a backup', async () => {
  const { it, workspaceId } = await openLocal()
  await synced(it, workspaceId)
  expect(await it.command('repair.restore-service', { workspaceId })).toMatchObject({ ok: false, error: { kind: 'not-found' } })
})
