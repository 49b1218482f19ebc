import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { run } from '../../../service/cli/run.ts'
import { endpoints } from '../../../service/routes/all.ts'
import { clean } from '../../../service/store/clean.ts'
import { startService } from '../../support/start-service.ts'
import { client } from '../support/client.ts'
import { createDatabase } from '../support/create-database.ts'
import { sealed } from '../support/samples.ts'
import { placeOptions } from '../support/place-options.ts'

/**
 * What the documents of two databases that speak PostgreSQL and spread rows over machines leave out, by July 2026:
 * https://docs.yugabyte.com/stable/explore/ysql-language-features/postgresql-compatibility/ (YugabyteDB) and
 * https://www.cockroachlabs.com/docs/stable/postgresql-compatibility (CockroachDB).
 */
const leftOut: readonly { what: string; of: string; is: RegExp }[] = [
  { what: 'LISTEN and NOTIFY', of: 'both', is: /^\s*(?:un)?listen\b|\bnotify\b/i },
  { what: 'LOCK TABLE', of: 'YugabyteDB', is: /^\s*lock\b/i },
  { what: 'inheritance', of: 'both', is: /\binherits\b/i },
  { what: 'exclusion constraints', of: 'both', is: /\bexclude\s+using\b/i },
  { what: 'deferrable constraints', of: 'both', is: /\bdeferrable\b|set\s+constraints/i },
  { what: 'GiST and GIN indexes', of: 'YugabyteDB', is: /\busing\s+(?:gist|gin|brin|spgist)\b/i },
  { what: 'generated columns that are stored', of: 'YugabyteDB', is: /\bgenerated\s+always\b/i },
  { what: 'XML', of: 'both', is: /\bxml\w*\(/i },
  { what: 'ALTER TYPE, ALTER DOMAIN and CREATE DOMAIN', of: 'both', is: /\b(?:alter|create)\s+(?:type|domain)\b/i },
  { what: 'triggers, rules and procedures', of: 'both', is: /\bcreate\s+(?:or\s+replace\s+)?(?:trigger|rule|procedure|function)\b/i },
  { what: 'prepared transactions', of: 'both', is: /\bprepare\s+transaction\b/i },
  { what: 'advisory locks that outlive a transaction', of: 'CockroachDB', is: /\bpg_(?:try_)?advisory_(?:un)?lock/i },
  { what: 'rows by their place on the disk', of: 'both', is: /\bctid\b|\bxmin\b/i },
  { what: 'COPY', of: 'a pooler between them', is: /^\s*copy\b/i },
  { what: 'temporary tables and cursors', of: 'both', is: /\btemp(?:orary)?\s+table\b|\bdeclare\s+\w+\s+cursor\b/i },
]

describe('all that the service says to PostgreSQL', () => {
  const statements: string[] = []
  /** Those of requests, while the service runs. */
  const served: string[] = []
  const asked = new Set<string>()
  /** How the commands ended. */
  const codes: number[] = []
  let dir: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'holdfast-sql-'))
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const storage = { databaseUrl: await createDatabase() }
    query.mockClear()
    const started = await startService({ deps: { storage } })
    const start = query.mock.calls.length
    const send = client(started.url, started.apiKey)
    const call = async (method: string, path: string, ids: Record<string, string> = {}, body?: unknown) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
      const reply = await send<{ id: string; nextCursor?: string }>(method, filled, body)
      expect([method, filled, reply.status, reply.status < 300 ? '' : reply.body]).toEqual([method, filled, reply.status, ''])
      asked.add(`${method} ${path}`)
      return reply.body.data
    }
    const project = '/projects/{slug}'
    const environment = `${project}/environments/{environmentSlug}`
    const at = { slug: 'app', environmentSlug: 'dev', name: 'A' }
    await call('PATCH', '/workspace', {}, { name: 'Renamed' })
    await call('POST', '/projects', {}, { name: 'App', slug: 'app' })
    await call('PATCH', project, at, { name: 'Apps' })
    const { id: environmentId } = await call('POST', `${project}/environments`, at, { name: 'Dev', slug: 'dev' })
    await call('PATCH', environment, at, { name: 'Development' })
    const { id } = await call('POST', `${environment}/variables`, at, { name: 'A', value: sealed('1') })
    await call('PATCH', '/variables/{id}', { id }, { value: sealed('2') })
    const version = await call('POST', `${environment}/versions`, at, { label: 'v' })
    const made = randomUUID()
    await call(
      'POST',
      '/changes',
      {},
      {
        changes: [
          { op: 'create', resource: 'variable', id: made, parentId: environmentId, fields: { name: 'B', value: sealed('3') } },
          { op: 'update', resource: 'variable', id, fields: { name: 'C' } },
          { op: 'delete', resource: 'variable', id: made },
          { op: 'create', resource: 'environment', id: randomUUID(), parentId: environmentId, fields: { name: 'No', slug: 'no' } },
        ],
      },
    )
    await call('POST', '/versions/{id}/rollback', version)
    const member = await call('POST', '/members', {}, { email: 'ada@example.com', roleId: 'viewer' })
    await call('PATCH', '/members/{id}', member, { roleId: 'editor' })
    for (const { method, path } of endpoints) {
      if (method !== 'GET' || path.startsWith('/versions') || path.startsWith('/records')) continue
      const page = await call('GET', path, at)
      if (typeof page.nextCursor === 'string') await send('GET', `${path}?cursor=${page.nextCursor}`)
    }
    await call('GET', '/versions/{id}', version)
    await call('GET', '/records/{resource}/{id}', { resource: 'member', ...member })
    await call('DELETE', '/members/{id}', member)
    await call('DELETE', `${environment}/variables/{name}`, at)
    await call('DELETE', `${environment}/variables`, at, { names: ['C', 'D'] })
    const deleted = await call('DELETE', environment, at)
    await call('POST', '/deleted/{id}/restore', deleted)
    await call('DELETE', project, at)
    await send('POST', '/projects', { name: 'Once', slug: 'once' }, { 'idempotency-key': 'once' })
    for (let days = 1; days <= 40; days++) await clean(started.service.store, Date.now() + days * 86_400_000)
    const end = query.mock.calls.length
    await started.close()

    const output = { print: () => undefined, printError: () => undefined }
    const place = placeOptions(storage)
    const other = placeOptions({ databaseUrl: await createDatabase() })
    const commands: string[][] = [
      ['workspaces', 'create', '--name', 'W', '--slug', 'w', '--owner', 'w@example.com', ...place],
      ['workspaces', 'list', ...place],
      ['prune', '--older-than-days', '1', ...place],
      ['keys', 'list', ...place],
      ['backup', '--to', join(dir, 'backup'), ...place],
      ['restore', '--from', join(dir, 'backup'), ...other],
    ]
    for (const args of commands) codes.push(await run(args, output))
    const texts = (query.mock.calls as unknown as [string | { text: string }][]).map(([first]) =>
      typeof first === 'string' ? first : first.text,
    )
    statements.push(...texts)
    served.push(...texts.slice(start, end))
    query.mockRestore()
  })
  afterAll(() => rm(dir, { recursive: true }))

  test('was heard: every route was asked, and every table written', () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).filter((route) => !asked.has(route))).toEqual([])
    for (const word of ['create table', 'create index', 'select', 'insert into', 'update', 'delete from', 'start transaction', 'commit'])
      expect([word, statements.some((text) => text.toLowerCase().startsWith(word))]).toEqual([word, true])
    expect(new Set(codes)).toEqual(new Set([0]))
  })

  test.each(leftOut)('is without $what, which is left out by $of', ({ is }) => {
    expect(statements.filter((text) => is.test(text))).toEqual([])
  })

  test('takes an advisory lock, which some of their releases have not, at its start and in commands only', () => {
    const lock = /pg_advisory/
    expect(statements.filter((text) => lock.test(text)).length).toBeGreaterThan(0)
    expect(served.filter((text) => lock.test(text))).toEqual([])
  })
})
