import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RoleId } from '../../service/protocol/roles.ts'
import { permissions, roleIds, roleMay } from '../../service/protocol/roles.ts'
import { endpoints } from '../../service/routes/all.ts'
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
})
