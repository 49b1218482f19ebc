import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { labelLimit, noteLimit } from '../../../service/protocol/limits.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'
import { queryTables } from '../../../electron/bridge/query-tables.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'

const stage = createStage()
const services: StartedService[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

interface Place {
  it: TestApp
  service: StartedService
  workspaceId: string
  environmentId: string
}

/** The whole application on a real service, with an environment of three variables; `fetch` is what carries its requests. */
async function settle(options: { routes?: 'operations'; send?: typeof fetch } = {}): Promise<Place> {
  const service = await startService()
  services.push(service)
  const it = await stage.start({ deps: { fetch: options.send ?? fetch } })
  valueOf(await it.command('keys.choose', { store: 'session' }))
  const { workspaceId } = await connectTo(it, service)
  const project = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  const environment = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
  const place = { it, service, workspaceId, environmentId: environment.id }
  await set(place, 'PORT', '80', false)
  await set(place, 'TOKEN', 'secret one', true)
  await set(place, 'GONE', 'x', false)
  return place
}

const idOf = async ({ it, workspaceId, environmentId }: Place, name: string) => {
  const page = valueOf(await it.query('variables.page', { workspaceId, environmentId, filter: name, offset: 0, limit: 10 }))
  return page.rows[0]?.id ?? null
}

async function set(place: Place, name: string, value: string, isSecret: boolean): Promise<void> {
  const { it, workspaceId, environmentId } = place
  const id = await idOf(place, name)
  if (id !== null) valueOf(await it.command('variables.update', { seen: asShown, workspaceId, id, value }))
  else valueOf(await it.command('variables.create', { workspaceId, environmentId, name, value, type: 'string', isSecret }))
}

const synced = ({ it, workspaceId }: Place) => it.until('queue.list', { workspaceId }, (rows) => rows.length === 0)

/** A version of the environment as it is, on the service and on this computer. */
async function taken(place: Place, label: string): Promise<string> {
  const { it, workspaceId, environmentId } = place
  const { id } = valueOf(await it.command('versions.create', { workspaceId, environmentId, label, note: 'A note' }))
  await it.until('versions.list', { workspaceId, environmentId }, ({ rows }) => rows.some((row) => row.id === id && row.isMirrored))
  return id
}

describe('a version', () => {
  test('is shown beside what is there now, without values; these come masked, and open on request', async () => {
    const place = await settle()
    const { it, workspaceId } = place
    const versionId = await taken(place, 'before')
    await set(place, 'PORT', '8080', false)
    await set(place, 'NEW', 'n', false)
    valueOf(await it.command('variables.delete', { workspaceId, rows: rowsAsShown([(await idOf(place, 'GONE')) ?? '']) }))
    const args = { workspaceId, versionId, filter: '', only: 'all' as const, offset: 0, limit: 100 }
    expect(valueOf(await it.query('versions.show', args))).toEqual({
      version: expect.objectContaining({ id: versionId, label: 'before', note: 'A note', variableCount: 3, isMirrored: true }) as unknown,
      counts: { added: 1, updated: 1, removed: 1, same: 1 },
      total: 4,
      offset: 0,
      rows: [
        { name: 'GONE', state: 'added', isSecret: null },
        { name: 'NEW', state: 'removed', isSecret: false },
        { name: 'PORT', state: 'updated', isSecret: false },
        { name: 'TOKEN', state: 'same', isSecret: true },
      ],
    })
    const some = valueOf(await it.query('versions.show', { ...args, only: 'differences', filter: 'o', offset: 1, limit: 1 }))
    expect(some).toMatchObject({ total: 2, rows: [{ name: 'PORT' }] })
    const names = ['GONE', 'NEW', 'PORT', 'TOKEN', 'NEVER']
    const ask = (reveal: boolean) => it.query('versions.values', { workspaceId, versionId, names, reveal })
    const masked = { state: 'masked', text: null }
    const absent = { state: 'absent', text: null }
    const shown = (text: string) => ({ state: 'shown', text })
    await synced(place)
    expect(valueOf(await ask(false))).toEqual([
      // A version does not say what is secret, but this computer knows what it was when it was deleted.
      { name: 'GONE', saved: shown('x'), now: absent },
      { name: 'NEW', saved: absent, now: shown('n') },
      { name: 'PORT', saved: shown('80'), now: shown('8080') },
      { name: 'TOKEN', saved: masked, now: masked },
      { name: 'NEVER', saved: absent, now: absent },
    ])
    expect(valueOf(await ask(true))).toMatchObject([
      { saved: shown('x') },
      { now: shown('n') },
      { saved: shown('80') },
      { saved: shown('secret one'), now: shown('secret one') },
      {},
    ])
  })

  test('masks what was a secret when it was saved, though it is none now, and everything where all values are masked', async () => {
    const place = await settle()
    const { it, workspaceId } = place
    const versionId = await taken(place, 'before')
    await set(place, 'TOKEN', 'secret two', true)
    const id = (await idOf(place, 'TOKEN')) ?? ''
    valueOf(await it.command('variables.update', { seen: asShown, workspaceId, id, isSecret: false }))
    const args = { workspaceId, versionId, names: ['TOKEN', 'PORT'], reveal: false }
    expect(valueOf(await it.query('versions.values', args))).toEqual([
      { name: 'TOKEN', saved: { state: 'masked', text: null }, now: { state: 'shown', text: 'secret two' } },
      { name: 'PORT', saved: { state: 'shown', text: '80' }, now: { state: 'shown', text: '80' } },
    ])
    valueOf(await it.command('settings.set', { maskAll: true }))
    expect(valueOf(await it.query('versions.values', args))).toMatchObject([
      { saved: { state: 'masked' }, now: { state: 'masked' } },
      { saved: { state: 'masked' }, now: { state: 'masked' } },
    ])
  })

  test('shows on another computer, which never saw its values, those that were sealed as plain', async () => {
    const place = await settle()
    await set(place, 'WAS_SECRET', 'hidden', true)
    await set(place, 'WAS_PLAIN', 'seen', false)
    await taken(place, 'before')
    await set(place, 'PORT', '8080', false)
    for (const [name, isSecret] of [
      ['WAS_SECRET', false],
      ['WAS_PLAIN', true],
    ] as const) {
      await set(place, name, 'another value', false)
      const id = (await idOf(place, name)) ?? expect.fail()
      valueOf(await place.it.command('variables.update', { seen: asShown, workspaceId: place.workspaceId, id, isSecret }))
    }
    await synced(place)
    const { recoveryKey: workspaceKey } = valueOf(await place.it.query('keys.recovery', { workspaceId: place.workspaceId }))

    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'session' }))
    const { url: baseUrl, apiKey } = place.service
    const args = { baseUrl, apiKey, allowInsecure: false, workspaceKey, confirmNoValues: false }
    const { workspaceId } = valueOf(await it.command('workspaces.connect', args))
    const environmentId = (await it.until('environments.list', { workspaceId }, ({ length }) => length > 0))[0]?.id ?? expect.fail()
    const isMirrored = ({ rows }: { rows: { isMirrored: boolean }[] }) => rows[0]?.isMirrored === true
    const versionId = (await it.until('versions.list', { workspaceId, environmentId }, isMirrored)).rows[0]?.id ?? expect.fail()
    await it.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
    const names = ['PORT', 'TOKEN', 'WAS_SECRET', 'WAS_PLAIN', 'GONE']
    expect(valueOf(await it.query('versions.values', { workspaceId, versionId, names, reveal: false }))).toMatchObject([
      { saved: { state: 'shown', text: '80' }, now: { state: 'shown', text: '8080' } },
      { saved: { state: 'masked' }, now: { state: 'masked' } },
      { saved: { state: 'masked' }, now: { state: 'shown', text: 'another value' } },
      { saved: { state: 'masked' }, now: { state: 'masked' } },
      { saved: { state: 'shown', text: 'x' }, now: { state: 'shown', text: 'x' } },
    ])
  })

  describe('masks the value of a secret', () => {
    const update = async ({ it, workspaceId }: Place, id: string, fields: { name: string } | { isSecret: boolean }) =>
      void valueOf(await it.command('variables.update', { seen: asShown, workspaceId, id, ...fields }))
    const rename = (place: Place, id: string) => update(place, id, { name: 'API_KEY' })
    const move = async ({ it, workspaceId }: Place, id: string) => {
      const projectId = valueOf(await it.query('projects.list', { workspaceId }))[0]?.id ?? expect.fail()
      const { id: environmentId } = valueOf(await it.command('environments.create', { workspaceId, projectId, name: 'Staging' }))
      const to = { environmentId, seen: asShown, onTaken: 'skip' as const, move: true }
      valueOf(await it.command('variables.copy-to', { workspaceId, rows: rowsAsShown([id]), ...to }))
    }
    const reuse = (place: Place) => set(place, 'TOKEN', 'another variable', false)

    test.each([
      ['that was renamed, though another variable has its name', [rename, reuse]],
      ['that was moved, though another variable has its name', [move, reuse]],
    ])('%s', async (_words, steps) => {
      const place = await settle()
      const id = (await idOf(place, 'TOKEN')) ?? expect.fail()
      const versionId = await taken(place, 'before')
      for (const step of steps) {
        await step(place, id)
        await synced(place)
      }
      const values = place.it.query('versions.values', { workspaceId: place.workspaceId, versionId, names: ['TOKEN'], reveal: false })
      expect(valueOf(await values)).toMatchObject([{ saved: { state: 'masked' } }])
    })

    test.each([
      ['in plain sight before it was one, after it was renamed', 'in plain sight'],
      ['that had another value in plain sight, after it was renamed', 'as a secret'],
    ])('%s', async (_words, label) => {
      const place = await settle()
      const id = (await idOf(place, 'PORT')) ?? expect.fail()
      const versions = new Map([['in plain sight', await taken(place, 'in plain sight')]])
      await set(place, 'PORT', '8080', false)
      await synced(place)
      await update(place, id, { isSecret: true })
      await synced(place)
      versions.set('as a secret', await taken(place, 'as a secret'))
      await rename(place, id)
      await synced(place)
      const of = { workspaceId: place.workspaceId, versionId: versions.get(label) ?? expect.fail() }
      const values = place.it.query('versions.values', { ...of, names: ['PORT'], reveal: false })
      expect(valueOf(await values)).toMatchObject([{ saved: { state: 'masked' } }])
    })
  })

  test('is rolled back to through the queue, and the page is told', async () => {
    const place = await settle()
    const { it, workspaceId, environmentId } = place
    const versionId = await taken(place, 'before')
    await set(place, 'PORT', '8080', false)
    await synced(place)
    const preview = valueOf(await it.query('versions.preview-rollback', { workspaceId, versionId }))
    expect(preview).toMatchObject({
      added: 0,
      updated: 1,
      removed: 0,
      same: 2,
      names: [{ name: 'PORT', does: 'updated' }],
      isPartial: false,
    })
    expect(await it.command('versions.rollback', { workspaceId, versionId, fingerprint: 'another' })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-input', field: 'fingerprint' },
    })
    valueOf(await it.command('versions.rollback', { workspaceId, versionId, fingerprint: preview.fingerprint }))
    const list = await it.until('versions.list', { workspaceId, environmentId }, ({ lastRollback }) => lastRollback !== null)
    expect(list).toMatchObject({ rollbacks: [], lastRollback: { versionId, counts: { updated: 1 }, difference: null } })
    const id = (await idOf(place, 'PORT')) ?? ''
    expect(valueOf(await it.query('variables.values', { workspaceId, ids: [id], reveal: false }))).toMatchObject([
      { id, state: 'shown', value: '80' },
    ])
    expect(it.pushes.some(({ tables }) => tables.includes('versions'))).toBe(true)
  })

  test('by the service’s id is fetched for one environment, and refused for another or for none', async () => {
    const place = await settle()
    const { it, service, workspaceId, environmentId } = place
    await taken(place, 'before')
    const project = valueOf(await it.query('projects.list', { workspaceId }))[0]?.id ?? ''
    const other = valueOf(await it.command('environments.create', { workspaceId, projectId: project, name: 'Staging' }))
    await synced(place)
    const path = `${service.url}/projects/shop/environments/production/versions`
    const listed = (await (await fetch(path, { headers: { authorization: `Bearer ${service.apiKey}` } })).json()) as {
      data: { items: { id: string }[] }
    }
    const remoteId = listed.data.items[0]?.id ?? ''
    expect(await it.command('versions.mirror', { workspaceId, environmentId, remoteId })).toMatchObject({ ok: true })
    expect(await it.command('versions.mirror', { workspaceId, environmentId: other.id, remoteId })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-input', field: 'remoteId' },
    })
    expect(await it.command('versions.mirror', { workspaceId, environmentId, remoteId: 'nothing' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })

  test('that a busy service does not give now is not promised for later: the user is told when to try again', async () => {
    let isBusy = false
    const place = await settle({
      send: (...request) =>
        isBusy ? Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '290' } })) : fetch(...request),
    })
    await synced(place)
    const { it, workspaceId, environmentId } = place
    isBusy = true
    expect(await it.command('versions.mirror', { workspaceId, environmentId, remoteId: 'any' })).toMatchObject({
      ok: false,
      error: { kind: 'service-failed', message: expect.stringMatching(/is busy\. Try again in 5 minutes\.$/) as string },
    })
  })

  test('of others that is fetched by its id counts as new on a screen that was drawn before, which deletes nothing', async () => {
    const place = await settle()
    const { it, service, workspaceId, environmentId } = place
    await synced(place)
    valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
    const revOf = async () =>
      valueOf(await it.query('environments.list', { workspaceId })).find(({ id }) => id === environmentId)?.rev ?? expect.fail()
    const seen = await revOf()
    const made = await fetch(`${service.url}/projects/shop/environments/production/versions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'theirs' }),
    })
    const { data } = (await made.json()) as { data: { id: string } }
    const heard = it.pushes.length
    valueOf(await it.command('versions.mirror', { workspaceId, environmentId, remoteId: data.id }))
    expect(await it.command('environments.delete', { workspaceId, id: environmentId, seen })).toMatchObject({
      ok: false,
      error: { kind: 'outdated', message: expect.stringContaining('1 version was added here') },
    })
    // The sidebar asks again, and then shows the version.
    const told = it.pushes.slice(heard).flatMap(({ tables }) => tables)
    expect(queryTables['environments.list'].filter((table) => told.includes(table))).not.toEqual([])
    valueOf(await it.command('environments.delete', { workspaceId, id: environmentId, seen: await revOf() }))
  })

  test('from a service that shows plain values is sealed before it touches the disk', async () => {
    const plain = 'a value to look for 4712'
    const send: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      const url = input instanceof Request ? input.url : input.toString()
      if (!/\/versions\/[^/]+$/.test(url) || !answer.ok) return answer
      const body = (await answer.json()) as { data: { variables: { name: string; value: string }[] } }
      body.data.variables = body.data.variables.map(({ name }) => ({ name, value: plain }))
      return Response.json(body)
    }
    const place = await settle({ send })
    const { it, workspaceId } = place
    const versionId = await taken(place, 'before')
    const values = await it.query('versions.values', { workspaceId, versionId, names: ['TOKEN'], reveal: true })
    // The workspace was made here: what no member sealed is not shown as if one had.
    expect(valueOf(values)[0]?.saved).toEqual({ state: 'unverified', text: null })
    const files = readdirSync(it.dataDir, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && /sqlite/.test(entry.name),
    )
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).includes(plain)).toBe(false)
  })

  test('that is not here, was never there, or is of a gone environment is answered in words', async () => {
    const place = await settle()
    const { it, workspaceId, environmentId } = place
    expect(await it.query('versions.preview-rollback', { workspaceId, versionId: 'none' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    expect(await it.query('versions.list', { workspaceId, environmentId: 'none' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    for (const [field, given] of [
      ['label', { label: 'two\nlines' }],
      ['label', { label: '..' }],
      ['label', { label: 'x'.repeat(labelLimit + 1) }],
      ['note', { note: 'x'.repeat(noteLimit + 1) }],
    ] as const)
      expect(await it.command('versions.create', { workspaceId, environmentId, ...given })).toMatchObject({
        ok: false,
        error: { kind: 'invalid-input', field },
      })
    await taken(place, 'before')
    expect(await it.command('versions.create', { workspaceId, environmentId, label: 'before' })).toMatchObject({
      ok: false,
      error: { kind: 'name-taken' },
    })
  })
})

describe('undo', () => {
  test('takes a snapshot and a rollback that were not sent out of the queue, and redo brings them again', async () => {
    const place = await settle()
    const { it, workspaceId, environmentId } = place
    const versionId = await taken(place, 'before')
    await set(place, 'PORT', '8080', false)
    await synced(place)
    // Nothing may be on its way to the service when it is undone.
    valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
    valueOf(await it.command('versions.create', { workspaceId, environmentId, label: 'second' }))
    const { fingerprint } = valueOf(await it.query('versions.preview-rollback', { workspaceId, versionId }))
    valueOf(await it.command('versions.rollback', { workspaceId, versionId, fingerprint }))
    const kinds = async () => valueOf(await it.query('queue.list', { workspaceId })).map(({ kind, name }) => `${kind} ${name}`)
    expect(await kinds()).toEqual(['snapshot second', 'rollback before'])
    expect(valueOf(await it.query('undo.status', { workspaceId })).undo).toBe('Roll back to before')
    expect(valueOf(await it.command('undo.undo', { workspaceId }))).toMatchObject({ label: 'Roll back to before' })
    expect(await kinds()).toEqual(['snapshot second'])
    expect(valueOf(await it.command('undo.undo', { workspaceId }))).toMatchObject({ label: 'Save version second' })
    expect(await kinds()).toEqual([])
    valueOf(await it.command('undo.redo', { workspaceId }))
    expect(await kinds()).toEqual(['snapshot second'])
    valueOf(await it.command('sync.pause', { workspaceId, paused: false }))
    valueOf(await it.command('sync.now', { workspaceId }))
    await synced(place)
    expect(await it.command('undo.undo', { workspaceId })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('has been saved') as unknown },
    })
  })
})

describe('members', () => {
  test('are listed with their roles, invited, given another role and removed', async () => {
    const { it, workspaceId } = await settle()
    const list = await it.until('members.list', { workspaceId }, ({ rows }) => rows.length === 1)
    expect(list).toMatchObject({ rows: [{ roleId: 'owner' }], limit: null })
    expect(valueOf(await it.query('roles.list', { workspaceId })).rows.map(({ id }) => id)).toEqual(['owner', 'admin', 'editor', 'viewer'])
    const { id } = valueOf(await it.command('members.invite', { workspaceId, email: 'ada@example.com', roleId: 'editor' }))
    await it.until('members.list', { workspaceId }, ({ rows }) => rows.some((row) => row.id === id && row.status === 'invited'))
    valueOf(await it.command('members.set-role', { workspaceId, id, seen: 'editor', roleId: 'viewer' }))
    await it.until('members.list', { workspaceId }, ({ rows }) => rows.some((row) => row.roleId === 'viewer' && row.sync === 'synced'))
    valueOf(await it.command('members.remove', { workspaceId, id }))
    await it.until('members.list', { workspaceId }, ({ rows }) => rows.length === 1)
  })
})
