import { sql } from 'kysely'
import type { CompiledQuery, RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../service/routes/all.ts'
import type { Store } from '../../../service/store/store.ts'
import { databases } from '../support/databases.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { client } from '../support/client.ts'
import type { Call } from '../support/client.ts'
import { createDatabase } from '../support/create-database.ts'
import { startService } from '../../support/start-service.ts'
import type { StartedService } from '../../support/start-service.ts'
import { devPath, makeEnvironment, putVariables } from '../support/samples.ts'

/** Tables that grow with what users keep; a plan that reads all of one gets slower for everybody. */
const bigTables = ['projects', 'environments', 'variables', 'versions', 'version_variables', 'members', 'tombstones', 'audit', 'deletions']

/** Many rows in every big table, made by the database itself. */
const grow = async ({ service }: StartedService): Promise<void> => {
  const { kysely } = service.store
  const id = service.workspaceId
  const upTo = (count: number) =>
    service.store.kind === 'sqlite'
      ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n) as s`
      : sql`generate_series(1, ${sql.lit(count)}) as s(i)`
  const series = upTo(5000)
  // As many as a workspace is made for; the others of what grows with them.
  const most = upTo(100_000)
  const tracked = sql`i, i, 'a', 'a', 'a'`
  const columns = sql.raw('seq, ordinal, created_at, updated_at, updated_by')
  const rows = [
    sql`insert into projects (workspace_id, id, name, slug, icon, ${columns}) select ${id}, 'p' || i, 'p', 'p' || i, 'x', ${tracked} from ${series}`,
    sql`insert into environments (workspace_id, id, project_id, name, slug, left_seq, ${columns}) select ${id}, 'e' || i, 'p' || ((i % 100) + 1), 'e', 'e' || i, 0, ${tracked} from ${series}`,
    sql`insert into variables (workspace_id, id, environment_id, name, type, is_secret, value, ${columns}) select ${id}, 'v' || i, 'e' || ((i % 100) + 1), 'n' || i, 'string', 0, 'v1:', ${tracked} from ${most}`,
    sql`insert into versions (workspace_id, id, environment_id, label, note, variable_count, ${columns}) select ${id}, 's' || i, 'e' || ((i % 5) + 1), 'l' || i, '', 0, ${tracked} from ${series}`,
    sql`insert into version_variables (workspace_id, version_id, ordinal, name, type, is_secret, value) select ${id}, 's' || ((i % 5) + 1), i, 'n' || i, 'string', 0, 'v1:' from ${series}`,
    sql`insert into members (workspace_id, id, email, email_folded, status, role_id, ${columns}) select ${id}, 'm' || i, 'm' || i, 'm' || i, 'invited', 'viewer', ${tracked} from ${series}`,
    sql`insert into tombstones (workspace_id, seq, resource, id, at) select ${id}, i, 'variable', 't' || i, 'a' from ${most}`,
    sql`insert into audit (workspace_id, id, at, actor, key_name, action, resource, resource_id, detail, request_id) select ${id}, '00000000-0000-7000-8000-000000' || (100000 + i), 'a', 'a', 'a', 'a', 'a', 'a', '{}', 'a' from ${most}`,
    sql`insert into deletions (workspace_id, id, seq, resource, name, slug, parent_id, deleted_at, deleted_by, environment_count, variable_count, version_count) select ${id}, 'd' || i, i, 'project', 'd', 'd', null, 'a', 'a', 0, 0, 0 from ${series}`,
  ]
  for (const row of rows) await row.execute(kysely)
  await sql`analyze`.execute(kysely)
}

/** Notes every query that the service runs from now on. */
const watch = (store: Store): CompiledQuery[] => {
  const seen: CompiledQuery[] = []
  const { runNow, kysely } = store
  if (runNow !== undefined)
    Object.assign(store, {
      runNow: (query: CompiledQuery) => {
        seen.push(query)
        return runNow(query)
      },
    })
  const executor = kysely.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  Object.assign(executor, {
    executeQuery: (query: CompiledQuery) => {
      seen.push(query)
      return execute(query)
    },
  })
  return seen
}

/** What the plan of a query has that it should not: a scan of a big table, or a sort of its rows. */
const faultsOf = async (store: Store, { sql: text, parameters }: CompiledQuery): Promise<string[]> => {
  const explain = store.kind === 'sqlite' ? 'explain query plan ' : 'explain '
  const parts = text.split(store.kind === 'sqlite' ? '?' : /\$\d+/)
  const places = [...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]) - 1)
  const filled = parts.map((part, index) => {
    const value = parameters[store.kind === 'sqlite' ? index : (places[index] ?? -1)]
    return index === parts.length - 1 ? sql.raw(part) : sql`${sql.raw(part)}${sql.lit(value as string)}`
  })
  const planOf = async (query: RawBuilder<Record<string, unknown>>): Promise<string[]> =>
    (await query.execute(store.kysely)).rows.map((row) => String(store.kind === 'sqlite' ? row['detail'] : row['QUERY PLAN']))
  const lines = [
    ...(await planOf(sql`${sql.raw(explain)}${sql.join(filled, sql``)}`)),
    // PostgreSQL goes over to one plan for all arguments when a prepared query has run a few times.
    ...(store.kind === 'postgres' ? await planOf(sql`${sql.raw(`explain (generic_plan) ${text}`)}`) : []),
  ]
  return lines.filter((line) => {
    const table = /(?:SCAN|Seq Scan on) (\w+)/.exec(line)?.[1]
    const sorted = Number(/^\s*(?:->\s*)?Sort\s+\(.*rows=(\d+)/.exec(line)?.[1] ?? 0)
    return (table !== undefined && bigTables.includes(table)) || line.includes('TEMP B-TREE') || sorted > 100
  })
}

describe.each(databases)('every query of a route that reads, with many rows on %s', (kind: DatabaseKind) => {
  let started: StartedService
  let call: Call
  let queries: CompiledQuery[]
  let versionId: string
  beforeAll(async () => {
    started = await startService({
      deps: { checkAnswers: false, ...(kind === 'SQLite' ? {} : { storage: { databaseUrl: await createDatabase() } }) },
    })
    call = client(started.url, started.apiKey)
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    versionId = (await call<{ id: string }>('POST', `${devPath}/versions`)).body.data.id
    await grow(started)
    queries = watch(started.service.store)
  })
  afterAll(async () => {
    await started.close()
  })

  const reads = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)

  test.each(reads)('%s scans no big table and sorts none of its rows', async (path) => {
    const filled = path
      .replace('{slug}', 'app')
      .replace('{environmentSlug}', 'dev')
      .replace('{name}', 'A')
      .replace('{resource}', 'version')
      .replace('{id}', versionId)
    const first = await call<{ nextCursor?: string | null }>('GET', filled)
    expect([filled, first.status]).toEqual([filled, 200])
    const cursor = first.body.data.nextCursor
    if (typeof cursor === 'string') expect((await call('GET', `${filled}?limit=1000&cursor=${cursor}`)).status).toBe(200)
    if (path === '/versions/{id}') expect((await call('GET', `${filled}?limit=1000`)).status).toBe(200)
    const seen = queries.splice(0).filter(({ sql: text }) => text.startsWith('select'))
    if (path !== '/roles') expect(seen.length).toBeGreaterThan(0)
    const faults: string[] = []
    for (const query of seen) for (const fault of await faultsOf(started.service.store, query)) faults.push(`${fault}: ${query.sql}`)
    expect(faults).toEqual([])
  })

  test('a page of the feed reads the tables alone that have rows for it', async () => {
    const [epoch, , began] = (await call<{ nextCursor: string }>('GET', '/changes?limit=1')).body.data.nextCursor.split('.')
    const tablesOf = async (cursor: string): Promise<(string | undefined)[]> => {
      queries.splice(0)
      expect((await call('GET', `/changes?limit=1000&cursor=${cursor}`)).status).toBe(200)
      // The key is known for a second.
      return queries.splice(0).flatMap(({ sql: text }) => (text.includes('"keys"') ? [] : [/^select .*? from "(\w+)"/.exec(text)?.[1]]))
    }
    expect(await tablesOf(`${epoch}.${began}`)).toEqual(['clock', 'workspaces', 'clock'])
    await putVariables(call, { C: '3' })
    expect(await tablesOf(`${epoch}.${began}`)).toEqual(['clock', 'workspaces', 'variables', 'clock'])
  })
})
