import { describe, expect, test } from 'vitest'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
const success = (code: number, message: string, data: unknown) => ({ success: true, code, message, data })

// One test for each row of the specification's endpoint table, on the whole body.
describe.each(databases)('the 14 operations on %s', (kind) => {
  const start = useServices(kind)

  test('1: reads the current workspace', async () => {
    const { call, workspaceId } = await start()
    const reply = await call('GET', '/workspace')
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'OK', { id: workspaceId, name: 'Workspace', slug: 'workspace', icon: expect.any(String) as string, createdAt: time }),
    )
  })

  test('2: reads a project', async () => {
    const { call } = await start()
    const { projectId } = await makeEnvironment(call)
    const reply = await call('GET', '/projects/app')
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'OK', { id: projectId, name: 'App', slug: 'app', icon: expect.stringMatching(/./) as string, createdAt: time }),
    )
  })

  test('3: deletes a project and everything in it', async () => {
    const { call } = await start()
    const { projectId } = await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    const reply = await call('DELETE', '/projects/app')
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(success(200, 'Project deleted.', { id: projectId, name: 'App', slug: 'app' }))
    for (const path of ['/projects/app', devPath, `${devPath}/variables/A`, `/versions/${version.body.data.id}`]) {
      expect((await call('GET', path)).status).toBe(404)
    }
  })

  test('4: creates an environment', async () => {
    const { call } = await start()
    const { projectId } = await makeEnvironment(call)
    const reply = await call('POST', '/projects/app/environments', { name: 'Staging ✓', slug: 'staging' })
    expect(reply.status).toBe(201)
    expect(reply.body).toStrictEqual(
      success(201, 'Environment created.', { id, name: 'Staging ✓', slug: 'staging', projectId, createdAt: time }),
    )
  })

  test('5: reads an environment', async () => {
    const { call } = await start()
    const { projectId, environmentId } = await makeEnvironment(call)
    const reply = await call('GET', devPath)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(success(200, 'OK', { id: environmentId, name: 'Dev', slug: 'dev', projectId, createdAt: time }))
  })

  test.each([
    { body: { name: 'Development' }, name: 'Development', slug: 'dev' },
    { body: { slug: 'development' }, name: 'Dev', slug: 'development' },
    { body: { name: 'D', slug: 'd' }, name: 'D', slug: 'd' },
    { body: {}, name: 'Dev', slug: 'dev' },
  ])('6: updates an environment with $body', async ({ body, name, slug }) => {
    const { call } = await start()
    const { projectId, environmentId } = await makeEnvironment(call)
    const reply = await call('PATCH', devPath, body)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(success(200, 'Environment updated.', { id: environmentId, name, slug, projectId, updatedAt: time }))
    expect((await call('GET', `/projects/app/environments/${slug}`)).body.data).toMatchObject({ id: environmentId, name, slug })
  })

  test.each(['API_URL', 'ODD.name-1', 'naïve ключ 🔑', '%2e%2e', 'a b', '?x=#1', 'bulk'])('7: reads the variable %s', async (name) => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { [name]: 'one' })
    const reply = await call('GET', `${devPath}/variables/${encodeURIComponent(name)}`)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'OK', { id, name, value: sealed('one'), environmentId, updatedAt: time, createdAt: time }),
    )
  })

  test('8: deletes a variable', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    const reply = await call('DELETE', `${devPath}/variables/A`)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(success(200, 'Variable deleted.', { id, name: 'A', environmentId }))
    expect((await call('DELETE', `${devPath}/variables/A`)).status).toBe(404)
    await putVariables(call, { bulk: '3' })
    expect((await call('DELETE', `${devPath}/variables/bulk`)).status).toBe(200)
    expect([...(await readVariables(call)).keys()]).toEqual(['B'])
  })

  test('9: deletes variables in bulk, saying which were not there', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2', C: '3' })
    const reply = await call('DELETE', `${devPath}/variables`, { names: ['C', 'missing', 'A', 'A', '..'] })
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'Variables deleted.', {
        deleted: [
          { id, name: 'C' },
          { id, name: 'A' },
        ],
        count: 2,
        notFound: ['missing', '..'],
      }),
    )
    expect([...(await readVariables(call)).keys()]).toEqual(['B'])
  })

  test.each([
    { size: 0, status: 422 },
    { size: 1, status: 200 },
    { size: 200, status: 200 },
    { size: 201, status: 422 },
  ])('9: answers $status to $size names', async ({ size, status }) => {
    const { call } = await start()
    await makeEnvironment(call)
    const names = Array.from({ length: size }, (_, index) => `N${index}`)
    expect((await call('DELETE', `${devPath}/variables`, { names })).status).toBe(status)
  })

  test.each([
    { patch: { value: sealed('two') }, name: 'A', value: sealed('two'), type: 'string' },
    { patch: { name: 'RENAMED', type: 'number' }, name: 'RENAMED', value: sealed('one'), type: 'number' },
    { patch: { isSecret: true }, name: 'A', value: sealed('one'), type: 'string' },
    { patch: {}, name: 'A', value: sealed('one'), type: 'string' },
  ])('10: updates a variable with $patch', async ({ patch, name, value, type }) => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: 'one' })
    const before = (await readVariables(call)).get('A')
    const reply = await call('PATCH', `/variables/${before?.id}`, patch)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'Variable updated.', { id: before?.id, name, value, type, environmentId, updatedAt: time, createdAt: time }),
    )
    expect((await readVariables(call)).get(name)).toMatchObject({ value, type, isSecret: patch.isSecret ?? false })
  })

  test('11: reads a version with its variables', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { B: '2', A: '1' })
    const made = await call<{ id: string }>('POST', `${devPath}/versions`, { note: 'first\nof all' })
    const reply = await call('GET', `/versions/${made.body.data.id}`)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'OK', {
        id: made.body.data.id,
        label: 'v1',
        note: 'first\nof all',
        variableCount: 2,
        environmentId,
        createdAt: time,
        variables: [
          { name: 'B', value: sealed('2') },
          { name: 'A', value: sealed('1') },
        ],
      }),
    )
  })

  test('12: rolls back to a version, and counts nothing the second time', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    await putVariables(call, { KEPT: '1', CHANGED: '2', DELETED: '3' })
    const made = await call<{ id: string }>('POST', `${devPath}/versions`, { label: 'release 1' })
    await call('DELETE', `${devPath}/variables/DELETED`)
    await putVariables(call, { CHANGED: 'other', NEW1: '4', NEW2: '5' })
    const reply = await call('POST', `/versions/${made.body.data.id}/rollback`)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(
      success(200, 'Rolled back to release 1.', { versionLabel: 'release 1', added: 1, updated: 1, removed: 2 }),
    )
    const after = await readVariables(call)
    expect([...after].map(([name, { value }]) => [name, value]).sort()).toEqual([
      ['CHANGED', sealed('2')],
      ['DELETED', sealed('3')],
      ['KEPT', sealed('1')],
    ])
    const again = await call('POST', `/versions/${made.body.data.id}/rollback`)
    expect(again.body).toStrictEqual(
      success(200, 'Rolled back to release 1.', { versionLabel: 'release 1', added: 0, updated: 0, removed: 0 }),
    )
    expect(await readVariables(call)).toEqual(after)
  })

  test('13: invites a member', async () => {
    const { call } = await start()
    const reply = await call('POST', '/members', { email: 'ada@example.com', roleId: 'editor' })
    expect(reply.status).toBe(201)
    expect(reply.body).toStrictEqual(success(201, 'Member invited.', { id, email: 'ada@example.com', status: 'invited', roleId: 'editor' }))
    expect((await call('POST', '/members', { email: 'Ada@Example.com', roleId: 'viewer' })).status).toBe(409)
  })

  test('14: removes a member, whose e-mail can then be invited again', async () => {
    const { call } = await start()
    const invited = await call<{ id: string }>('POST', '/members', { email: 'ada@example.com', roleId: 'editor' })
    const reply = await call('DELETE', `/members/${invited.body.data.id}`)
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual(success(200, 'Member removed.', { id: invited.body.data.id }))
    expect((await call('DELETE', `/members/${invited.body.data.id}`)).status).toBe(404)
    expect((await call('POST', '/members', { email: 'ada@example.com', roleId: 'editor' })).status).toBe(201)
  })

  test('every operation needs a key', async () => {
    const { url } = await start()
    const bearerOf = [undefined, 'Basic abc', 'Bearer', 'Bearer nonsense', `Bearer hf_${'0'.repeat(16)}_${'A'.repeat(43)}`]
    for (const authorization of bearerOf) {
      const response = await fetch(`${url}/workspace`, authorization === undefined ? {} : { headers: { authorization } })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(await response.json()).toStrictEqual({ success: false, code: 401, message: expect.stringMatching(/\.$/) as string, data: {} })
    }
  })
})
