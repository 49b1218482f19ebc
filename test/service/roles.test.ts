import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RoleId } from '../../service/protocol/roles.ts'
import { permissions, roleIds, roleMay } from '../../service/protocol/roles.ts'
import { endpoints } from '../../service/routes/all.ts'
import { inviteMember, removeMember, updateMember } from '../../service/store/members.ts'
import type { Write } from '../../service/store/write.ts'
import { writeIn } from '../../service/store/write.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

// The matrix of docs/service.md, written out: who may use each endpoint.
const everybody: RoleId[] = ['owner', 'admin', 'editor', 'viewer']
const editors: RoleId[] = ['owner', 'admin', 'editor']
const admins: RoleId[] = ['owner', 'admin']

interface Ids {
  project: string
  variable: string
  version: string
  member: string
}

const matrix: { endpoint: string; allowed: RoleId[]; path?: (ids: Ids) => string; body?: object }[] = [
  { endpoint: 'GET /workspace', allowed: everybody },
  { endpoint: 'PATCH /workspace', allowed: admins, body: { name: 'W' } },
  { endpoint: 'GET /projects', allowed: everybody },
  { endpoint: 'POST /projects', allowed: admins, body: { name: 'P', slug: 'p' } },
  { endpoint: 'GET /projects/{slug}', allowed: everybody },
  { endpoint: 'PATCH /projects/{slug}', allowed: admins, body: { name: 'P' } },
  { endpoint: 'GET /projects/{slug}/environments', allowed: everybody },
  { endpoint: 'POST /projects/{slug}/environments', allowed: editors, body: { name: 'E', slug: 'e' } },
  { endpoint: 'GET /projects/{slug}/environments/{environmentSlug}', allowed: everybody },
  { endpoint: 'PATCH /projects/{slug}/environments/{environmentSlug}', allowed: editors, body: { name: 'E' } },
  { endpoint: 'GET /projects/{slug}/environments/{environmentSlug}/variables', allowed: everybody },
  { endpoint: 'POST /projects/{slug}/environments/{environmentSlug}/variables', allowed: editors, body: { name: 'N', value: sealed('n') } },
  { endpoint: 'GET /projects/{slug}/environments/{environmentSlug}/variables/{name}', allowed: everybody },
  { endpoint: 'PATCH /variables/{id}', allowed: editors, path: ({ variable }) => `/variables/${variable}`, body: { isSecret: true } },
  { endpoint: 'GET /projects/{slug}/environments/{environmentSlug}/versions', allowed: everybody },
  { endpoint: 'POST /projects/{slug}/environments/{environmentSlug}/versions', allowed: editors, body: {} },
  { endpoint: 'GET /versions/{id}', allowed: everybody, path: ({ version }) => `/versions/${version}` },
  { endpoint: 'POST /versions/{id}/rollback', allowed: editors, path: ({ version }) => `/versions/${version}/rollback` },
  { endpoint: 'GET /members', allowed: everybody },
  { endpoint: 'POST /members', allowed: admins, body: { email: 'new@example.com', roleId: 'viewer' } },
  { endpoint: 'PATCH /members/{id}', allowed: admins, path: ({ member }) => `/members/${member}`, body: { roleId: 'editor' } },
  { endpoint: 'GET /roles', allowed: everybody },
  { endpoint: 'GET /changes', allowed: everybody },
  // Each item needs a right of its own: test/service/apply-changes.test.ts.
  { endpoint: 'POST /changes', allowed: everybody, body: { changes: [{ id: 'x' }] } },
  { endpoint: 'GET /records/{resource}/{id}', allowed: everybody, path: ({ variable }) => `/records/variable/${variable}` },
  { endpoint: 'GET /audit', allowed: admins },
  { endpoint: 'DELETE /members/{id}', allowed: admins, path: ({ member }) => `/members/${member}` },
  { endpoint: 'DELETE /projects/{slug}/environments/{environmentSlug}/variables/{name}', allowed: editors },
  { endpoint: 'DELETE /projects/{slug}/environments/{environmentSlug}/variables', allowed: editors, body: { names: ['B'] } },
  { endpoint: 'DELETE /projects/{slug}/environments/{environmentSlug}', allowed: admins },
  { endpoint: 'DELETE /projects/{slug}', allowed: admins },
  { endpoint: 'GET /deleted', allowed: everybody },
  { endpoint: 'POST /deleted/{id}/restore', allowed: admins, path: ({ project }) => `/deleted/${project}/restore` },
]

const makeAll = async (call: Call): Promise<Ids> => {
  const { projectId } = await makeEnvironment(call)
  await putVariables(call, { A: '1', B: '2' })
  const version = await call<{ id: string }>('POST', `${devPath}/versions`)
  const member = await call<{ id: string }>('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })
  return {
    project: projectId,
    variable: (await readVariables(call)).get('A')?.id ?? '',
    version: version.body.data.id,
    member: member.body.data.id,
  }
}

const idOf = async (call: Call, role: RoleId): Promise<string> => {
  const members = await call<{ items: { id: string; roleId: string }[] }>('GET', '/members')
  return members.body.data.items.find(({ roleId }) => roleId === role)?.id ?? ''
}

/** Sends a request but for the last byte of its body, and resolves once the service reads it. The result sends the rest and gives the status. */
const beginRequest = (url: string, method: string, key: string, body: string): Promise<() => Promise<number>> =>
  new Promise((begun, failed) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    }
    const sent = request(url, { method, headers })
    const status = new Promise<number>((resolve, reject) => {
      sent.once('error', reject).once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
    })
    status.catch(failed)
    sent.once('continue', () => {
      sent.write(body.slice(0, -1), () =>
        begun(() => {
          sent.end(body.slice(-1))
          return status
        }),
      )
    })
    sent.flushHeaders()
  })

test('the matrix names every endpoint', () => {
  expect(matrix.map(({ endpoint }) => endpoint).sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort())
})

test('the table in docs/service.md is the one in the code', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'service.md'), 'utf8')
  const [, table = ''] = /### Roles\n\n([\s\S]*?)\n\n/.exec(text) ?? []
  const [head = [], , ...rows] = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  expect(head.slice(1)).toEqual(roleIds)
  const written = rows.map(([what = '', ...cells]) => [/`(.+)`/.exec(what)?.[1], roleIds.filter((_, index) => cells[index] === 'yes')])
  const coded = permissions.map((permission) => [permission, roleIds.filter((role) => roleMay(role, permission))])
  expect(written.toSorted()).toEqual(coded.toSorted())
})

describe.each(databases)('on %s', (kind) => {
  const start = useServices(kind)

  test.each(roleIds)('the role %s may do what the matrix says and nothing else', async (role) => {
    const { call, memberCall } = await start()
    const ids = await makeAll(call)
    const member = await memberCall(role)
    for (const { endpoint, allowed, path, body } of matrix) {
      const [method = '', pattern = ''] = endpoint.split(' ')
      const url = path?.(ids) ?? pattern.replace('{slug}', 'app').replace('{environmentSlug}', 'dev').replace('{name}', 'A')
      const reply = await member(method, url, body)
      if (allowed.includes(role)) expect(reply.status, `${role}: ${endpoint}`).toBeLessThan(300)
      else
        expect(reply.body, `${role}: ${endpoint}`).toStrictEqual({
          success: false,
          code: 403,
          message: expect.stringContaining(role) as string,
          data: {},
        })
    }
  })

  test.each([
    { what: 'invite an owner', act: (call: Call, _owner: string) => call('POST', '/members', { email: 'x@example.com', roleId: 'owner' }) },
    { what: 'change an owner', act: (call: Call, owner: string) => call('PATCH', `/members/${owner}`, { roleId: 'viewer' }) },
    { what: 'remove an owner', act: (call: Call, owner: string) => call('DELETE', `/members/${owner}`) },
  ])('only an owner may $what', async ({ act }) => {
    const { call, memberCall } = await start()
    // A second owner, so that it is not the last one who is protected here.
    await memberCall('owner')
    const members = await call<{ items: { id: string }[] }>('GET', '/members')
    const owner = members.body.data.items[0]?.id ?? ''
    expect((await act(await memberCall('admin'), owner)).status).toBe(403)
    expect((await act(await memberCall('owner'), owner)).status).toBeLessThan(300)
  })

  test('a role that is changed or a member who is removed counts at the next request', async () => {
    const { call, memberCall } = await start()
    const admin = await memberCall('admin')
    const members = await call<{ items: { id: string; email: string }[] }>('GET', '/members')
    const id = members.body.data.items.find(({ email }) => email.startsWith('admin-'))?.id
    expect((await admin('GET', '/audit')).status).toBe(200)
    await call('PATCH', `/members/${id}`, { roleId: 'viewer' })
    expect((await admin('GET', '/audit')).status).toBe(403)
    await call('DELETE', `/members/${id}`)
    expect((await admin('GET', '/workspace')).status).toBe(401)
  })

  const demoted = { what: 'demoted', method: 'PATCH', body: { roleId: 'viewer' }, status: 403 }
  const removed = { what: 'removed', method: 'DELETE', body: undefined, status: 401 }

  test.each([demoted, removed])('who is $what while the body of a request arrives writes nothing with it', async (lost) => {
    const { url, call, memberKey } = await start()
    const key = await memberKey('admin')
    const id = await idOf(call, 'admin')
    const bodies: [method: string, path: string, body: object][] = [
      ['PATCH', `/members/${id}`, { roleId: 'admin' }],
      ['POST', '/members', { email: 'accomplice@example.com', roleId: 'admin' }],
      ['PATCH', '/workspace', { name: 'Taken' }],
    ]
    const begun = await Promise.all(bodies.map(([method, path, body]) => beginRequest(`${url}${path}`, method, key, JSON.stringify(body))))
    expect((await call(lost.method, `/members/${id}`, lost.body)).status).toBe(200)
    expect(await Promise.all(begun.map((end) => end()))).toEqual(bodies.map(() => lost.status))
    const members = await call<{ items: { email: string; roleId: string }[] }>('GET', '/members')
    expect(members.body.data.items.filter(({ roleId }) => roleId === 'admin')).toEqual([])
    expect((await call('GET', '/workspace')).body.data['name']).not.toBe('Taken')
  })

  test.each([demoted, removed])('who is $what changes no member by a write that waited behind that', async ({ body }) => {
    const { call, memberKey, service, workspaceId } = await start()
    await memberKey('admin')
    const [id, owner] = [await idOf(call, 'admin'), await idOf(call, 'owner')]
    const write = <T>(work: (write: Write) => Promise<T>) =>
      writeIn(service.store, workspaceId, { at: new Date().toISOString(), by: 'test' }, work)
    const outcomes = await Promise.allSettled([
      write((it) => (body === undefined ? removeMember(it, owner, id, null) : updateMember(it, owner, id, { roleId: 'viewer' }, null))),
      write((it) => updateMember(it, id, id, { roleId: 'admin' }, null)),
      write((it) => inviteMember(it, id, { email: 'accomplice@example.com', roleId: 'admin' })),
      write((it) => removeMember(it, id, id, null)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    const members = await call<{ items: { roleId: string }[] }>('GET', '/members')
    expect(members.body.data.items.map(({ roleId }) => roleId)).toEqual(body === undefined ? ['owner'] : ['owner', 'viewer'])
  })
})
