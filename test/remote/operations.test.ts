import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Remote, RemoteResult } from '../../electron/remote/remote.ts'
import type { ChangeInput } from '../../service/protocol/changes.ts'
import { failure, startFaultServer, success, type FaultServer } from '../support/fault-server.ts'
import { aRemote } from './a-remote.ts'

const at = '2026-01-01T00:00:00.000Z'
const later = '2026-02-01T00:00:00.000Z'
const workspace = { id: 'w1', name: 'Acme', slug: 'acme', icon: 'box' }
const project = { id: 'p1', name: 'Shop', slug: 'shop', icon: 'cart', createdAt: at }
const environment = { id: 'e1', name: 'Production', slug: 'prod', projectId: 'p1', createdAt: at }
const variable = { id: 'v1', name: 'API_URL', value: 'v1:AAAA', environmentId: 'e1', createdAt: at, updatedAt: later }
const version = { id: 'n1', label: 'v3', note: '', variableCount: 1, environmentId: 'e1', createdAt: at }
const snapshot = { ...version, variables: [{ name: 'API_URL', value: 'v1:AAAA' }] }
const member = { id: 'm1', email: 'a@example.com', status: 'invited', roleId: 'r1' }
const rolledBack = { versionLabel: 'v3', added: 1, updated: 2, removed: 0 }
const options = { ifMatch: '"7"', idempotencyKey: 'key-1' }

let server: FaultServer
let remote: Remote
beforeAll(async () => {
  server = await startFaultServer()
  remote = aRemote(server.url)
})
afterAll(() => server.close())
beforeEach(() => {
  server.forget()
})

interface Row {
  ask: (remote: Remote) => RemoteResult<unknown>
  sends: string
  body?: unknown
  /** Which of If-Match and Idempotency-Key go out. */
  conditions?: 'match' | 'match and key'
  answer: unknown
  /** What it gives, where that is not the answer itself. */
  gives?: unknown
  /** The ETag header becomes part of it. */
  tagged?: true
}

describe('an operation', () => {
  test.each<[string, Row]>([
    ['getWorkspace', { ask: (r) => r.getWorkspace(), sends: 'GET /workspace', answer: workspace }],
    [
      'listProjects',
      {
        ask: (r) => r.listProjects(null),
        sends: 'GET /projects',
        answer: { items: [{ ...project, etag: '"1"' }], nextCursor: null },
        gives: { items: [{ ...project, etag: '"1"' }], nextCursor: null },
      },
    ],
    [
      'listProjects, next page',
      {
        ask: (r) => r.listProjects('a b&c'),
        sends: 'GET /projects?cursor=a+b%26c',
        answer: { items: [], nextCursor: 'more' },
      },
    ],
    [
      'listProjects, bare',
      { ask: (r) => r.listProjects(null), sends: 'GET /projects', answer: [project], gives: { items: [project], nextCursor: null } },
    ],
    ['getProject', { ask: (r) => r.getProject('shop'), sends: 'GET /projects/shop', answer: project, tagged: true }],
    [
      'deleteProject',
      {
        ask: (r) => r.deleteProject('shop', options),
        sends: 'DELETE /projects/shop',
        conditions: 'match',
        answer: { id: 'p1', name: 'Shop', slug: 'shop' },
        gives: null,
      },
    ],
    [
      'listEnvironments',
      {
        ask: (r) => r.listEnvironments('shop', null),
        sends: 'GET /projects/shop/environments',
        answer: [environment],
        gives: { items: [environment], nextCursor: null },
      },
    ],
    [
      'createEnvironment',
      {
        ask: (r) => r.createEnvironment('shop', { name: 'Production', slug: 'prod' }, options),
        sends: 'POST /projects/shop/environments',
        body: { name: 'Production', slug: 'prod' },
        conditions: 'match and key',
        answer: environment,
        tagged: true,
      },
    ],
    [
      'getEnvironment',
      { ask: (r) => r.getEnvironment('shop', 'prod'), sends: 'GET /projects/shop/environments/prod', answer: environment, tagged: true },
    ],
    [
      'updateEnvironment',
      {
        ask: (r) => r.updateEnvironment('shop', 'prod', { name: 'Live' }, options),
        sends: 'PATCH /projects/shop/environments/prod',
        body: { name: 'Live' },
        conditions: 'match',
        answer: { id: 'e1', name: 'Live', slug: 'prod', projectId: 'p1', updatedAt: later },
        tagged: true,
      },
    ],
    [
      'listVariables',
      {
        ask: (r) => r.listVariables('shop', 'prod', 'c1'),
        sends: 'GET /projects/shop/environments/prod/variables?cursor=c1',
        answer: { items: [variable], nextCursor: null },
      },
    ],
    [
      'getVariable',
      {
        ask: (r) => r.getVariable('shop', 'prod', 'API_URL'),
        sends: 'GET /projects/shop/environments/prod/variables/API_URL',
        answer: variable,
        tagged: true,
      },
    ],
    [
      'deleteVariable',
      {
        ask: (r) => r.deleteVariable('shop', 'prod', 'API_URL', options),
        sends: 'DELETE /projects/shop/environments/prod/variables/API_URL',
        conditions: 'match',
        answer: { id: 'v1', name: 'API_URL', environmentId: 'e1' },
        gives: null,
      },
    ],
    [
      'deleteVariables',
      {
        ask: (r) => r.deleteVariables('shop', 'prod', ['A', 'B/../C']),
        sends: 'DELETE /projects/shop/environments/prod/variables',
        body: { names: ['A', 'B/../C'] },
        answer: { deleted: [{ id: 'v1', name: 'A' }], count: 1, notFound: ['B/../C'] },
        gives: { deleted: [{ id: 'v1', name: 'A' }], notFound: ['B/../C'] },
      },
    ],
    [
      'updateVariable',
      {
        ask: (r) => r.updateVariable('v1', { value: 'v1:BBBB', isSecret: undefined }, options),
        sends: 'PATCH /variables/v1',
        body: { value: 'v1:BBBB' },
        conditions: 'match',
        answer: { ...variable, type: 'number' },
        tagged: true,
      },
    ],
    [
      'listVersions',
      {
        ask: (r) => r.listVersions('shop', 'prod', null),
        sends: 'GET /projects/shop/environments/prod/versions',
        answer: { items: [version], nextCursor: 'x' },
      },
    ],
    ['getVersion', { ask: (r) => r.getVersion('n1'), sends: 'GET /versions/n1', answer: snapshot }],
    [
      'rollback',
      { ask: (r) => r.rollback('n1', options), sends: 'POST /versions/n1/rollback', conditions: 'match and key', answer: rolledBack },
    ],
    ['listMembers', { ask: (r) => r.listMembers(null), sends: 'GET /members', answer: { items: [member], nextCursor: null } }],
    [
      'inviteMember',
      {
        ask: (r) => r.inviteMember({ email: 'a@example.com', roleId: 'r1' }, options),
        sends: 'POST /members',
        body: { email: 'a@example.com', roleId: 'r1' },
        conditions: 'match and key',
        answer: member,
      },
    ],
    [
      'renameWorkspace',
      {
        ask: (r) => r.renameWorkspace('Ops'),
        sends: 'PATCH /workspace',
        body: { name: 'Ops' },
        answer: { ...workspace, name: 'Ops' },
        gives: null,
      },
    ],
    ['removeMember', { ask: (r) => r.removeMember('m1'), sends: 'DELETE /members/m1', answer: { id: 'm1' }, gives: null }],
    [
      'changes',
      {
        ask: (r) => r.changes('e1.5'),
        sends: 'GET /changes?cursor=e1.5&limit=1000',
        answer: { items: [{ resource: 'project', id: 'p1', deleted: false, record: project }], nextCursor: 'e1.6', more: true },
        gives: { items: [{ resource: 'project', id: 'p1', record: project }], nextCursor: 'e1.6', more: true },
      },
    ],
  ])('%s sends what it should and reads the answer', async (_name, { ask, sends, body, conditions, answer, gives, tagged }) => {
    server.answer(success(answer, { headers: { etag: '"42"' } }))
    const expected = gives === undefined ? answer : gives
    expect(await ask(remote)).toEqual({ ok: true, value: tagged ? { ...(expected as object), etag: '"42"' } : expected })
    const request = server.requests[0]
    expect(server.requests).toHaveLength(1)
    expect(`${request?.method} ${request?.url}`).toBe(sends)
    expect(request?.body).toBe(body === undefined ? '' : JSON.stringify(body))
    expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json')
    expect(request?.headers['if-match']).toBe(conditions === undefined ? undefined : options.ifMatch)
    expect(request?.headers['idempotency-key']).toBe(conditions === 'match and key' ? options.idempotencyKey : undefined)
  })

  test.each<[string, (remote: Remote) => RemoteResult<unknown>]>([
    ['getProject', (r) => r.getProject('..')],
    ['deleteProject', (r) => r.deleteProject('', {})],
    ['createEnvironment', (r) => r.createEnvironment('shop', { name: 'Up', slug: 'a/b' }, {})],
    ['deleteVariable', (r) => r.deleteVariable('shop', 'prod', '..', {})],
    ['updateEnvironment', (r) => r.updateEnvironment('shop', 'prod', { slug: '.' }, {})],
    ['updateVariable', (r) => r.updateVariable('v1', { name: 'a\nb' }, {})],
    ['updateVariable by id', (r) => r.updateVariable('..', {}, {})],
    ['pushChanges of none', (r) => r.pushChanges([])],
    ['getRecord', (r) => r.getRecord('variable', '..')],
    ['deleteVariables of none', (r) => r.deleteVariables('shop', 'prod', [])],
    ['deleteVariables of 201', (r) => r.deleteVariables('shop', 'prod', Array(201).fill('A') as string[])],
    ['rollback', (r) => r.rollback('a/..', {})],
    ['a revision mark with a line break', (r) => r.getProject('shop').then(() => r.deleteProject('shop', { ifMatch: '"1"\r\nx: y' }))],
  ])('%s sends nothing that could hit another record', async (_name, ask) => {
    server.answer(success(project))
    expect(await ask(remote)).toMatchObject({ ok: false, error: { kind: 'unsafe', outcome: 'none' } })
    expect(server.requests.filter((request) => request.method !== 'GET')).toEqual([])
  })
})

describe('a record', () => {
  test.each([
    ['types that are none', { type: 'text', isSecret: 'yes', updatedBy: 7, createdAt: 'yesterday', updatedAt: null, etag: 7 }],
    ['nothing more', {}],
    ['fields of the future', { colour: 'red', versions: [{}] }],
    ['a weak revision mark', { etag: 'W/"1"' }],
    ['a revision mark that no header can carry', { etag: '"ключ"' }],
  ])('with %s is read without them', async (_name, extra) => {
    const core = { id: 'v1', name: 'A', value: '', environmentId: 'e1' }
    server.answer(success({ ...core, ...extra }))
    expect(await remote.getVariable('shop', 'prod', 'A')).toEqual({ ok: true, value: core })
  })

  test.each([['W/"1"'], ['1'], ['"é"'], ['']])('with the ETag header %s has no revision mark', async (etag) => {
    server.answer(success(variable, { headers: { etag } }))
    expect(await remote.getVariable('shop', 'prod', 'A')).toEqual({ ok: true, value: variable })
  })

  test.each<[string, unknown, (remote: Remote) => RemoteResult<unknown>]>([
    ['a variable without value', { ...variable, value: undefined }, (r) => r.getVariable('a', 'b', 'c')],
    ['a variable with a null value', { ...variable, value: null }, (r) => r.getVariable('a', 'b', 'c')],
    ['a variable of no environment', { ...variable, environmentId: 5 }, (r) => r.updateVariable('v1', {}, {})],
    ['an environment of no project', { ...environment, projectId: undefined }, (r) => r.getEnvironment('a', 'b')],
    ['a project without slug', { ...project, slug: undefined }, (r) => r.getProject('a')],
    ['a version without variables', version, (r) => r.getVersion('n1')],
    ['a version with half a variable', { ...snapshot, variables: [{ name: 'A' }] }, (r) => r.getVersion('n1')],
    ['a version of some day', { ...snapshot, createdAt: 'someday' }, (r) => r.getVersion('n1')],
    ['a rollback that counts in words', { ...rolledBack, added: 'one' }, (r) => r.rollback('n1', {})],
    ['a bulk deletion without notFound', { deleted: [], count: 0 }, (r) => r.deleteVariables('a', 'b', ['A'])],
    ['a member without role', { ...member, roleId: null }, (r) => r.inviteMember({ email: 'a@example.com', roleId: 'r' }, {})],
  ])('%s is not the service’s', async (_name, data, ask) => {
    server.answer(success(data))
    expect(await ask(remote)).toMatchObject({ ok: false, error: { kind: 'not-a-service', outcome: 'unknown' } })
  })
})

describe('a list', () => {
  test.each<[string, unknown]>([
    ['without items', { nextCursor: null }],
    ['with one record that cannot be read', { items: [project, { id: 'p2' }], nextCursor: null }],
    ['with a cursor of a wrong type', { items: [project], nextCursor: 7 }],
    ['that points at itself', { items: [project], nextCursor: 'here' }],
    ['that is a text', 'projects'],
    ['that is an object', { 0: project, length: 1 }],
  ])('%s is not the service’s, and no record is taken for deleted', async (_name, data) => {
    server.answer(success(data))
    expect(await remote.listProjects('here')).toMatchObject({ ok: false, error: { kind: 'not-a-service' } })
  })

  test.each([[{ items: [project] }], [{ items: [project], nextCursor: null }], [{ items: [project], nextCursor: '' }], [[project]]])(
    'as %j is whole',
    async (data) => {
      server.answer(success(data))
      expect(await remote.listProjects(null)).toEqual({ ok: true, value: { items: [project], nextCursor: null } })
    },
  )
})

describe('the change feed', () => {
  const page = (items: unknown[], rest: object = {}) => success({ items, nextCursor: 'c2', more: false, ...rest })

  test('gives every kind it knows, tombstones as null, in order, and leaves out the rest', async () => {
    const live = {
      project,
      environment,
      variable: { ...variable, type: 'string', isSecret: false, updatedBy: 'm1', etag: '"9"' },
      version,
      member,
    }
    const items = Object.entries(live).map(([resource, record]) => ({ resource, id: record.id, deleted: false, record }))
    const gone = { resource: 'variable', id: 'v9', deleted: true, record: null }
    const odd = [
      { resource: 'webhook', id: 'x', deleted: false, record: { id: 'x' } },
      { resource: 'constructor', id: 'y', deleted: true, record: null },
    ]
    server.answer(page([...items, ...odd, gone]))
    expect(await remote.changes(null)).toEqual({
      ok: true,
      value: {
        items: [...items.map(({ resource, id, record }) => ({ resource, id, record })), { resource: 'variable', id: 'v9', record: null }],
        nextCursor: 'c2',
        more: false,
      },
    })
    expect(server.requests[0]?.url).toBe('/changes?limit=1000')
  })

  test('says what the workspace is called, what the API key may do and whose it is, where the service does', async () => {
    const workspace = { resource: 'workspace', id: 'w1', deleted: false, record: { id: 'w1', name: 'Ops', slug: 'ops' } }
    const told = { permissions: ['read', 'variables.write'], memberId: 'm1' }
    server.answer(page([workspace], told))
    expect(await remote.changes(null)).toMatchObject({ value: { workspaceName: 'Ops', ...told } })
    server.answer(page([{ ...workspace, record: { name: 7 } }], { permissions: 'all', memberId: 7 }))
    expect(await remote.changes(null)).toMatchObject({
      ok: true,
      value: { workspaceName: undefined, permissions: undefined, memberId: undefined },
    })
  })

  test('says the last name of the workspace, however long the page is', async () => {
    const named = (name: string) => ({ resource: 'workspace', id: 'w1', deleted: false, record: { id: 'w1', name } })
    const gone = Array.from({ length: 4000 }, (_, index) => ({ resource: 'variable', id: `v${index}`, deleted: true, record: null }))
    server.answer(page([named('Ops'), ...gone, named('Platform'), ...gone]))
    expect(await remote.changes(null)).toMatchObject({ ok: true, value: { workspaceName: 'Platform' } })
  })

  test('may stand still at its end', async () => {
    server.answer(page([]))
    expect(await remote.changes('c2')).toEqual({ ok: true, value: { items: [], nextCursor: 'c2', more: false } })
  })

  test.each<[string, ReturnType<typeof success>]>([
    ['an unreadable record', page([{ resource: 'project', id: 'p1', deleted: false, record: { id: 'p1' } }])],
    ['a record of another id', page([{ resource: 'project', id: 'p2', deleted: false, record: project }])],
    ['neither record nor tombstone', page([{ resource: 'project', id: 'p1', deleted: false, record: null }])],
    ['no word on deletion', page([{ resource: 'project', id: 'p1', record: null }])],
    ['no cursor', page([], { nextCursor: null })],
    ['an empty cursor', page([], { nextCursor: '' })],
    ['no end', page([], { more: true })],
    ['no word on its end', page([], { more: undefined })],
  ])('with %s is not the service’s', async (_name, answer) => {
    server.answer(answer)
    expect(await remote.changes('c2')).toMatchObject({ ok: false, error: { kind: 'not-a-service' } })
  })
})

describe('several changes', () => {
  const sent: ChangeInput[] = [
    { op: 'create', resource: 'variable', id: 'a', parentId: 'e1', fields: { name: 'A', value: 'v1:AAAA' } },
    { op: 'delete', resource: 'variable', id: 'b', ifMatch: '"5"' },
  ]
  const push = () => remote.pushChanges(sent)
  const record = (id: string) => ({ ...variable, id, etag: '"5"' })
  const deleted = { id: 'b', status: 'done', record: null }

  test('go out in one request, and every answer is given in order', async () => {
    server.answer(success({ items: [{ id: 'a', status: 'done', record: record('a') }, deleted] }))
    expect(await push()).toEqual({
      ok: true,
      value: [
        { status: 'done', record: { resource: 'variable', record: record('a') }, counts: null },
        { status: 'done', record: null, counts: null },
      ],
    })
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/changes', body: JSON.stringify({ changes: sent }) })
  })

  test.each<[string, object, object]>([
    [
      'what was changed meanwhile, with the record',
      { code: 412, message: 'Changed meanwhile.', record: record('a') },
      { error: { kind: 'stale', message: expect.stringContaining('Changed meanwhile.') }, record: { record: { id: 'a' } } },
    ],
    [
      'a name that is taken, with its holder',
      { code: 409, record: record('x') },
      { error: { kind: 'taken' }, record: { record: { id: 'x' } } },
    ],
    ['a missing parent', { code: 404, missing: 'parent' }, { error: { kind: 'missing' }, missing: 'parent' }],
    ['a record that was deleted', { code: 410 }, { error: { kind: 'missing' }, missing: null }],
    ['a refusal', { code: 422 }, { error: { kind: 'refused', outcome: 'none', status: 422 } }],
    ['a failure of the service', { code: 500 }, { error: { kind: 'service-failed', outcome: 'unknown' } }],
    ['a holder that cannot be read', { code: 409, record: { id: 'x' } }, { error: { kind: 'taken' }, record: null }],
    ['no code', {}, { error: { kind: 'not-a-service', outcome: 'unknown' } }],
    ['a code that is no number', { code: '409' }, { error: { kind: 'not-a-service', outcome: 'unknown' } }],
    ['a code of success', { code: 200 }, { error: { kind: 'not-a-service', outcome: 'unknown' } }],
    ['success without a record', { status: 'done' }, { error: { kind: 'not-a-service', outcome: 'unknown' } }],
    ['success with another record', { status: 'done', record: record('x') }, { error: { kind: 'not-a-service', outcome: 'unknown' } }],
    ['an odd word for success', { status: 'created', record: record('a') }, { error: { kind: 'not-a-service', outcome: 'unknown' } }],
  ])('tell %s of one item alone', async (_name, item, expected) => {
    server.answer(success({ items: [{ id: 'a', status: 'failed', ...item }, deleted] }))
    expect(await push()).toMatchObject({ ok: true, value: [{ status: 'failed', ...expected }, { status: 'done' }] })
  })

  test.each<[string, unknown]>([
    ['too few items', { items: [deleted] }],
    ['another order', { items: [deleted, { id: 'a', status: 'done', record: record('a') }] }],
    ['other ids', { items: [{ id: 'c', status: 'done', record: record('c') }, deleted] }],
    ['items without ids', { items: [{ status: 'done' }, { status: 'done' }] }],
    ['no items', {}],
    ['a bare array', [deleted, deleted]],
  ])('with %s are not the service’s', async (_name, data) => {
    server.answer(success(data))
    expect(await push()).toMatchObject({ ok: false, error: { kind: 'not-a-service', outcome: 'unknown' } })
  })

  test('that are refused as a whole are one error', async () => {
    server.answer(failure(413, 'Too large.'))
    expect(await push()).toMatchObject({ ok: false, error: { kind: 'refused', status: 413 } })
  })

  test('give the counts of a rollback, which must be readable', async () => {
    const rollback: ChangeInput[] = [{ op: 'rollback', resource: 'version', id: 'n1', seen: 'c1' }]
    const counts = { added: 1, updated: 2, removed: 0 }
    server.answer(success({ items: [{ id: 'n1', status: 'done', record: version, counts }] }))
    expect(await remote.pushChanges(rollback)).toMatchObject({ ok: true, value: [{ status: 'done', counts }] })
    server.answer(success({ items: [{ id: 'n1', status: 'done', record: version }] }))
    expect(await remote.pushChanges(rollback)).toMatchObject({ ok: true, value: [{ status: 'failed', error: { outcome: 'unknown' } }] })
  })
})

describe('a record by its id', () => {
  test('is read as the feed shows it', async () => {
    server.answer(success(variable))
    expect(await remote.getRecord('variable', 'v1')).toEqual({ ok: true, value: { resource: 'variable', record: variable } })
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/records/variable/v1' })
  })

  test.each<[string, unknown]>([
    ['another id', { ...variable, id: 'v2' }],
    ['another kind', project],
    ['nothing', {}],
  ])('with %s is not the service’s', async (_name, data) => {
    server.answer(success(data))
    expect(await remote.getRecord('variable', 'v1')).toMatchObject({ ok: false, error: { kind: 'not-a-service' } })
  })

  test.each(['..', '', '%2e%2e', 'a/../b'])('is not asked for by the id %j', async (id) => {
    expect(await remote.getRecord('variable', id)).toMatchObject({ ok: false, error: { kind: 'unsafe' } })
    expect(server.requests).toEqual([])
  })
})
