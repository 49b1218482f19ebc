import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { encryptValue } from '../../../electron/cipher/value-cipher.ts'
import { formatWorkspaceKey, generateWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import { createRemote } from '../../../electron/remote/create-remote.ts'
import type { RemoteError } from '../../../electron/remote/remote.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { startFlavour } from '../../support/start-flavour.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { createStage, valueOf } from './start-app.ts'

const stage = createStage()
type Served = Pick<StartedService, 'url' | 'apiKey'>

const services: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

const key = generateWorkspaceKey()
const workspaceKey = formatWorkspaceKey(key)
const otherKey = formatWorkspaceKey(generateWorkspaceKey())

/** A service with one project and environment, and these values sealed in it. */
const serve = async (values: readonly string[], options: { port?: number } = {}): Promise<StartedService> => {
  const service = await startService(options)
  services.push(service)
  const [projectId, environmentId] = [randomUUID(), randomUUID()]
  const changes = remoteOf(service).pushChanges([
    { op: 'create', resource: 'project', id: projectId, fields: { name: 'Shop', slug: 'shop' } },
    { op: 'create', resource: 'environment', id: environmentId, parentId: projectId, fields: { name: 'Production', slug: 'production' } },
    ...values.map((value, index) => ({
      op: 'create' as const,
      resource: 'variable' as const,
      id: randomUUID(),
      parentId: environmentId,
      fields: { name: `NAME_${index}`, value: encryptValue(key, value) },
    })),
  ])
  await must(changes)
  return service
}

const serveUnused = async (): Promise<StartedService> => {
  const service = await startService()
  services.push(service)
  return service
}

const remoteOf = (service: Served) => createRemote({ baseUrl: service.url, apiKey: () => service.apiKey, fetch })

const must = async <T>(asked: Promise<Result<T, RemoteError>>): Promise<T> => {
  const answer = await asked
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

/** A service that had a value, in a project that was deleted. */
const serveDeleted = async (): Promise<Served> => {
  const service = await serve(['one'])
  await must(remoteOf(service).deleteProject('shop', {}))
  return service
}

/** A service whose only value is in a version: its variable was deleted since. */
const serveSaved = async (): Promise<Served> => {
  const service = await serve(['one'])
  const remote = remoteOf(service)
  const { id: parentId } = await must(remote.getEnvironment('shop', 'production'))
  const fields = { label: 'v1', note: '' }
  await must(remote.pushChanges([{ op: 'create', resource: 'version', id: randomUUID(), parentId, fields }]))
  await must(remote.deleteVariable('shop', 'production', 'NAME_0', {}))
  return service
}

/** A service with an invited colleague and no value. */
const serveInvited = async (): Promise<Served> => {
  const service = await serveUnused()
  await must(remoteOf(service).inviteMember({ email: 'colleague@example.com', roleId: 'editor' }, {}))
  return service
}

/** A service that offers the documented 14 operations alone. */
const serveOnly14 = async (): Promise<Served> => {
  const { url, apiKey, close } = await startFlavour('only-14', await stage.folder())
  services.push({ close })
  return { url, apiKey: apiKey ?? '' }
}

const startReady = async () => {
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'session' }))
  return it
}

const argsFor = (service: Served, more: { workspaceKey?: string | null; confirmNoValues?: boolean } = {}) => ({
  baseUrl: service.url,
  apiKey: service.apiKey,
  allowInsecure: false,
  workspaceKey,
  confirmNoValues: false,
  ...more,
})

describe('probing', () => {
  test.each([
    ['a workspace with a value', () => serve(['one']), { hasValues: true, isUnused: false }],
    ['a workspace that nobody has used', serveUnused, { hasValues: false, isUnused: true }],
    ['a workspace with a project and without a value', () => serve([]), { hasValues: false, isUnused: false }],
    ['a workspace of which all projects were deleted', serveDeleted, { hasValues: false, isUnused: false }],
    ['a workspace with a value in a version alone', serveSaved, { hasValues: true, isUnused: false }],
    ['a workspace without, of which others are members', serveInvited, { hasValues: false, isUnused: false }],
    ['a service that lists nothing', serveOnly14, { hasValues: null, isUnused: false }],
  ])('%s', async (_, begin, found) => {
    const service: Served = await begin()
    const it = await stage.start()
    const probed = await it.command('workspaces.probe', { baseUrl: `${service.url}/`, apiKey: service.apiKey, allowInsecure: false })
    expect(valueOf(probed)).toEqual({ name: expect.any(String), ...found, known: null })
    expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
  })

  test.each([
    ['no address', '', 'k', 'invalid-input'],
    ['no web address', 'ftp://example.com', 'k', 'invalid-input'],
    ['plain http off this computer', 'http://config.example.com', 'k', 'insecure-url'],
    ['no API key', 'http://127.0.0.1:1', ' ', 'invalid-input'],
    ['a port that nothing may be asked on', 'http://127.0.0.1:1', 'k', 'invalid-input'],
  ])('%s is refused', async (_, baseUrl, apiKey, kind) => {
    const it = await stage.start()
    expect(await it.command('workspaces.probe', { baseUrl, apiKey, allowInsecure: false })).toMatchObject({ ok: false, error: { kind } })
  })

  test('nobody there is told as offline', async () => {
    const service = await serve([])
    await service.close()
    services.pop()
    const it = await stage.start()
    const probed = await it.command('workspaces.probe', { baseUrl: service.url, apiKey: service.apiKey, allowInsecure: false })
    expect(probed).toMatchObject({ ok: false, error: { kind: 'offline' } })
  })

  test('a wrong API key is told as unauthorized', async () => {
    const service = await serve([])
    const it = await stage.start()
    const probed = await it.command('workspaces.probe', { baseUrl: service.url, apiKey: 'nope', allowInsecure: false })
    expect(probed).toMatchObject({ ok: false, error: { kind: 'unauthorized' } })
  })
})

describe('connecting', () => {
  test.each([
    ['a key that opens an existing value', ['one'], {}, 'connected'],
    ['a key that does not open it', ['one'], { workspaceKey: otherKey }, 'workspace-key-wrong'],
    [
      'a key that does not open it, confirmed all the same',
      ['one'],
      { workspaceKey: otherKey, confirmNoValues: true },
      'workspace-key-wrong',
    ],
    ['a new key where values exist', ['one'], { workspaceKey: null }, 'workspace-key-wrong'],
    ['a new key where values exist, confirmed all the same', ['one'], { workspaceKey: null, confirmNoValues: true }, 'workspace-key-wrong'],
    ['a key where there is nothing to try it on', [], {}, 'workspace-key-unconfirmed'],
    ['the same, confirmed', [], { confirmNoValues: true }, 'connected'],
    ['a new key where no value exists', [], { workspaceKey: null }, 'workspace-key-unconfirmed'],
    ['the same, confirmed', [], { workspaceKey: null, confirmNoValues: true }, 'connected'],
    ['something that is no key', ['one'], { workspaceKey: 'hunter2' }, 'invalid-input'],
  ])('with %s', async (_, values, more, outcome) => {
    const service = await serve(values)
    const it = await startReady()
    const connected = await it.command('workspaces.connect', argsFor(service, more))
    expect(connected.ok ? 'connected' : connected.error.kind).toBe(outcome)
    expect(valueOf(await it.query('workspaces.list', {}))).toHaveLength(outcome === 'connected' ? 1 : 0)
  })

  test('a key that does not open the values of a version, the only ones left, is refused, typed or new', async () => {
    const service = await serveSaved()
    const it = await startReady()
    for (const other of [otherKey, null]) {
      const connected = await it.command('workspaces.connect', argsFor(service, { workspaceKey: other, confirmNoValues: true }))
      expect(connected).toMatchObject({ ok: false, error: { kind: 'workspace-key-wrong' } })
    }
    valueOf(await it.command('workspaces.connect', argsFor(service)))
  })

  test('a service with the 14 operations alone needs the word that no value exists', async () => {
    const service = await serveOnly14()
    const it = await startReady()
    expect(await it.command('workspaces.connect', argsFor(service))).toMatchObject({
      ok: false,
      error: { kind: 'workspace-key-unconfirmed' },
    })
    const { workspaceId } = valueOf(await it.command('workspaces.connect', argsFor(service, { confirmNoValues: true })))
    const status = await it.until('sync.status', { workspaceId }, (value) => value.limits.length > 0)
    expect(status.limits.length).toBeGreaterThan(0)
  })

  test('shows what the service holds, and reads its values', async () => {
    const service = await serve(['one', 'two'])
    const it = await startReady()
    const { workspaceId, recoveryKey } = valueOf(await it.command('workspaces.connect', argsFor(service)))
    // Whoever has just entered it need not write it down, though it is kept for this session only.
    expect(recoveryKey).toBeNull()
    const [environment] = await it.until('environments.list', { workspaceId }, (rows) => rows[0]?.variableCount === 2)
    const page = valueOf(
      await it.query('variables.page', { workspaceId, environmentId: environment?.id ?? '', filter: '', offset: 0, limit: 10 }),
    )
    const shown = valueOf(await it.query('variables.values', { workspaceId, ids: page.rows.map((row) => row.id), reveal: true }))
    const values = page.rows.map((row) => shown.find((value) => value.id === row.id))
    expect(values).toMatchObject([{ value: 'one' }, { value: 'two' }])
  })

  test('twice opens the workspace that is there, also when both come at once', async () => {
    const service = await serve(['one'])
    const it = await startReady()
    const both = await Promise.all([
      it.command('workspaces.connect', argsFor(service)),
      it.command('workspaces.connect', { ...argsFor(service), baseUrl: `${service.url}/` }),
    ])
    expect(valueOf(both[1]).workspaceId).toBe(valueOf(both[0]).workspaceId)
    expect(valueOf(await it.query('workspaces.list', {}))).toHaveLength(1)
  })
})

describe('supplying keys', () => {
  const connected = async () => {
    const service = await serve(['one'])
    const it = await startReady()
    const { workspaceId } = valueOf(await it.command('workspaces.connect', argsFor(service)))
    await it.until('environments.list', { workspaceId }, (rows) => rows[0]?.variableCount === 1)
    return { service, it, workspaceId }
  }

  test('keys kept for a session only are asked for at the next start, and put it right', async () => {
    const { service, it, workspaceId } = await connected()
    await it.app.close()
    const next = await stage.start({ dataDir: it.dataDir })
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, needs: ['api-key', 'workspace-key'] }])
    // Names are there without any key.
    expect(valueOf(await next.query('environments.list', { workspaceId }))).toMatchObject([{ slug: 'production', variableCount: 1 }])
    expect(await next.command('workspaces.supply-keys', { workspaceId, workspaceKey })).toMatchObject({ error: { kind: 'keys-unchosen' } })
    valueOf(await next.command('keys.choose', { store: 'session' }))
    expect(await next.command('workspaces.supply-keys', { workspaceId })).toMatchObject({ error: { kind: 'invalid-input' } })
    expect(await next.command('workspaces.supply-keys', { workspaceId, workspaceKey: otherKey })).toMatchObject({
      error: { kind: 'workspace-key-wrong' },
    })
    valueOf(await next.command('workspaces.supply-keys', { workspaceId, workspaceKey }))
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ needs: ['api-key'] }])
    valueOf(await next.command('workspaces.supply-keys', { workspaceId, apiKey: service.apiKey }))
    expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ needs: [] }])
    await next.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
  })

  test('an API key of another workspace is refused, and nothing changes', async () => {
    const { it, workspaceId } = await connected()
    const other = await serve([])
    const [row] = valueOf(await it.query('workspaces.list', {}))
    await services[0]?.close()
    services.shift()
    const port = Number(new URL(row?.baseUrl ?? '').port)
    await other.close()
    services.pop()
    // Another workspace appears under the same address.
    const impostor = await serve([], { port })
    expect(await it.command('workspaces.supply-keys', { workspaceId, apiKey: impostor.apiKey })).toMatchObject({
      ok: false,
      error: { kind: 'wrong-workspace' },
    })
  })

  test('a refused API key is asked for in the list of workspaces', async () => {
    const { service, it, workspaceId } = await connected()
    const port = Number(new URL(service.url).port)
    await service.close()
    services.pop()
    await serve([], { port })
    await it.command('sync.now', { workspaceId })
    await it.until('workspaces.list', {}, ([row]) => row?.needs.includes('api-key') ?? false)
    expect(it.pushes.some((push) => push.tables.includes('workspaces'))).toBe(true)
  })

  test('another API key is asked for when the service takes the present one for that of another workspace', async () => {
    const service = await serve(['one'])
    const proxy = await startFaultProxy(service.url)
    services.push(proxy)
    const it = await startReady()
    const { workspaceId } = valueOf(await it.command('workspaces.connect', { ...argsFor(service), baseUrl: proxy.url }))
    const data = { id: 'other', name: 'Other', slug: 'other', icon: 'x', createdAt: '2026-01-01T00:00:00.000Z' }
    const body = JSON.stringify({ success: true, code: 200, message: 'OK', data })
    proxy.decide(({ url }) => (url === '/workspace' ? { replace: { status: 200, body } } : 'none'))
    await it.command('sync.now', { workspaceId })
    await it.until('workspaces.list', {}, ([row]) => row?.needs.includes('api-key') ?? false)
    proxy.decide(() => 'none')
    valueOf(await it.command('workspaces.supply-keys', { workspaceId, apiKey: service.apiKey }))
    await it.until('workspaces.list', {}, ([row]) => row?.needs.length === 0)
  })

  test('a local workspace takes no API key', async () => {
    const it = await startReady()
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    expect(await it.command('workspaces.supply-keys', { workspaceId, apiKey: 'x' })).toMatchObject({ error: { kind: 'invalid-input' } })
  })
})

test('a workspace key supplied again where no value is anywhere asks for confirmation', async () => {
  const service = await serve([])
  const it = await startReady()
  const { workspaceId } = valueOf(await it.command('workspaces.connect', argsFor(service, { confirmNoValues: true })))
  await it.app.close()
  const next = await stage.start({ dataDir: it.dataDir })
  valueOf(await next.command('keys.choose', { store: 'session' }))
  valueOf(await next.command('workspaces.supply-keys', { workspaceId, apiKey: service.apiKey }))
  expect(await next.command('workspaces.supply-keys', { workspaceId, workspaceKey: otherKey })).toMatchObject({
    ok: false,
    error: { kind: 'workspace-key-unconfirmed' },
  })
  valueOf(await next.command('workspaces.supply-keys', { workspaceId, workspaceKey, confirmNoValues: true }))
  expect(valueOf(await next.query('workspaces.list', {}))).toMatchObject([{ needs: [] }])
})

describe('which values a workspace takes', () => {
  const passphrase = 'four random words here'
  const connect = async (service: StartedService, more: object) => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId } = valueOf(await it.command('workspaces.connect', argsFor(service, more)))
    return { it, workspaceId }
  }

  test.each([
    ['bound', 'had no value yet', [], { confirmNoValues: true }],
    ['open', 'had values of other clients', ['one'], {}],
  ] as const)('is %s on this computer where the service %s, and stays so whatever it shows later', async (policy, _, values, more) => {
    const service = await serve(values)
    const { it, workspaceId } = await connect(service, more)
    const policyOf = async ({ query }: typeof it) => valueOf(await query('sync.status', { workspaceId })).values
    expect(await policyOf(it)).toBe(policy)
    // Another client, which knows the key, binds nothing.
    const remote = createRemote({ baseUrl: service.url, apiKey: () => service.apiKey, fetch })
    const feed = await remote.changes(null)
    const environment = feed.ok ? feed.value.items.find(({ resource }) => resource === 'environment') : undefined
    const fields = { name: 'LATER', value: encryptValue(key, 'of another client') }
    const pushed = await remote.pushChanges([
      { op: 'create', resource: 'variable', id: randomUUID(), parentId: environment?.id ?? '', fields },
    ])
    expect(pushed).toMatchObject({ ok: true, value: [{ status: 'done' }] })
    valueOf(await it.command('sync.now', { workspaceId }))
    const unverified = policy === 'bound' ? 1 : 0
    await it.until('environments.list', { workspaceId }, ([row]) => (row?.variableCount ?? 0) === values.length + 1)
    expect(valueOf(await it.query('sync.status', { workspaceId }))).toMatchObject({ values: policy, unverified })
    await it.app.close()

    const again = await stage.start({ dataDir: it.dataDir })
    await again.until('sync.status', { workspaceId }, ({ values: taken }) => taken === policy)
    const info = JSON.parse(await readFile(join(it.dataDir, 'workspaces', workspaceId, 'workspace.json'), 'utf8')) as { values?: string }
    expect(info.values).toBe(policy === 'bound' ? 'bound' : undefined)
  })
})
