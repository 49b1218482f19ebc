import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../service/routes/all.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment, readVariables, sealed } from './support/samples.ts'

const failure = (code: number) => ({
  success: false,
  code,
  message: expect.stringMatching(/^[A-Z].*\.$/s) as string,
  data: expect.any(Object) as object,
})

/** A body without an announced length. */
const pieces = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream()

describe.each(databases)('over HTTP, on %s', (kind) => {
  const start = useServices(kind)

  test('a known path answers 405 to another method and says which it takes', async () => {
    const { call } = await start()
    const paths = new Map<string, string[]>()
    for (const { path, method } of endpoints) paths.set(path, [...(paths.get(path) ?? []), method])
    for (const [path, methods] of paths) {
      if (path.endsWith('/bulk')) continue
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !methods.includes(one))) {
        const reply = await call(method, path.replaceAll(/\{\w+\}/g, 'x'))
        expect(reply.body, `${method} ${path}`).toEqual(failure(405))
        expect(reply.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(methods))
      }
    }
  })

  test.each([
    '/',
    '/nowhere',
    '/workspace/',
    '/projects/app/nowhere',
    '/projects//environments',
    '/Workspace',
    `/projects/${'x'.repeat(5000)}`,
    '/projects/a%00b',
    '/projects/..%2fworkspace',
    '/versions/%0a',
  ])('%s is 404', async (path) => {
    const { call } = await start()
    expect((await call('GET', path)).body).toEqual(failure(404))
  })

  test.each([
    { what: 'bad JSON', type: 'application/json', body: '{"name":', status: 400 },
    { what: 'invalid UTF-8', type: 'application/json', body: Buffer.from([0x22, 0xff, 0xfe, 0x22]), status: 400 },
    { what: 'a prototype', type: 'application/json', body: '{"__proto__":{"x":1},"name":"A","slug":"a"}', status: 400 },
    { what: 'a form', type: 'application/x-www-form-urlencoded', body: 'name=a&slug=a', status: 415 },
    { what: 'plain text', type: 'text/plain', body: 'hello', status: 415 },
    { what: 'plain text in pieces', type: 'text/plain', body: pieces('hello'), status: 415 },
    { what: 'no type', type: '', body: '{"name":"A","slug":"a"}', status: 415 },
    { what: 'nothing', type: 'application/json', body: '', status: 422 },
    { what: 'a list', type: 'application/json', body: '[]', status: 422 },
    { what: 'null', type: 'application/json', body: 'null', status: 422 },
    { what: 'what it does not know', type: 'application/json', body: '{"name":"A","slug":"a","admin":true}', status: 422 },
    { what: 'deep nesting', type: 'application/json', body: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, status: 400 },
    { what: 'a key twice', type: 'application/json; charset=utf-8', body: '{"name":"A","slug":"UPPER","slug":"a"}', status: 201 },
  ])('a body of $what is $status', async ({ type, body, status }) => {
    const { url, apiKey } = await start()
    const response = await fetch(`${url}/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    expect(response.status).toBe(status)
    const answer: unknown = await response.json()
    if (status >= 400) expect(answer).toEqual(failure(status))
  })

  // As `curl -d ''` sends them.
  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'unheard-of'])(
    'an empty body of type %s counts as none',
    async (type) => {
      const { url, apiKey, call } = await start()
      await makeEnvironment(call)
      const post = async (path: string) => {
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type, 'content-length': '0' }
        return (await (await fetch(`${url}${path}`, { method: 'POST', headers, body: '' })).json()) as { code: number; message: string }
      }
      expect(await post(`${devPath}/versions`)).toMatchObject({ code: 201 })
      const { body } = await call<{ items: { id: string }[] }>('GET', `${devPath}/versions`)
      expect(await post(`/versions/${body.data.items[0]?.id}/rollback`)).toMatchObject({ code: 200 })
      expect(await post('/projects')).toMatchObject({ code: 422, message: 'This request needs a body: send a JSON object.' })
    },
  )

  test.each([
    { what: 'no body', body: undefined },
    { what: 'null', body: null },
  ])('a request with $what where a body is needed is told so', async ({ body }) => {
    const { call } = await start()
    for (const path of ['/projects', '/members', '/changes']) {
      expect((await call('POST', path, body)).body).toStrictEqual({
        success: false,
        code: 422,
        message: 'This request needs a body: send a JSON object.',
        data: {},
      })
    }
  })

  test('issues say which field is not acceptable and why', async () => {
    const { call } = await start()
    const reply = await call('POST', '/projects', { name: '', slug: 'No Spaces', icon: 7 })
    expect(reply.body).toStrictEqual({
      success: false,
      code: 422,
      message: expect.stringContaining('name: A name can’t be empty.') as string,
      data: {
        issues: [
          { path: 'name', message: 'A name can’t be empty.' },
          { path: 'slug', message: 'Use lowercase letters, digits and hyphens for the slug, starting with a letter or digit.' },
          { path: 'icon', message: expect.any(String) as string },
        ],
      },
    })
  })

  test.each(['.', '..', '', 'a/b', 'a\0b', 'line\nbreak', '\u0085', '\ud800', 'x'.repeat(256)])(
    'a variable cannot be named %j',
    async (name) => {
      const { call } = await start()
      await makeEnvironment(call)
      expect((await call('POST', `${devPath}/variables`, { name, value: sealed('1') })).status).toBe(422)
      expect((await readVariables(call)).size).toBe(0)
    },
  )

  test.each(['.', '..', '', 'A', 'a b', '-a', 'a_b', 'ä', 'a/b', 'x'.repeat(64)])('a slug cannot be %j', async (slug) => {
    const { call } = await start()
    expect((await call('POST', '/projects', { name: 'P', slug })).status).toBe(422)
  })

  test.each([
    '',
    'plain',
    'v1:',
    'v1:AAAA',
    `v2:${'A'.repeat(40)}`,
    `v1:${'A'.repeat(39)}`,
    `v1:${'A'.repeat(39)}*`,
    ` ${sealed('1')}`,
    `${sealed('12')}=`,
  ])('a value cannot be %j', async (value) => {
    const { call } = await start()
    await makeEnvironment(call)
    expect((await call('POST', `${devPath}/variables`, { name: 'A', value })).body).toEqual(failure(422))
  })

  test('a request that is not HTTP is answered in the envelope', async () => {
    const { url } = await start()
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => socket.write('nonsense\r\n\r\n'))
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('utf8')
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual(failure(400))
  })

  test('a key may make so many requests a minute, and is told when to come again', async () => {
    const { call, memberCall } = await start({ requestsPerMinute: 20 })
    const viewer = await memberCall('viewer')
    const statuses = await Promise.all(Array.from({ length: 25 }, () => call('GET', '/workspace')))
    const refused = statuses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body).toEqual(failure(429))
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    // Each key counts for itself.
    expect((await viewer('GET', '/workspace')).status).toBe(200)
  })

  test('whoever guesses keys is held up too', async () => {
    const { url } = await start({ strangerRequestsPerMinute: 600 })
    const guess = async () => (await fetch(`${url}/workspace`, { headers: { authorization: 'Bearer wrong' } })).status
    const statuses: number[] = []
    for (let round = 0; round < 13; round++) statuses.push(...(await Promise.all(Array.from({ length: 50 }, guess))))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(statuses.filter((status) => status === 401)).toHaveLength(600)
  })

  test('/health needs no key and says that the storage works', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/health`)
    expect(await response.json()).toStrictEqual({ success: true, code: 200, message: 'OK', data: { status: 'ok' } })
  })

  test('/openapi.json describes every endpoint in OpenAPI 3.1, from the schemas that validate', async () => {
    const { url } = await start()
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<
        string,
        Record<string, { requestBody?: { content: Record<string, { schema: { required?: string[] } }> }; responses: object }>
      >
    }
    expect(document.openapi).toBe('3.1.0')
    for (const { method, path, status } of endpoints) {
      const operation = document.paths[path]?.[method.toLowerCase()]
      expect(Object.keys(operation?.responses ?? {}), `${method} ${path}`).toEqual(expect.arrayContaining([String(status), '4XX']))
    }
    const create = document.paths['/projects/{slug}/environments']?.['post']
    expect(create?.requestBody?.content['application/json']?.schema.required).toEqual(['name', 'slug'])
    const batch = document.paths['/changes']?.['post']
    expect(batch?.requestBody?.content['application/json']?.schema).toMatchObject({
      properties: { changes: { minItems: 1, maxItems: 200 } },
    })
  })

  test('/docs is one page that loads nothing and names every endpoint', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/docs`)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await response.text()
    for (const { method, path } of endpoints) expect(page).toContain(`<span class="method">${method}</span> <code>${path}</code>`)
    for (const field of ['names', 'limit', 'idempotency-key', 'items[].etag', 'environments.delete'])
      expect(page).toContain(`<code>${field}</code>`)
    expect(page).not.toMatch(/\b(?:src|href)="(?:https?:)?\/\//)
    expect(page).not.toContain('<script')
  })

  test('every error names its request, and no two requests share a name', async () => {
    const { call } = await start()
    const replies = await Promise.all([call('GET', '/nowhere'), call('GET', '/projects/none'), call('POST', '/projects', {})])
    const ids = replies.map(({ headers }) => headers.get('x-request-id'))
    expect(ids.every((id) => id !== null && id !== '')).toBe(true)
    expect(new Set(ids).size).toBe(3)
  })

  test('answers are not kept by caches', async () => {
    const { call } = await start()
    const { headers } = await call('GET', '/workspace')
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  })

  test('an expired key opens nothing', async () => {
    let now = Date.now()
    const { call, service } = await start({ now: () => now })
    await service.store.kysely
      .updateTable('keys')
      .set({ expires_at: new Date(now + 5000).toISOString() })
      .execute()
    now += 2000
    expect((await call('GET', '/workspace')).status).toBe(200)
    now += 3000
    expect((await call('GET', '/workspace')).body).toEqual({
      success: false,
      code: 401,
      message: 'The API key has expired. Ask for a new one.',
      data: {},
    })
  })
})
