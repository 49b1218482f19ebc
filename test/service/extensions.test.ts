import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { databases, useServices } from './support/databases.ts'
import { insertVariables } from './support/insert-variables.ts'
import type { DatabaseKind } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** Counts the statements that the database of this kind is given, until the test ends. */
const countStatements = (kind: DatabaseKind): (() => number) => {
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1')) as Database.Statement
  const spies = kind === 'SQLite' ? [vi.spyOn(statement, 'run'), vi.spyOn(statement, 'all')] : [vi.spyOn(pg.Client.prototype, 'query')]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

describe.each(databases)('the extensions on %s', (kind) => {
  const start = useServices(kind)

  test('a list comes in pages that together hold everything once, in order of creation', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const names = Array.from({ length: 157 }, (_, index) => `N${index}`)
    await putVariables(call, Object.fromEntries(names.map((name) => [name, name])))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '?limit=50' : `?limit=50&cursor=${cursor}`
      const { body } = await call<Page<{ name: string }>>('GET', `${devPath}/variables${query}`)
      expect(body.data.items.length).toBeLessThanOrEqual(50)
      seen.push(...body.data.items.map(({ name }) => name))
      cursor = body.data.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(names)
    const first = await call<Page<unknown>>('GET', `${devPath}/variables`)
    expect(first.body.data.items).toHaveLength(100)
  })

  test('a page of large values ends early and the next goes on', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const large = `v1:${Buffer.alloc(750_000).toString('base64')}`
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) {
      expect((await call('POST', `${devPath}/variables`, { name, value: large })).status).toBe(201)
    }
    const first = await call<Page<{ name: string }>>('GET', `${devPath}/variables`)
    expect(first.body.data.items.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D'])
    const second = await call<Page<{ name: string }>>('GET', `${devPath}/variables?cursor=${first.body.data.nextCursor}`)
    expect(second.body.data).toMatchObject({ items: [{ name: 'E' }, { name: 'F' }], nextCursor: null })
    const feed = await call<{ items: { record: { name: string } }[]; more: boolean }>('GET', '/changes?limit=1000')
    expect(feed.body.data.more).toBe(true)
    expect(feed.body.data.items.at(-1)?.record.name).toBe('D')
  })

  test.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'limit=',
    'limit=0x10',
    'limit=1e2',
    'limit=%205',
    'limit=5.0',
    'limit=%2B5',
    'limit=1&limit=2',
    'cursor=-1',
    'cursor=a',
    'cursor=99999999999999999',
  ])('a list refuses ?%s', async (query) => {
    const { call } = await start()
    await makeEnvironment(call)
    expect((await call('GET', `${devPath}/variables?${query}`)).status).toBe(400)
  })

  test('a project is created, updated and listed', async () => {
    const { call } = await start()
    const made = await call<{ id: string; etag: string }>('POST', '/projects', { name: 'Web', slug: 'web', icon: '🌍' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      code: 201,
      message: 'Project created.',
      data: { name: 'Web', slug: 'web', icon: '🌍', updatedBy: 'owner@localhost' },
    })
    expect(made.etag).toBe(made.body.data.etag)
    expect((await call('POST', '/projects', { name: 'Other', slug: 'web' })).status).toBe(409)
    const updated = await call<{ etag: string }>('PATCH', '/projects/web', { slug: 'site', name: 'Site' })
    expect(updated.body).toMatchObject({
      code: 200,
      message: 'Project updated.',
      data: { id: made.body.data.id, name: 'Site', slug: 'site' },
    })
    expect((await call('GET', '/projects/web')).status).toBe(404)
    const list = await call<Page<unknown>>('GET', '/projects')
    expect(list.body.data).toStrictEqual({ items: [updated.body.data], nextCursor: null })
  })

  test('the workspace is renamed', async () => {
    const { call, workspaceId } = await start()
    const reply = await call('PATCH', '/workspace', { name: 'Ops', slug: 'ops', icon: 'star' })
    expect(reply.body).toMatchObject({
      code: 200,
      message: 'Workspace updated.',
      data: { id: workspaceId, name: 'Ops', slug: 'ops', icon: 'star' },
    })
    expect((await call('GET', '/workspace')).body.data).toMatchObject({ name: 'Ops', slug: 'ops', icon: 'star' })
  })

  test('an environment is listed and deleted with what is in it', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    await call('POST', `${devPath}/versions`)
    const list = await call<Page<unknown>>('GET', '/projects/app/environments')
    expect(list.body.data).toMatchObject({ items: [{ id: environmentId, name: 'Dev', slug: 'dev' }], nextCursor: null })
    const reply = await call('DELETE', devPath)
    expect(reply.body).toStrictEqual({
      success: true,
      code: 200,
      message: 'Environment deleted.',
      data: { id: environmentId, name: 'Dev', slug: 'dev' },
    })
    expect((await call('GET', devPath)).status).toBe(404)
    expect((await call('POST', '/projects/app/environments', { name: 'Dev', slug: 'dev' })).status).toBe(201)
  })

  test('a variable is created with defaults, or with what the body says', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    const plain = await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') })
    expect(plain.status).toBe(201)
    expect(plain.body).toStrictEqual({
      success: true,
      code: 201,
      message: 'Variable created.',
      data: {
        id: expect.any(String) as string,
        name: 'A',
        value: sealed('1'),
        type: 'string',
        isSecret: false,
        environmentId,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        updatedBy: 'owner@localhost',
        etag: plain.etag,
      },
    })
    const typed = await call('POST', `${devPath}/variables`, { name: 'B', value: sealed('2'), type: 'number', isSecret: true })
    expect(typed.body.data).toMatchObject({ type: 'number', isSecret: true })
    expect((await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('3') })).status).toBe(409)
  })

  test('a rename to a name or slug that is taken is refused', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    await call('POST', '/projects/app/environments', { name: 'Prod', slug: 'prod' })
    await putVariables(call, { A: '1', B: '2' })
    const id = (await readVariables(call)).get('A')?.id
    expect((await call('PATCH', `/variables/${id}`, { name: 'B' })).status).toBe(409)
    expect((await call('PATCH', devPath, { slug: 'prod' })).status).toBe(409)
  })

  test('versions are labelled v1, v2, ... where no label is given', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const label = async (body?: object) => (await call<{ label: string }>('POST', `${devPath}/versions`, body)).body.data.label
    expect(await label()).toBe('v1')
    expect(await label({ label: 'v7' })).toBe('v7')
    expect(await label({ note: 'n' })).toBe('v8')
    expect(await label({ label: 'release' })).toBe('release')
    expect((await call('POST', `${devPath}/versions`, { label: 'release' })).status).toBe(409)
    const list = await call<Page<{ label: string; note: string; variableCount: number; variables?: unknown }>>('GET', `${devPath}/versions`)
    expect(list.body.data.items.map((one) => one.label)).toEqual(['v1', 'v7', 'v8', 'release'])
    expect(list.body.data.items[2]).toMatchObject({ note: 'n', variableCount: 0 })
    expect(list.body.data.items[0]).not.toHaveProperty('variables')
  })

  test.each([
    { labels: ['v999999999'], next: ['v1', 'v2', 'v3'] },
    { labels: ['v5', 'v999999998'], next: ['v999999999', 'v6', 'v7'] },
    { labels: ['v1000000000', `v${'9'.repeat(254)}`], next: ['v1', 'v2', 'v3'] },
    { labels: ['v007'], next: ['v8', 'v9', 'v10'] },
  ])('after the labels $labels, versions and rollbacks get $next', async ({ labels, next }) => {
    const { call } = await start()
    await makeEnvironment(call)
    const made: string[] = []
    for (const label of labels) made.push((await call<{ id: string }>('POST', `${devPath}/versions`, { label })).body.data.id)
    expect((await call('POST', `${devPath}/versions`)).status).toBe(201)
    expect((await call('POST', `/versions/${made[0]}/rollback`)).status).toBe(200)
    expect((await call('POST', '/changes', { changes: [{ op: 'rollback', resource: 'version', id: made[0] }] })).status).toBe(200)
    const list = await call<Page<{ label: string }>>('GET', `${devPath}/versions`)
    expect(list.body.data.items.map(({ label }) => label)).toEqual([...labels, ...next])
  })

  test('a rollback saves what was there first, restores types and secret flags, and keeps the ids of what stays', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1'), type: 'number', isSecret: true })
    const made = await call<{ id: string }>('POST', `${devPath}/versions`)
    const original = (await readVariables(call)).get('A')
    await call('PATCH', `/variables/${original?.id}`, { type: 'string', isSecret: false })
    const reply = await call('POST', `/versions/${made.body.data.id}/rollback`, {})
    expect(reply.body.data).toEqual({ versionLabel: 'v1', added: 0, updated: 1, removed: 0 })
    expect((await readVariables(call)).get('A')).toMatchObject({ id: original?.id, type: 'number', isSecret: true })
    const list = await call<Page<{ label: string; note: string }>>('GET', `${devPath}/versions`)
    expect(list.body.data.items.map(({ label, note }) => [label, note])).toEqual([
      ['v1', ''],
      ['v2', 'Before the rollback to v1'],
    ])
  })

  test('a rollback takes as many statements for 90 variables as for 3, and gives each that it adds an id of its own', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const count = countStatements(kind)
    const taken: number[] = []
    for (const third of [1, 30]) {
      const names = (letter: string) => Array.from({ length: third }, (_, index) => `${letter}${third}_${index}`)
      const fill = (value: string, ...letters: string[]) =>
        putVariables(call, Object.fromEntries(letters.flatMap(names).map((name) => [name, value])))
      await fill('1', 'ADDED', 'CHANGED', 'SAME')
      const expected = [...(await readVariables(call)).keys()]
      const { id } = (await call<{ id: string }>('POST', `${devPath}/versions`)).body.data
      await call('DELETE', `${devPath}/variables`, { names: names('ADDED') })
      await fill('2', 'CHANGED', 'REMOVED')
      const before = count()
      const { data } = (await call('POST', `/versions/${id}/rollback`)).body
      taken.push(count() - before)
      expect(data).toMatchObject({ added: third, updated: third, removed: third })
      const variables = await readVariables(call)
      expect([...variables.keys()].toSorted()).toEqual(expected.toSorted())
      // Those that were added are the last of the list, in the order of the version.
      expect([...variables.keys()].slice(-third)).toEqual(names('ADDED'))
      const added = names('ADDED').map((name) => variables.get(name))
      for (const one of added) expect(one?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(new Set(added.map((one) => one?.id)).size).toBe(third)
    }
    expect(taken[1]).toBe(taken[0])
  })

  test('members are listed, change role, and the last owner stays', async () => {
    const { call } = await start()
    const invited = await call<{ id: string }>('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })
    const changed = await call('PATCH', `/members/${invited.body.data.id}`, { roleId: 'admin' })
    expect(changed.body).toMatchObject({
      code: 200,
      message: 'Member updated.',
      data: { email: 'ada@example.com', roleId: 'admin', status: 'invited' },
    })
    const list = await call<Page<{ id: string; email: string; roleId: string }>>('GET', '/members')
    expect(list.body.data.items.map(({ email, roleId }) => [email, roleId])).toEqual([
      ['owner@localhost', 'owner'],
      ['ada@example.com', 'admin'],
    ])
    const owner = list.body.data.items[0]?.id
    expect((await call('PATCH', `/members/${owner}`, { roleId: 'viewer' })).status).toBe(403)
    expect((await call('DELETE', `/members/${owner}`)).status).toBe(403)
    // An invited owner has no key yet: the one who has stays.
    await call('PATCH', `/members/${invited.body.data.id}`, { roleId: 'owner' })
    expect((await call('DELETE', `/members/${owner}`)).status).toBe(403)
  })

  test('roles are listed with what each may do', async () => {
    const { call } = await start()
    const reply = await call<Page<{ id: string; permissions: string[] }>>('GET', '/roles')
    expect(reply.body.data.items.map(({ id }) => id)).toEqual(['owner', 'admin', 'editor', 'viewer'])
    expect(reply.body.data.items[3]).toEqual({ id: 'viewer', name: 'Viewer', system: true, permissions: ['read'] })
  })

  test('an ETag is the same in the header, the list, the feed and the answer to a write, and changes with each change', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const made = await call<{ id: string; etag: string }>('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') })
    const { id, etag } = made.body.data
    const everywhere = async () => [
      (await call('GET', `${devPath}/variables/A`)).etag,
      (await readVariables(call)).get('A')?.etag,
      (await call<{ items: { id: string; record: { etag: string } }[] }>('GET', '/changes')).body.data.items.find((item) => item.id === id)
        ?.record.etag,
    ]
    expect(etag).toMatch(/^"[^"]+"$/)
    expect([made.etag, ...(await everywhere())]).toEqual([etag, etag, etag, etag])
    const unchanged = await call('PATCH', `/variables/${id}`, { value: sealed('1') })
    expect(unchanged.etag).toBe(etag)
    const changed = await call('PATCH', `/variables/${id}`, { value: sealed('2') })
    expect(changed.etag).not.toBe(etag)
    expect(await everywhere()).toEqual([changed.etag, changed.etag, changed.etag])
  })

  test.each([
    { header: '"0"', status: 412 },
    { header: 'W/"0"', status: 412 },
    { header: '*', status: 200 },
    { header: 'no quotes', status: 400 },
  ])('If-Match $header on a write gives $status', async ({ header, status }) => {
    const { call } = await start()
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const variable = (await readVariables(call)).get('A')
    const headers = { 'if-match': header }
    expect((await call('PATCH', `/variables/${variable?.id}`, { value: sealed('2') }, headers)).status).toBe(status)
    const writes: [string, string, object?][] = [
      ['PATCH', '/workspace', { name: 'W' }],
      ['PATCH', '/projects/app', { name: 'P' }],
      ['PATCH', devPath, { name: 'E' }],
      ['DELETE', `${devPath}/variables/A`],
      ['DELETE', devPath],
      ['DELETE', '/projects/app'],
    ]
    for (const [method, path, body] of writes) expect((await call(method, path, body, headers)).status, `${method} ${path}`).toBe(status)
  })

  test('If-Match with the right ETag passes once', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const variable = (await readVariables(call)).get('A')
    const headers = { 'if-match': `"0", ${variable?.etag}` }
    expect((await call('PATCH', `/variables/${variable?.id}`, { value: sealed('2') }, headers)).status).toBe(200)
    expect((await call('PATCH', `/variables/${variable?.id}`, { value: sealed('3') }, headers)).status).toBe(412)
    expect((await readVariables(call)).get('A')?.value).toBe(sealed('2'))
  })

  test('If-Match where it names no record is refused, not ignored', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    expect((await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') }, { 'if-match': '"1"' })).status).toBe(400)
    expect((await call('DELETE', `${devPath}/variables`, { names: ['A'] }, { 'if-match': '"1"' })).status).toBe(400)
  })

  test('an Idempotency-Key gives the first answer again, and writes once', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const headers = { 'idempotency-key': 'change-1' }
    const body = { name: 'A', value: sealed('1') }
    const first = await call<{ id: string }>('POST', `${devPath}/variables`, body, headers)
    await call('PATCH', `/variables/${first.body.data.id}`, { value: sealed('2') })
    const again = await call('POST', `${devPath}/variables`, body, headers)
    expect([again.status, again.etag, again.body]).toEqual([first.status, first.etag, first.body])
    expect((await readVariables(call)).get('A')?.value).toBe(sealed('2'))
    const other = await call('POST', `${devPath}/variables`, { ...body, name: 'B' }, headers)
    expect(other.status).toBe(422)
    expect((await call('POST', '/projects/app/environments', body, headers)).status).toBe(422)
  })

  test('many requests at once under one Idempotency-Key make one record', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const headers = { 'idempotency-key': 'change-2' }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call<{ id: string }>('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') }, headers)),
    )
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1)
  })

  test('an Idempotency-Key is forgotten after 24 hours, kept apart between members, and not spent by a refused request', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const { call, memberCall } = await start({ now: () => now })
    await makeEnvironment(call)
    const headers = { 'idempotency-key': 'k' }
    expect((await call('POST', '/projects', { name: 'App', slug: 'app' }, headers)).status).toBe(409)
    expect((await call('POST', '/projects', { name: 'One', slug: 'one' }, headers)).status).toBe(201)
    const admin = await memberCall('admin')
    expect((await admin('POST', '/projects', { name: 'Two', slug: 'two' }, headers)).status).toBe(201)
    now += 24 * 3_600_000 - 1
    expect((await call('POST', '/projects', { name: 'Three', slug: 'three' }, headers)).status).toBe(422)
    now += 1
    expect((await call('POST', '/projects', { name: 'Three', slug: 'three' }, headers)).status).toBe(201)
  })

  test.each(['', 'a b', 'é', 'x'.repeat(256)])('an Idempotency-Key of %j is refused', async (key) => {
    const { url, apiKey } = await start()
    const response = await fetch(`${url}/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name: 'One', slug: 'one' }),
    })
    expect(response.status).toBe(400)
  })

  test('the audit list says who did what, newest first, and holds no value', async () => {
    const { call, memberCall } = await start()
    await makeEnvironment(call)
    const editor = await memberCall('editor')
    await putVariables(editor, { SECRET: 'sentinel' })
    const made = await editor<{ id: string }>('POST', `${devPath}/versions`)
    await editor('GET', `/versions/${made.body.data.id}`)
    await editor('POST', `/versions/${made.body.data.id}/rollback`)
    await call('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })
    const first = await call<Page<{ action: string; actor: string; at: string }>>('GET', '/audit?limit=4')
    const rest = await call<Page<{ action: string }>>('GET', `/audit?cursor=${first.body.data.nextCursor}`)
    expect([...first.body.data.items, ...rest.body.data.items].map(({ action }) => action)).toEqual([
      'member.invite',
      'version.rollback',
      'version.read',
      'version.create',
      'variable.create',
      'environment.create',
      'project.create',
    ])
    expect(first.body.data.items[1]?.actor).toMatch(/^editor-/)
    expect(JSON.stringify([first.body, rest.body])).not.toContain(sealed('sentinel').slice(3, 40))
    expect(rest.body.data.nextCursor).toBeNull()
  })

  test('what changes nothing is not in the audit list', async () => {
    const { call } = await start()
    const { projectId, environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const id = (await readVariables(call)).get('A')?.id ?? ''
    const member = (await call<{ id: string }>('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })).body.data.id
    const before = (await call('GET', '/audit')).body
    const statuses = [
      await call('PATCH', `/variables/${id}`, { value: sealed('1'), type: 'string' }),
      await call('PATCH', devPath, { name: 'Dev' }),
      await call('PATCH', '/projects/app', {}),
      await call('PATCH', `/members/${member}`, { roleId: 'viewer' }),
      await call('DELETE', `${devPath}/variables`, { names: ['MISSING'] }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect((await call('GET', '/audit')).body).toEqual(before)

    const update = (resource: string, of: string, fields: object) => ({ op: 'update', resource, id: of, fields })
    await call('POST', '/changes', {
      changes: [
        update('project', projectId, { name: 'App' }),
        update('environment', environmentId, { slug: 'dev' }),
        update('variable', id, { name: 'A', parentId: environmentId }),
        update('member', member, { roleId: 'viewer' }),
        update('variable', id, { isSecret: true }),
      ],
    })
    const after = (await call<Page<{ action: string; detail: object }>>('GET', '/audit')).body.data.items
    expect(after.length).toBe((before.data['items'] as unknown[]).length + 1)
    expect(after[0]).toMatchObject({ action: 'variable.update', detail: { name: 'A', fields: ['isSecret'] } })
  })

  test('records say who wrote them last', async () => {
    const { call, memberCall } = await start()
    await makeEnvironment(call)
    const editor = await memberCall('editor')
    await putVariables(editor, { A: '1' })
    const list = await call<Page<{ updatedBy: string }>>('GET', `${devPath}/variables`)
    expect(list.body.data.items[0]?.updatedBy).toMatch(/^editor-.*@example\.com$/)
  })

  test('a value above 1 MiB is 413, and a body above 5 MiB too', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const ofBytes = (bytes: number) => `v1:${Buffer.alloc(bytes).toString('base64')}`
    const largest = ofBytes(((1024 * 1024 - 4) / 4) * 3)
    expect((await call('POST', `${devPath}/variables`, { name: 'A', value: largest })).status).toBe(201)
    expect((await call('POST', `${devPath}/variables`, { name: 'B', value: ofBytes(786_432) })).status).toBe(413)
    const reply = await call('POST', `${devPath}/variables`, { name: 'C', value: ofBytes(5_000_000) })
    expect(reply.status).toBe(413)
    expect(reply.body).toMatchObject({ success: false, code: 413, message: expect.stringContaining('5 MiB') as string })
    expect([...(await readVariables(call)).keys()]).toEqual(['A'])
  })
})

describe.each(databases)('on %s', (kind) => {
  const start = useServices(kind)

  test('a rollback of more variables than one statement writes leaves exactly those of the version', async () => {
    const { call, service } = await start()
    const { environmentId } = await makeEnvironment(call)
    const { kysely } = service.store
    const count = 8500
    let from = 1000
    const add = async (letter: string) => {
      const variables = Array.from({ length: count }, (_, index) => ({
        id: `${letter}-${index}`,
        name: `${letter}${index}`,
        value: sealed(`${letter}${index}`),
      }))
      from = await insertVariables(kysely, { workspaceId: service.workspaceId, environmentId, from, variables })
    }
    const read = () => kysely.selectFrom('variables').select(['id', 'name', 'value', 'seq', 'ordinal']).orderBy('ordinal').execute()
    const contentOf = (rows: Awaited<ReturnType<typeof read>>) => new Map(rows.map(({ name, value }) => [name, value]))
    await add('ADDED')
    await add('CHANGED')
    const before = await read()
    const { id } = (await call<{ id: string }>('POST', `${devPath}/versions`)).body.data
    await kysely.deleteFrom('variables').where('name', 'like', 'ADDED%').execute()
    await kysely
      .updateTable('variables')
      .set({ value: sealed('other') })
      .execute()
    await add('REMOVED')
    const { data } = (await call('POST', `/versions/${id}/rollback`)).body
    expect(data).toMatchObject({ added: count, updated: count, removed: count })
    const after = await read()
    expect(contentOf(after)).toEqual(contentOf(before))
    // Those that were added are the last, in the order of the version.
    expect(after.slice(-count).map(({ name }) => name)).toEqual(before.slice(0, count).map(({ name }) => name))
    const deaths = await kysely.selectFrom('tombstones').select('seq').where('id', 'like', 'REMOVED-%').execute()
    expect(new Set([...after, ...deaths].map((row) => row.seq)).size).toBe(3 * count)
  })
})
