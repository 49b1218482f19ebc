import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { databaseFile, openStore } from '../../service/store/open-store.ts'
import { openPostgres } from '../../service/store/open-postgres.ts'
import type { Store } from '../../service/store/store.ts'
import { withoutTimeout } from '../../service/store/without-timeout.ts'
import { startService } from '../support/start-service.ts'
import { client } from './support/client.ts'
import { createDatabase } from './support/create-database.ts'
import { startDatabaseProxy } from './support/database-proxy.ts'
import { useServices } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'
import { startPostgres } from './support/start-postgres.ts'

const unavailable = { success: false, code: 503, message: expect.stringContaining('Nothing was changed') as string, data: {} }

describe('when the storage fails', () => {
  const start = useServices('SQLite')

  test('a full disk refuses writes with 503, and what was saved can still be read', async () => {
    const { call, service } = await start()
    await makeEnvironment(call)
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(service.store.kysely)
    await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(service.store.kysely)
    const large = `v1:${Buffer.alloc(300_000).toString('base64')}`
    const refused = await call('POST', `${devPath}/variables`, { name: 'LARGE', value: large })
    expect(refused.body).toEqual(unavailable)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect((await call('GET', devPath)).status).toBe(200)
    await sql`pragma max_page_count = 100000`.execute(service.store.kysely)
    expect((await call('POST', `${devPath}/variables`, { name: 'LARGE', value: large })).status).toBe(201)
  })

  test('while another process holds the lock of SQLite, reads are answered and a write waits', async () => {
    let now = Date.now()
    const { call, url, storage } = await start({ now: () => now })
    await makeEnvironment(call)
    if (!('dataDir' in storage)) throw new Error('this is SQLite')
    const other = new Database(databaseFile(storage.dataDir))
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    const write = call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    // The use of a key is noted once a minute, which is a write.
    now += 61_000
    expect((await call('GET', `${devPath}/variables`)).body.data).toMatchObject({ items: [] })
    for (const path of ['/workspace', '/projects', devPath, `${devPath}/versions`, '/members', '/roles', '/changes', '/audit', '/deleted'])
      expect((await call('GET', path)).status, `GET ${path}`).toBe(200)
    other.exec('commit')
    expect((await write).status).toBe(201)
    expect([...(await readVariables(call)).keys()]).toEqual(['A'])
  })

  test('while a write on SQLite takes more than one turn, reads are answered as things were before it', async () => {
    const { call, service } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const written = await service.store.kysely.transaction().execute(async (trx) => {
      await trx.updateTable('variables').set({ name: 'B' }).where('environment_id', '=', environmentId).execute()
      for (const path of ['/health', '/audit', '/deleted', '/changes']) expect((await call('GET', path)).status, `GET ${path}`).toBe(200)
      return [...(await readVariables(call)).keys()]
    })
    expect(written).toEqual(['A'])
    expect([...(await readVariables(call)).keys()]).toEqual(['B'])
  })

  test('PostgreSQL that goes away is 503, and the process lives on', async () => {
    const postgres = await startPostgres()
    const started = await startService({ deps: { storage: { databaseUrl: await createDatabase(postgres.url) } } })
    const call = client(started.url, started.apiKey)
    await makeEnvironment(call)
    const during = Array.from({ length: 20 }, (_, index) => call('POST', `${devPath}/variables`, { name: `N${index}`, value: sealed('1') }))
    await postgres.stop()
    for (const { status, body } of await Promise.all(during)) {
      // 500 only where the commit itself was cut off.
      expect([201, 503, ...(body.message.includes('its outcome is unknown') ? [500] : [])]).toContain(status)
    }
    const after = await call('POST', `${devPath}/variables`, { name: 'LATER', value: sealed('1') })
    expect(after.body).toEqual(unavailable)
    expect((await fetch(`${started.url}/health`)).status).toBe(503)
    await started.close()
  })

  test('on a read-only PostgreSQL, writes are refused with 503, and saved records can still be read', async () => {
    let now = Date.now()
    const started = await startService({ deps: { storage: { databaseUrl: await createDatabase() }, now: () => now } })
    const call = client(started.url, started.apiKey)
    await makeEnvironment(call)
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    // Requests that come one after another share two connections: the use of a key is noted over one of its own.
    await Promise.all([1, 2].map(() => sql`set default_transaction_read_only = on`.execute(started.service.store.kysely)))
    // The use of a key is noted once a minute.
    now += 61_000
    expect((await call('GET', devPath)).status).toBe(200)
    expect((await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') })).body).toEqual(unavailable)
    // The audit list has to say who reads a version.
    expect((await call('GET', `/versions/${version.body.data.id}`)).body).toEqual(unavailable)
    await started.close()
  })

  test('broken connections are replaced', async () => {
    const started = await startService({ deps: { storage: { databaseUrl: await createDatabase() } } })
    const call = client(started.url, started.apiKey)
    await makeEnvironment(call)
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await Promise.all([call('GET', '/changes'), call('GET', '/changes')])
    await cut.execute(started.service.store.kysely)
    await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') })
    await call('POST', `${devPath}/variables`, { name: 'B', value: sealed('1') })
    expect((await readVariables(call)).has('B')).toBe(true)
    await started.close()
  })

  test('a commit whose answer is lost with the connection is 500, never "Nothing was changed"', async () => {
    const proxy = await startDatabaseProxy(await createDatabase())
    const started = await startService({ deps: { storage: { databaseUrl: proxy.url } } })
    const call = client(started.url, started.apiKey)
    await makeEnvironment(call)
    proxy.resetNextCommit()
    const written = await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') })
    expect([written.status, written.body.message]).toEqual([500, expect.stringContaining('its outcome is unknown') as string])
    expect((await readVariables(call)).has('A')).toBe(true)
    await started.close()
    proxy.close()
  })

  const change = (environmentId: string, name: string) => ({
    changes: [{ op: 'create', resource: 'variable', id: randomUUID(), parentId: environmentId, fields: { name, value: sealed('1') } }],
  })
  test.each([
    { what: 'a write', from: '', method: 'POST', path: `${devPath}/variables`, body: () => ({ name: 'DURING', value: sealed('1') }) },
    {
      what: 'a batch within its reads',
      from: 'from "tombstones"',
      method: 'POST',
      path: '/changes',
      body: (id: string) => change(id, 'DURING'),
    },
    {
      what: 'a bulk deletion',
      from: 'delete from "variables"',
      method: 'DELETE',
      path: `${devPath}/variables`,
      body: () => ({ names: ['BEFORE'] }),
    },
    { what: 'a read without parameters', from: '', method: 'GET', path: '/workspace', body: () => undefined },
    { what: 'the list of deletions', from: 'from "deletions"', method: 'GET', path: '/deleted', body: () => undefined },
    { what: 'the audit list', from: 'from "audit"', method: 'GET', path: '/audit', body: () => undefined },
    { what: 'the question after health', from: '', method: 'GET', path: '/health', body: () => undefined },
  ])(
    '$what on a connection to PostgreSQL that fell silent is 503 after half a minute, and the next write is done',
    async ({ from, method, path, body }) => {
      const proxy = await startDatabaseProxy(await createDatabase())
      const started = await startService({ deps: { storage: { databaseUrl: proxy.url } } })
      const call = client(started.url, started.apiKey)
      const { environmentId } = await makeEnvironment(call)
      await putVariables(call, { BEFORE: 'x' })
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      proxy.silence(() => vi.advanceTimersByTime(30_000), from)
      const during = await call(method, path, body(environmentId))
      expect(during.body).toEqual(unavailable)
      expect((await call('POST', `${devPath}/variables`, { name: 'LATER', value: sealed('1') })).status).toBe(201)
      expect([...(await readVariables(call)).keys()]).toEqual(['BEFORE', 'LATER'])
      await started.close()
      proxy.close()
    },
  )

  /** Opens some connections at once, which are idle afterwards. */
  const openSome = ({ kysely }: Store) => Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.01)`.execute(kysely)))

  test.each([
    { what: 'its own commit', from: 'commit' },
    { what: 'the beginning of a transaction', from: 'start transaction' },
  ])('after $what on a connection that fell silent, the other idle ones are replaced too', async ({ from }) => {
    const proxy = await startDatabaseProxy(await createDatabase())
    const store = await openStore({ databaseUrl: proxy.url }, () => '2026-01-01T00:00:00.000Z')
    await openSome(store)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    proxy.silence(() => vi.advanceTimersByTime(30_000), from)
    const inTransaction = () => store.kysely.transaction().execute((trx) => sql`select 1`.execute(trx))
    await expect(inTransaction()).rejects.toThrow(/Query read timeout|Connection terminated/)
    expect((await inTransaction()).rows).toHaveLength(1)
    await store.close()
    proxy.close()
  })

  test('after a statement that may take minutes lost its connection, the other idle ones are replaced too', async () => {
    const proxy = await startDatabaseProxy(await createDatabase())
    const store = await openPostgres(proxy.url)
    await openSome(store)
    // As TCP keepalive does in time.
    proxy.silence((connection) => connection.resetAndDestroy())
    await expect(sql`select 1`.execute(withoutTimeout(store).kysely)).rejects.toThrow(/ECONNRESET|Connection terminated/)
    expect((await sql`select 1`.execute(store.kysely)).rows).toHaveLength(1)
    await store.close()
    proxy.close()
  })

  test('a statement that may take minutes is not cut off', async () => {
    const proxy = await startDatabaseProxy(await createDatabase())
    const store = await openPostgres(proxy.url)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const asked = new Promise<void>((resolve) =>
      proxy.silence(() => {
        vi.advanceTimersByTime(3_600_000)
        resolve()
      }),
    )
    const read = sql`select 1`.execute(withoutTimeout(store).kysely).catch(String)
    await asked
    await store.close()
    expect(await read).toContain('Connection terminated')
    proxy.close()
  })

  test('a store stops while a connection to PostgreSQL is silent', async () => {
    const proxy = await startDatabaseProxy(await createDatabase())
    const store = await openPostgres(proxy.url)
    const asked = new Promise<void>((resolve) => proxy.silence(() => resolve()))
    const read = sql`select 1`.execute(store.kysely).then(
      () => 'answered',
      () => 'cut off',
    )
    await asked
    await store.close()
    expect(await read).toBe('cut off')
    proxy.close()
  })
})
