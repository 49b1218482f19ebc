import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure } from '../../service/protocol/envelope.ts'
import type { Endpoint } from '../../service/http/endpoint.ts'
import { endpoints } from '../../service/routes/all.ts'
import { sql } from 'kysely'
import { startService } from '../support/start-service.ts'
import type { StartedService } from '../support/start-service.ts'
import { client } from './support/client.ts'
import { createDatabase } from './support/create-database.ts'
import { databases } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const runs = Number(process.env['FUZZ_RUNS'] ?? 25)

const nasty = fc.constantFrom(
  '',
  '.',
  '..',
  '../..',
  '%2e%2e%2f',
  '\0',
  'a\0b',
  '\n',
  '\u0085',
  '\u202e',
  '\ud800',
  "'; drop table variables; --",
  "' or '1'='1",
  '"; delete from members; --',
  '$1',
  '?',
  '{{7*7}}',
  '<script>',
  '__proto__',
  'constructor',
  'toString',
  'app',
  'dev',
  'A',
  'bulk',
  'null',
  '-1',
  '1e309',
  'x'.repeat(256),
  'x'.repeat(5000),
  '🔑'.repeat(200),
  'v1:',
  'v1:AAAA',
  sealed('fuzz'),
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 30 }))
const junk = fc.oneof(
  text,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
)

interface Shape {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/** Bodies near the ones that a schema takes: each field right, wrong, nasty or missing, and fields it does not know. */
const near = (shape: Shape): fc.Arbitrary<unknown> => {
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(near))
  if (shape.enum !== undefined) return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...shape.enum) }, { weight: 1, arbitrary: junk })
  if (shape.properties !== undefined) {
    const fields = Object.fromEntries(Object.entries(shape.properties).map(([name, field]) => [name, near(field)]))
    return fc.oneof(
      { weight: 6, arbitrary: fc.record(fields, { requiredKeys: [] }) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.record(fields), fc.dictionary(text, junk, { maxKeys: 2 })).map(([known, extra]) => ({ ...known, ...extra })),
      },
      { weight: 1, arbitrary: junk },
    )
  }
  if (shape.items !== undefined)
    return fc.oneof({ weight: 3, arbitrary: fc.array(near(shape.items), { maxLength: 4 }) }, { weight: 1, arbitrary: junk })
  if (shape.type === 'boolean') return fc.oneof(fc.boolean(), junk)
  return fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: junk })
}

const segment = fc.oneof(
  text.map(encodeURIComponentSafely),
  fc.constantFrom('%', '%zz', '%ff', '%c0%af', '%00', '..', '.', ' ', ';', '%2F', '%5C'),
)

function encodeURIComponentSafely(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

interface Request {
  path: string
  query: string
  body: { bytes: Uint8Array | string; type: string } | null
  headers: Record<string, string>
}

const requestOf = (endpoint: Endpoint, schema: Shape | undefined, ids: readonly string[]): fc.Arbitrary<Request> => {
  const known: Record<string, fc.Arbitrary<string>> = {
    slug: fc.oneof({ weight: 3, arbitrary: fc.constant('app') }, { weight: 1, arbitrary: segment }),
    environmentSlug: fc.oneof({ weight: 3, arbitrary: fc.constant('dev') }, { weight: 1, arbitrary: segment }),
    name: fc.oneof({ weight: 1, arbitrary: fc.constantFrom('A', 'B') }, { weight: 2, arbitrary: segment }),
    id: fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: segment }),
  }
  const parts = endpoint.path.split('/').map((part) => known[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''] ?? fc.constant(part))
  const json = (schema === undefined ? junk : near(schema)).map((value) => ({ bytes: JSON.stringify(value), type: 'application/json' }))
  const spoiled = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ bytes, type: 'application/json' })),
    json.map(({ bytes }) => ({ bytes: bytes.slice(0, -1), type: 'application/json' })),
    json.map(({ bytes }) => ({ bytes: bytes.replace('{', '{"name":"A","name":"B","__proto__":{},'), type: 'application/json' })),
    json.map(({ bytes }) => ({ bytes, type: 'text/plain' })),
    fc
      .integer({ min: 10, max: 3000 })
      .map((depth) => ({ bytes: `${'{"name":'.repeat(depth)}1${'}'.repeat(depth)}`, type: 'application/json' })),
  )
  const noHeaders: Record<string, string> = {}
  return fc.record({
    path: fc.tuple(...parts).map((segments) => segments.join('/')),
    query: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom('cursor', 'limit', 'x'), segment).map(([name, value]) => `?${name}=${value}`) },
    ),
    body:
      endpoint.method === 'GET'
        ? fc.constant(null)
        : fc.oneof({ weight: 4, arbitrary: json }, { weight: 1, arbitrary: spoiled }, { weight: 1, arbitrary: fc.constant(null) }),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant(noHeaders) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('*', '"0"', 'x', '"', 'W/"1"', '"a", "b"', '\u00e9').map((value) => ({ 'if-match': value })),
      },
      { weight: 1, arbitrary: fc.constantFrom('', 'k', ' ', 'x'.repeat(300)).map((value) => ({ 'idempotency-key': value })) },
    ),
  })
}

// Every request that is refused must leave everything as it was, keys' last use aside.
const dump = async ({ service }: StartedService): Promise<string> => {
  const tables = [
    'clock',
    'workspaces',
    'projects',
    'environments',
    'variables',
    'versions',
    'version_variables',
    'members',
    'tombstones',
    'deletions',
    'archived_variables',
    'audit',
    'answers',
  ]
  const rows: unknown[] = []
  for (const table of tables) rows.push((await sql`select * from ${sql.table(table)}`.execute(service.store.kysely)).rows)
  return JSON.stringify(rows)
}

describe.each(databases)(`any request at all on %s (seed ${seed})`, (kind) => {
  let started: StartedService
  let ids: string[]
  let document: { paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: Shape } } } }>> }

  beforeAll(async () => {
    started = await startService(kind === 'PostgreSQL' ? { deps: { storage: { databaseUrl: await createDatabase() } } } : {})
    document = (await (await fetch(`${started.url}/openapi.json`)).json()) as typeof document
  })
  afterAll(() => started.close())

  test.each(endpoints.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))('$name', async ({ endpoint }) => {
    const call = client(started.url, started.apiKey)
    await call('DELETE', '/projects/app')
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    ids = [version.body.data.id, (await readVariables(call)).get('A')?.id ?? '']
    const schema = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.requestBody?.content['application/json'].schema

    await fc.assert(
      fc.asyncProperty(requestOf(endpoint, schema, ids), async (request) => {
        const before = await dump(started)
        const response = await fetch(`${started.url}${request.path}${request.query}`, {
          method: endpoint.method,
          redirect: 'manual',
          headers: {
            authorization: `Bearer ${started.apiKey}`,
            ...(request.body === null ? {} : { 'content-type': request.body.type }),
            ...request.headers,
          },
          ...(request.body === null ? {} : { body: request.body.bytes as BodyInit }),
        })
        const answer = await response.text()
        expect(response.status).toBeLessThan(500)
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(answer).not.toMatch(/\bat .*\.[jt]s:\d+/)
        const body = JSON.parse(answer) as { success: boolean; code: number }
        expect(body.code).toBe(response.status)
        if (response.status < 400) {
          expect(body.success).toBe(true)
          return
        }
        expect(failure.safeParse(body).success).toBe(true)
        expect(await dump(started)).toBe(before)
      }),
      { seed, numRuns: runs, verbose: true },
    )
  })
})
