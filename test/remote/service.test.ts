import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FeedItem, Remote, RemoteResult } from '../../electron/remote/remote.ts'
import type { ChangeInput } from '../../service/protocol/changes.ts'
import { startService, type StartedService } from '../support/start-service.ts'
import { aRemote } from './a-remote.ts'

/** Well-formed sealed values, of a key nobody has. */
const sealed = (fill: number): string => 'v1:' + Buffer.alloc(40, fill).toString('base64')
const remoteOf = (service: StartedService, apiKey = service.apiKey): Remote => aRemote(service.url, { apiKey: () => apiKey })

async function valueOf<T>(result: RemoteResult<T>): Promise<T> {
  const outcome = await result
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`)
  return outcome.value
}

async function errorOf(result: RemoteResult<unknown>): Promise<string> {
  const outcome = await result
  return outcome.ok ? 'ok' : outcome.error.kind
}

describe('with the real service, every operation', () => {
  let service: StartedService
  let remote: Remote
  beforeAll(async () => {
    service = await startService()
    remote = remoteOf(service)
    await valueOf(remote.createProject({ name: 'Shop', slug: 'shop' }, { idempotencyKey: 'shop' }))
    await valueOf(remote.createEnvironment('shop', { name: 'Production', slug: 'prod' }, {}))
  })
  afterAll(() => service.close())

  test('reads the workspace', async () => {
    expect((await valueOf(remote.getWorkspace())).id).toBe(service.workspaceId)
  })

  test('makes, lists, reads, changes and deletes projects', async () => {
    const made = await valueOf(remote.createProject({ name: 'One', slug: 'one' }, { idempotencyKey: 'k1' }))
    const repeated = await valueOf(remote.createProject({ name: 'One', slug: 'one' }, { idempotencyKey: 'k1' }))
    expect(repeated.id).toBe(made.id)
    expect(await errorOf(remote.createProject({ name: 'One', slug: 'one' }, { idempotencyKey: 'k2' }))).toBe('taken')

    const read = await valueOf(remote.getProject('one'))
    const listed = (await valueOf(remote.listProjects(null))).items.find((project) => project.slug === 'one')
    expect(read).toMatchObject({ id: made.id, etag: listed?.etag })
    expect(read.etag).toMatch(/^"/)

    const renamed = await valueOf(remote.updateProject('one', { slug: 'two' }, { ifMatch: read.etag }))
    expect(renamed.slug).toBe('two')
    expect(await errorOf(remote.updateProject('two', { name: 'Two' }, { ifMatch: read.etag }))).toBe('stale')
    expect(await errorOf(remote.getProject('one'))).toBe('missing')
    expect(await errorOf(remote.deleteProject('two', { ifMatch: read.etag }))).toBe('stale')
    expect(await valueOf(remote.deleteProject('two', { ifMatch: renamed.etag }))).toBeNull()
    expect(await errorOf(remote.deleteProject('two', {}))).toBe('missing')
  })

  test('makes, lists, reads, changes and deletes environments', async () => {
    const made = await valueOf(remote.createEnvironment('shop', { name: 'Test', slug: 'test' }, {}))
    expect((await valueOf(remote.listEnvironments('shop', null))).items.map((environment) => environment.slug)).toContain('test')
    const read = await valueOf(remote.getEnvironment('shop', 'test'))
    expect(read).toMatchObject({ id: made.id, projectId: made.projectId, name: 'Test' })
    expect(await valueOf(remote.updateEnvironment('shop', 'test', { name: 'Tests', slug: 'tests' }, { ifMatch: read.etag }))).toMatchObject(
      {
        id: made.id,
        name: 'Tests',
        slug: 'tests',
      },
    )
    expect(await valueOf(remote.deleteEnvironment('shop', 'tests', {}))).toBeNull()
    expect(await errorOf(remote.getEnvironment('shop', 'tests'))).toBe('missing')
  })

  test.each(['API_URL', 'ODD.name-1', 'with space', 'a?b#c%2Fd&e=f', 'ключ 🔑', '...', 'back\\slash', 'e\u0301', "it's"])(
    'makes, reads, changes and deletes the variable %j',
    async (name) => {
      const body = { name, value: sealed(1), type: 'number', isSecret: true } as const
      const made = await valueOf(remote.createVariable('shop', 'prod', body, { idempotencyKey: encodeURIComponent(name) }))
      expect(made).toMatchObject({ name, value: sealed(1), type: 'number', isSecret: true })
      const read = await valueOf(remote.getVariable('shop', 'prod', name))
      expect(read).toMatchObject({ id: made.id, name, value: sealed(1), etag: made.etag })

      const changed = await valueOf(remote.updateVariable(made.id, { value: sealed(2), isSecret: false }, { ifMatch: read.etag }))
      expect(changed).toMatchObject({ id: made.id, value: sealed(2) })
      expect(await errorOf(remote.updateVariable(made.id, { value: sealed(3) }, { ifMatch: read.etag }))).toBe('stale')
      const listed = await valueOf(remote.listVariables('shop', 'prod', null))
      expect(listed.items.find((variable) => variable.name === name)).toMatchObject({ isSecret: false, etag: changed.etag })

      expect(await errorOf(remote.deleteVariable('shop', 'prod', name, { ifMatch: read.etag }))).toBe('stale')
      expect(await valueOf(remote.deleteVariable('shop', 'prod', name, { ifMatch: changed.etag }))).toBeNull()
      expect(await errorOf(remote.getVariable('shop', 'prod', name))).toBe('missing')
    },
  )

  test('takes several changes in one request, answered one by one, and deletes by names', async () => {
    const parentId = (await valueOf(remote.getEnvironment('shop', 'prod'))).id
    const create = (name: string, value: string): ChangeInput => ({
      op: 'create',
      resource: 'variable',
      id: randomUUID(),
      parentId,
      fields: { name, value },
    })
    const [first, second, third] = [create('BULK_A', sealed(1)), create('BULK_B', 'not sealed'), create('BULK_C', sealed(3))] as const
    const answers = await valueOf(remote.pushChanges([first, second, third]))
    expect(answers).toMatchObject([
      { status: 'done', record: { resource: 'variable', record: { id: first.id, name: 'BULK_A', value: sealed(1) } } },
      { status: 'failed', error: { kind: 'refused', status: 422 } },
      { status: 'done', record: { record: { name: 'BULK_C' } } },
    ])
    const update: ChangeInput = { op: 'update', resource: 'variable', id: first.id, ifMatch: '"other"', fields: { value: sealed(2) } }
    const again = await valueOf(remote.pushChanges([update, create('BULK_A', sealed(4)), { ...update, id: 'nobody' }]))
    expect(again).toMatchObject([
      { status: 'failed', error: { kind: 'stale' }, record: { record: { id: first.id, value: sealed(1) } } },
      { status: 'failed', error: { kind: 'taken' }, record: { record: { id: first.id } } },
      { status: 'failed', error: { kind: 'missing' }, missing: 'record' },
    ])
    expect(await valueOf(remote.getRecord('variable', first.id))).toMatchObject({ record: { name: 'BULK_A', value: sealed(1) } })
    expect(await errorOf(remote.getRecord('variable', randomUUID()))).toBe('missing')
    const deleted = await valueOf(remote.deleteVariables('shop', 'prod', ['BULK_A', 'NOPE', 'BULK_C']))
    expect(deleted.deleted.map((variable) => variable.name).sort()).toEqual(['BULK_A', 'BULK_C'])
    expect(deleted.notFound).toEqual(['NOPE'])
    expect(await valueOf(remote.pushChanges([first]))).toMatchObject([{ status: 'failed', error: { kind: 'missing' } }])
  })

  test('pages through a long list', async () => {
    await valueOf(remote.createEnvironment('shop', { name: 'Long', slug: 'long' }, {}))
    const names = Array.from({ length: 150 }, (_, index) => `N${String(index).padStart(3, '0')}`)
    const parentId = (await valueOf(remote.getEnvironment('shop', 'long'))).id
    const changes = names.map((name): ChangeInput => ({
      op: 'create',
      resource: 'variable',
      id: randomUUID(),
      parentId,
      fields: { name, value: sealed(5) },
    }))
    await valueOf(remote.pushChanges(changes))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: { name: string }[]; nextCursor: string | null } = await valueOf(remote.listVariables('shop', 'long', cursor))
      seen.push(...page.items.map((variable) => variable.name))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen.sort()).toEqual(names)
  })

  test('saves, lists and reads versions, and rolls back', async () => {
    await valueOf(remote.createEnvironment('shop', { name: 'Versions', slug: 'versions' }, {}))
    await valueOf(remote.createVariable('shop', 'versions', { name: 'KEPT', value: sealed(1) }, {}))
    const version = await valueOf(remote.createVersion('shop', 'versions', { note: 'before' }, {}))
    expect(version).toMatchObject({ label: 'v1', note: 'before', variableCount: 1 })
    expect((await valueOf(remote.listVersions('shop', 'versions', null))).items.map((item) => item.id)).toEqual([version.id])
    expect((await valueOf(remote.getVersion(version.id))).variables).toEqual([{ name: 'KEPT', value: sealed(1) }])
    await valueOf(remote.createVariable('shop', 'versions', { name: 'ADDED', value: sealed(2) }, {}))
    expect(await valueOf(remote.rollback(version.id, { idempotencyKey: 'roll-1' }))).toEqual({
      versionLabel: 'v1',
      added: 0,
      updated: 0,
      removed: 1,
    })
    expect(await errorOf(remote.getVersion('nothing'))).toBe('missing')
  })

  test('invites, lists and removes members', async () => {
    const member = await valueOf(remote.inviteMember({ email: 'a@example.com', roleId: 'viewer' }, {}))
    expect(member).toMatchObject({ email: 'a@example.com', status: 'invited', roleId: 'viewer' })
    expect(await errorOf(remote.inviteMember({ email: 'a@example.com', roleId: 'viewer' }, {}))).toBe('taken')
    expect((await valueOf(remote.listMembers(null))).items.map((item) => item.id)).toContain(member.id)
    expect(await valueOf(remote.removeMember(member.id))).toBeNull()
    expect(await errorOf(remote.removeMember(member.id))).toBe('missing')
  })

  test('follows the change feed to what there is now', async () => {
    const rows = new Map<string, FeedItem>()
    let cursor: string | null = null
    for (;;) {
      const page: { items: FeedItem[]; nextCursor: string; more: boolean } = await valueOf(remote.changes(cursor))
      for (const item of page.items) rows.set(`${item.resource} ${item.id}`, item)
      cursor = page.nextCursor
      if (!page.more) break
    }
    const live = [...rows.values()].filter((item) => item.record !== null)
    const projects = await valueOf(remote.listProjects(null))
    expect(live.filter((item) => item.resource === 'project').map((item) => item.record)).toEqual(projects.items)

    const made = await valueOf(remote.createVariable('shop', 'prod', { name: 'FED', value: sealed(1) }, {}))
    await valueOf(remote.deleteVariable('shop', 'prod', 'FED', {}))
    const after = await valueOf(remote.changes(cursor))
    expect(after.items).toContainEqual({ resource: 'variable', id: made.id, record: null })
    expect(await errorOf(remote.changes('an-older-epoch'))).toBe('cursor-gone')
  })

  test('says what it was refused for', async () => {
    expect(await errorOf(remoteOf(service, 'hf_wrong').getWorkspace())).toBe('unauthorized')
    const unsealed = await remote.createVariable('shop', 'prod', { name: 'PLAIN', value: 'plain' }, {})
    expect(unsealed).toMatchObject({
      ok: false,
      error: { kind: 'refused', status: 422, message: expect.stringMatching(/service says: “.*v1/s) },
    })
    expect(await errorOf(remote.createEnvironment('nowhere', { name: 'A', slug: 'a' }, {}))).toBe('missing')
    expect(await errorOf(remote.createVariable('shop', 'prod', { name: 'BIG', value: 'v1:' + 'A'.repeat(6_000_000) }, {}))).toBe('refused')
  })
})

describe('with the real service, the profile', () => {
  /** A project with an environment, on the service with fewer routes. */
  async function reduced(options: Parameters<typeof startService>[0], run: (remote: Remote) => Promise<void>): Promise<void> {
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-remote-'))
    const full = await startService({ dir })
    await valueOf(remoteOf(full).createProject({ name: 'Shop', slug: 'shop' }, {}))
    await valueOf(remoteOf(full).createEnvironment('shop', { name: 'Production', slug: 'prod' }, {}))
    await full.close()
    const service = await startService({ dir, ...options })
    try {
      await run(remoteOf(service))
    } finally {
      await service.close()
      await rm(dir, { recursive: true, force: true })
    }
  }

  test('is full as soon as the change feed answers, and refusals keep their meaning', async () => {
    await reduced({}, async (remote) => {
      expect(remote.profile()).toBeNull()
      expect(await errorOf(remote.createVariable('shop', 'nowhere', { name: 'A', value: sealed(1) }, {}))).toBe('missing')
      expect(remote.profile()).toMatchObject({ kind: 'full', missing: [] })
    })
  })

  test.each(['lists', 'versions', 'members', 'etags'] as const)('is full though %s alone are switched off', async (capability) => {
    await reduced({ without: [capability] }, async (remote) => {
      await valueOf(remote.changes(null))
      expect(remote.profile()).toMatchObject({ kind: 'full', missing: [] })
    })
  })

  test('is basic without the change feed, with the lists that answered', async () => {
    await reduced({ without: ['changes', 'members'] }, async (remote) => {
      await valueOf(remote.listVariables('shop', 'prod', null))
      expect(await errorOf(remote.changes(null))).toBe('no-route')
      expect(await errorOf(remote.listMembers(null))).toBe('no-route')
      expect(remote.profile()).toMatchObject({ kind: 'basic', lists: ['variables'] })
      expect(remote.profile()?.missing).toHaveLength(3)
      // The route is there, so it is the environment that is not.
      expect(await errorOf(remote.listVariables('shop', 'nowhere', null))).toBe('missing')
    })
  })

  test('of a service with only the 14 operations lists nothing, and those work', async () => {
    await reduced({ routes: 'operations' }, async (remote) => {
      expect(await errorOf(remote.pushChanges([{ op: 'delete', resource: 'variable', id: 'v' }]))).toBe('no-route')
      expect(await errorOf(remote.listProjects(null))).toBe('no-route')
      expect(remote.profile()).toMatchObject({ kind: 'basic', lists: [] })
      expect(await errorOf(remote.getProject('shop'))).toBe('ok')
      expect(await errorOf(remote.createEnvironment('shop', { name: 'More', slug: 'more' }, {}))).toBe('ok')
    })
  })

  test('with a wrong key stays unknown', async () => {
    const service = await startService()
    const remote = remoteOf(service, 'hf_wrong')
    expect(await errorOf(remote.changes(null))).toBe('unauthorized')
    expect(remote.profile()).toBeNull()
    await service.close()
  })
})
