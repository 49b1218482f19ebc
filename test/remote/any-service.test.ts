import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Remote, RemoteError, RemoteResult } from '../../electron/remote/remote.ts'
import { seed, seeded } from '../cipher/seeded.ts'
import { startFaultServer, success, type FaultServer } from '../support/fault-server.ts'
import { aRemote, apiKey } from './a-remote.ts'

let server: FaultServer
let remote: Remote
beforeAll(async () => {
  server = await startFaultServer()
  remote = aRemote(server.url)
})
afterAll(() => server.close())

const operations: ((remote: Remote) => RemoteResult<unknown>)[] = [
  (r) => r.getWorkspace(),
  (r) => r.listProjects('c'),
  (r) => r.getProject('p'),
  (r) => r.deleteProject('p', {}),
  (r) => r.getEnvironment('p', 'e'),
  (r) => r.listVariables('p', 'e', null),
  (r) => r.updateVariable('v', { value: 'v1:AAAA' }, {}),
  (r) => r.pushChanges([{ op: 'delete', resource: 'variable', id: 'v' }]),
  (r) => r.getRecord('variable', 'v'),
  (r) => r.deleteVariables('p', 'e', ['A']),
  (r) => r.getVersion('n'),
  (r) => r.rollback('n', {}),
  (r) => r.inviteMember({ email: 'a@example.com', roleId: 'r' }, {}),
  (r) => r.changes('c'),
]

const kinds: RemoteError['kind'][] = [
  'interrupted',
  'offline',
  'timeout',
  'unauthorized',
  'refused',
  'missing',
  'no-route',
  'taken',
  'cursor-gone',
  'stale',
  'busy',
  'service-failed',
  'not-a-service',
  'redirected',
]

const record = fc.record(
  {
    id: fc.oneof(fc.constant('id'), fc.anything()),
    name: fc.oneof(fc.constant('A'), fc.anything()),
    slug: fc.oneof(fc.constant('s'), fc.anything()),
    items: fc.oneof(fc.array(fc.record({ name: fc.constant('A'), status: fc.string() })), fc.anything()),
    nextCursor: fc.oneof(fc.constant(null), fc.anything()),
    record: fc.anything(),
    variables: fc.anything(),
  },
  { requiredKeys: [] },
)
const text = (json: unknown): string => {
  try {
    return JSON.stringify(json) ?? ''
  } catch {
    return ''
  }
}
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: 'binary' }).map((words) => Buffer.from(words)),
  fc.json().map((words) => Buffer.from(words)),
  fc.anything().map((message) => Buffer.from(text({ success: false, code: 1, message }))),
  record.map((data) => Buffer.from(text({ success: true, code: 200, message: apiKey, data }))),
  fc.constant(Buffer.from(JSON.stringify({ success: false, message: `What is ${apiKey}?` }))),
)
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/html', 'nonsense', 'application/json; charset=utf-16'),
    'content-encoding': fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'identity', 'nonsense'),
    'retry-after': fc.constantFrom('1', 'x', '-1', 'Sun, 06 Nov 1994 08:49:37 GMT'),
    location: fc.constantFrom('/', 'http://127.0.0.1:9/', '::'),
    etag: fc.constantFrom('"1"', 'W/"1"', 'x'),
  },
  { requiredKeys: [] },
)

test(
  seeded('any bytes under any status are a value or a typed error with a sentence'),
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 200, max: 999 }),
        headers,
        body,
        fc.constantFrom(...operations),
        async (status, extra, bytes, ask) => {
          server.answer({ status, headers: extra, body: bytes })
          const result = await ask(remote)
          if (result.ok) {
            expect(status).toBeLessThan(300)
            return
          }
          expect(kinds).toContain(result.error.kind)
          expect(result.error.message.length).toBeGreaterThan(20)
          expect(result.error.message).not.toContain(apiKey)
        },
      ),
      { seed, numRuns: 1500 },
    )
  },
  120_000,
)

test(
  seeded('any bytes instead of HTTP are a typed error'),
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 '), async (bytes, start) => {
        server.answer({ raw: Buffer.concat([Buffer.from(start), bytes]) })
        const result = await remote.getWorkspace()
        expect(result.ok ? 'ok' : kinds.includes(result.error.kind)).toBe(true)
      }),
      { seed, numRuns: 300 },
    )
  },
  120_000,
)

test(
  seeded('any slug and name is refused, or arrives as exactly the segment meant'),
  async () => {
    const odd = fc.constantFrom(
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%2f',
      '%',
      '/',
      '\\',
      '?',
      '#',
      ';',
      ':',
      '@',
      '&',
      '=',
      '+',
      ' ',
      '\t',
      '\r\n',
      '\u0085',
      '\u202e',
      'é',
      '\ud83d',
      '🔑',
      '//',
      'a',
    )
    const name = fc.oneof(
      fc.array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string(),
    )
    server.answer(success({}))
    await fc.assert(
      fc.asyncProperty(name, name, name, async (project, environment, variable) => {
        server.forget()
        const result = await remote.deleteVariable(project, environment, variable, {})
        if (!result.ok) {
          expect(result.error.kind).toBe('unsafe')
          expect(server.requests).toEqual([])
          return
        }
        const segments = server.requests.map((request) => request.url.split('/').slice(1).map(decodeURIComponent))
        expect(segments).toEqual([['projects', project, 'environments', environment, 'variables', variable]])
      }),
      { seed, numRuns: 1500 },
    )
  },
  120_000,
)

test(
  seeded('an ordinary name is never refused'),
  async () => {
    const letter = fc.constantFrom(...'abcXYZ019_-.$ é%()[]{}:,;@!~*\'"<>|^`?#&=+')
    await fc.assert(
      fc.asyncProperty(fc.array(letter, { minLength: 3, maxLength: 20 }), async (letters) => {
        const name = `N${letters.join('')}`
        server.forget()
        server.answer(success({}))
        expect(await remote.deleteVariable('p', 'e', name, {})).toEqual({ ok: true, value: null })
        expect(decodeURIComponent(server.requests[0]?.url.split('/').at(-1) ?? '')).toBe(name)
      }),
      { seed, numRuns: 300 },
    )
  },
  120_000,
)
