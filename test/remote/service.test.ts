import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FeedItem } from '../../electron/remote/records.ts'
import type { Remote, RemoteResult } from '../../electron/remote/remote.ts'
import type { ChangeInput } from '../../service/protocol/changes.ts'
import { behind, type Lack } from '../support/reduced-service.ts'
import { startService, type StartedService } from '../support/start-service.ts'
import { aRemote } from './a-remote.ts'

/** Well-formed sealed values, of a key nobody has. */
const sealed = (fill: number): string => 'v1:' + Buffer.alloc(40, fill).toString('base64')
const remoteOf = (service: StartedService, apiKey = service.apiKey): Remote => aRemote(service.url, { apiKey: () => apiKey })

/** One record that is made as the application makes it. */
type Created = Extract<ChangeInput, { op: 'create' }> extends infer C ? (C extends object ? Omit<C, 'op' | 'id'> : never) : never
async function make(remote: Remote, created: Created): Promise<{ id: string }> {
  const id = randomUUID()
  const [answer] = await valueOf(remote.pushChanges([{ op: 'create', id, ...created }]))
  if (answer?.status !== 'done') throw new Error(answer?.error.message)
  return { id }
}
const makeShop = async (remote: Remote): Promise<void> => {
  await make(remote, { resource: 'project', fields: { name: 'Shop', slug: 'shop' } })
  await valueOf(remote.createEnvironment('shop', { name: 'Production', slug: 'prod' }, {}))
}
/** A variable in an environment of `shop`. */
const makeVariable = async (
  remote: Remote,
  environment: string,
  fields: { name: string; value: string; type?: 'number'; isSecret?: boolean },
) => make(remote, { resource: 'variable', parentId: (await valueOf(remote.getEnvironment('shop', environment))).id, fields })

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
    await makeShop(remote)
  })
  afterAll(() => service.close())

  test('reads the workspace', async () => {
    expect((await valueOf(remote.getWorkspace())).id).toBe(service.workspaceId)
  })

  test('lists, reads and deletes projects', async () => {
    const made = await make(remote, { resource: 'project', fields: { name: 'One', slug: 'one' } })
    const read = await valueOf(remote.getProject('one'))
    const listed = (await valueOf(remote.listProjects(null))).items.find((project) => project.slug === 'one')
    expect(read).toMatchObject({ id: made.id, etag: listed?.etag })
    expect(read.etag).toMatch(/^"/)

    expect(await errorOf(remote.deleteProject('one', { ifMatch: '"other"' }))).toBe('stale')
    expect(await valueOf(remote.deleteProject('one', { ifMatch: read.etag }))).toBeNull()
    expect(await errorOf(remote.deleteProject('one', {}))).toBe('missing')
  })

  test('makes, lists, reads and changes environments', async () => {
    const key = { idempotencyKey: 'k1' }
    const made = await valueOf(remote.createEnvironment('shop', { name: 'Test', slug: 'test' }, key))
    expect((await valueOf(remote.createEnvironment('shop', { name: 'Test', slug: 'test' }, key))).id).toBe(made.id)
    expect(await errorOf(remote.createEnvironment('shop', { name: 'Test', slug: 'test' }, {}))).toBe('taken')
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
    expect(await errorOf(remote.updateEnvironment('shop', 'tests', { name: 'T' }, { ifMatch: read.etag }))).toBe('stale')
    expect(await errorOf(remote.getEnvironment('shop', 'test'))).toBe('missing')
  })

  test.each(['API_URL', 'ODD.name-1', 'with space', 'a?b#c%2Fd&e=f', 'ключ 🔑', '...', 'back\\slash', 'e\u0301', "it's"])(
    'reads, changes and deletes the variable %j',
    async (name) => {
      const made = await makeVariable(remote, 'prod', { name, value: sealed(1), type: 'number', isSecret: true })
      const read = await valueOf(remote.getVariable('shop', 'prod', name))
      expect(read).toMatchObject({ id: made.id, name, value: sealed(1), etag: expect.stringMatching(/^"/) })

      const changed = await valueOf(remote.updateVariable(made.id, { value: sealed(2), isSecret: false }, { ifMatch: read.etag }))
      expect(changed).toMatchObject({ id: made.id, value: sealed(2) })
      expect(await errorOf(remote.updateVariable(made.id, { value: sealed(3) }, { ifMatch: read.etag }))).toBe('stale')
      const listed = await valueOf(remote.listVariables('shop', 'prod', null))
      expect(listed.items.find((variable) => variable.name === name)).toMatchObject({ type: 'number', isSecret: false, etag: changed.etag })

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

  test('lists and reads versions, and rolls back', async () => {
    const { id: parentId } = await valueOf(remote.createEnvironment('shop', { name: 'Versions', slug: 'versions' }, {}))
    await makeVariable(remote, 'versions', { name: 'KEPT', value: sealed(1) })
    const version = await make(remote, { resource: 'version', parentId, fields: { note: 'before' } })
    const listed = (await valueOf(remote.listVersions('shop', 'versions', null))).items
    expect(listed).toMatchObject([{ id: version.id, label: 'v1', note: 'before', variableCount: 1 }])
    expect((await valueOf(remote.getVersion(version.id))).variables).toEqual([{ name: 'KEPT', value: sealed(1) }])
    await makeVariable(remote, 'versions', { name: 'ADDED', value: sealed(2) })
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

    const made = await makeVariable(remote, 'prod', { name: 'FED', value: sealed(1) })
    await valueOf(remote.deleteVariable('shop', 'prod', 'FED', {}))
    const after = await valueOf(remote.changes(cursor))
    expect(after.items).toContainEqual({ resource: 'variable', id: made.id, record: null })
    expect(await errorOf(remote.changes('an-older-epoch'))).toBe('cursor-gone')
  })

  test('says what it was refused for', async () => {
    expect(await errorOf(remoteOf(service, 'hf_wrong').getWorkspace())).toBe('unauthorized')
    const made = await makeVariable(remote, 'prod', { name: 'PLAIN', value: sealed(1) })
    expect(await remote.updateVariable(made.id, { value: 'plain' }, {})).toMatchObject({
      ok: false,
      error: { kind: 'refused', status: 422, message: expect.stringMatching(/service says: “.*v1/s) },
    })
    expect(await errorOf(remote.createEnvironment('nowhere', { name: 'A', slug: 'a' }, {}))).toBe('missing')
    expect(await errorOf(remote.updateVariable(made.id, { value: 'v1:' + 'A'.repeat(6_000_000) }, {}))).toBe('refused')
  })
})

describe('with the real service, the profile', () => {
  let service: StartedService
  beforeAll(async () => {
    service = await startService()
    await makeShop(remoteOf(service))
  })
  afterAll(() => service.close())

  const without = (...lacks: Lack[]): Remote => aRemote(service.url, { apiKey: () => service.apiKey, fetch: behind(lacks, fetch) })

  test('is full as soon as the change feed answers, and refusals keep their meaning', async () => {
    const remote = without()
    expect(remote.profile()).toBeNull()
    expect(await errorOf(remote.listVariables('shop', 'nowhere', null))).toBe('missing')
    expect(remote.profile()).toMatchObject({ kind: 'full', missing: [] })
  })

  test.each(['rows', 'versions', 'members', 'etags'] as const)('is full though %s alone are hidden', async (lack) => {
    const remote = without(lack)
    await valueOf(remote.changes(null))
    expect(remote.profile()).toMatchObject({ kind: 'full', missing: [] })
  })

  test('is basic without the change feed, with the lists that answered', async () => {
    const remote = without('feed', 'members')
    await valueOf(remote.listVariables('shop', 'prod', null))
    expect(await errorOf(remote.changes(null))).toBe('no-route')
    expect(await errorOf(remote.listMembers(null))).toBe('no-route')
    expect(remote.profile()).toMatchObject({ kind: 'basic', lists: ['variables'] })
    expect(remote.profile()?.missing).toHaveLength(3)
    // The route is there, so it is the environment that is not.
    expect(await errorOf(remote.listVariables('shop', 'nowhere', null))).toBe('missing')
  })

  test('of a service with only the 14 operations lists nothing, and those work', async () => {
    const remote = without('feed', 'rows', 'versions', 'members', 'etags')
    expect(await errorOf(remote.pushChanges([{ op: 'delete', resource: 'variable', id: 'v' }]))).toBe('no-route')
    expect(await errorOf(remote.listProjects(null))).toBe('no-route')
    expect(remote.profile()).toMatchObject({ kind: 'basic', lists: [] })
    expect(await errorOf(remote.getProject('shop'))).toBe('ok')
    expect(await errorOf(remote.createEnvironment('shop', { name: 'More', slug: 'more' }, {}))).toBe('ok')
  })

  test('with a wrong key stays unknown', async () => {
    const service = await startService()
    const remote = remoteOf(service, 'hf_wrong')
    expect(await errorOf(remote.changes(null))).toBe('unauthorized')
    expect(remote.profile()).toBeNull()
    await service.close()
  })
})
