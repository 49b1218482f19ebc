import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { labelLimit, nameLimit, noteLimit, pageBytes, sealedValueLimit, versionBytes } from '../../service/protocol/limits.ts'
import type { Tables } from '../../service/store/tables.ts'
import { client } from './support/client.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import { insertVariables } from './support/insert-variables.ts'
import { placeOptions } from './support/place-options.ts'
import { runService } from './support/run-service.ts'
import { devPath, makeEnvironment, putVariables, sealed } from './support/samples.ts'

const large = (bytes: number): string => `v1:${Buffer.alloc(Math.floor(bytes / 4) * 3).toString('base64')}`

interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** The longest value that may be written. */
const longest = large(sealedValueLimit - 4)

interface Started {
  call: Call
  service: { store: { kysely: Kysely<Tables> } }
}

/** Fills `dev` with so many values of 3 MiB, as a service with a higher limit may have left them. */
const fill = async ({ call, service }: Started, count: number): Promise<void> => {
  await makeEnvironment(call)
  for (let index = 0; index < count; index++)
    expect((await call('POST', `${devPath}/variables`, { name: `LARGE_${index}`, value: sealed('small') })).status).toBe(201)
  const { kysely } = service.store
  const value = large(3 * 1024 * 1024)
  await kysely.updateTable('variables').set({ value }).execute()
  await kysely
    .updateTable('clock')
    .set((eb) => ({ bytes: eb('bytes', '+', count * (value.length - sealed('small').length)) }))
    .execute()
}

const openSockets: Socket[] = []
afterEach(() => {
  for (const socket of openSockets.splice(0)) socket.destroy()
})

/** Announces a body of so many bytes and sends the beginning of it. */
const beginBody = (url: string, apiKey: string, bytes = 5_000_000): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    openSockets.push(socket)
    socket.on('error', reject)
    const head = `POST /changes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`
    socket.write(`${head}{"changes":[`, () => resolve())
  })

type Request = [method: string, path: string, body?: object, headers?: Record<string, string>]

const open = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => resolve(socket))
    openSockets.push(socket)
    socket.on('error', reject)
  })

/** The bytes of a request. */
const bytesOf = (apiKey: string, ...[method, path, body, headers]: Request): string => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'x',
    authorization: `Bearer ${apiKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

const batchAbout = (id: string) => ({ changes: [{ op: 'update', resource: 'variable', id, fields: { isSecret: true } }] })

/** 200 projects with the longest names there are. */
const manyProjects = (round: number) =>
  Array.from({ length: 200 }, (_, index) => ({
    op: 'create',
    resource: 'project',
    id: `01900000-0000-7000-8000-${`${round * 200 + index}`.padStart(12, '0')}`,
    fields: { name: `${round} ${index} `.padEnd(nameLimit, '語'), slug: `p-${round}-${index}` },
  }))

/** 200 variables of an environment with the longest names there are. */
const manyVariables = (parentId: string, round: number) =>
  Array.from({ length: 200 }, (_, index) => ({
    op: 'create',
    resource: 'variable',
    id: `01900000-0000-7000-8001-${`${round * 200 + index}`.padStart(12, '0')}`,
    parentId,
    fields: { name: `${round} ${index} `.padEnd(nameLimit, '語'), value: sealed('') },
  }))

/** Asks, and reads no more of the answer than its beginning. */
const beginAnswer = async (url: string, apiKey: string, path: string): Promise<Socket> => {
  const socket = await open(url)
  const begun = once(socket, 'readable')
  socket.write(bytesOf(apiKey, 'GET', path))
  await begun
  return socket
}

describe.each(databases)('heavy requests on %s', (kind) => {
  const start = useServices(kind)

  test('an environment of more than 16 MiB is refused as a version, at once and for good, and nothing is written', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    await putVariables(call, { SMALL: 'one' })
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    await call('DELETE', `${devPath}/variables/SMALL`)
    const count = Math.ceil(versionBytes / longest.length)
    for (let index = 0; index < count; index++) await call('POST', `${devPath}/variables`, { name: `LARGE_${index}`, value: longest })
    const refused = { success: false, code: 413, message: expect.stringContaining('The environment holds more than 16 MiB') as string }
    expect((await call('POST', `${devPath}/versions`)).body).toMatchObject(refused)
    expect((await call('POST', `/versions/${version.body.data.id}/rollback`)).body).toMatchObject(refused)
    const listed = await call<Page<{ id: string }>>('GET', `${devPath}/versions`)
    expect(listed.body.data.items.map(({ id }) => id)).toEqual([version.body.data.id])
    // Names count too.
    for (const name of ['LARGE_0', 'LARGE_1']) await call('DELETE', `${devPath}/variables/${name}`)
    expect((await call('POST', `/versions/${version.body.data.id}/rollback`)).body.data).toMatchObject({ added: 1, removed: count - 2 })
  })

  test('names count for what a version may hold', async () => {
    const { call, service } = await start()
    const { environmentId } = await makeEnvironment(call)
    const { kysely } = service.store
    const value = sealed('')
    const name = '語'.repeat(nameLimit - 6)
    const count = Math.ceil(versionBytes / (Buffer.byteLength(name) + value.length))
    const variables = Array.from({ length: count }, (_, index) => ({
      id: `id-${index}`,
      name: `${String(index).padStart(6)}${name}`,
      value,
    }))
    await insertVariables(kysely, { workspaceId: service.workspaceId, environmentId, from: 1000, variables })
    expect((await call('POST', `${devPath}/versions`)).body).toMatchObject({
      code: 413,
      message: expect.stringContaining('The environment holds more than 16 MiB of names and values.') as string,
    })
  })

  test('a version that is too large for one answer says so, and is read in pages', async () => {
    const { call, service } = await start()
    await fill({ call, service }, 5)
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    const path = `/versions/${version.body.data.id}`
    expect((await call<{ variables: unknown[] }>('GET', path)).body.data.variables).toHaveLength(5)
    // As a service without the limit saved it.
    const { kysely } = service.store
    const row = await kysely.selectFrom('version_variables').selectAll().limit(1).executeTakeFirstOrThrow()
    await kysely
      .insertInto('version_variables')
      .values({ ...row, ordinal: row.ordinal + 1_000_000, name: 'ONE_MORE' })
      .execute()
    await kysely
      .updateTable('clock')
      .set((eb) => ({ bytes: eb('bytes', '+', row.value.length) }))
      .execute()
    expect((await call('GET', path)).body).toMatchObject({ code: 413, message: expect.stringContaining('?limit=1000') as string })
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { variables: { name: string }[]; nextCursor: string | null } = (
        await call<{ variables: { name: string }[]; nextCursor: string | null }>('GET', `${path}?limit=1000${cursor}`)
      ).body.data
      expect(page.variables).toHaveLength(1)
      names.push(...page.variables.map(({ name }) => name))
      cursor = page.nextCursor === null ? null : `&cursor=${page.nextCursor}`
    }
    expect(names).toEqual([...Array.from({ length: 5 }, (_, index) => `LARGE_${index}`), 'ONE_MORE'])
  })

  test.each(['0', '1001', 'x', '0x10', '1e2'])('a version refuses ?limit=%s', async (limit) => {
    const { call } = await start()
    await makeEnvironment(call)
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    expect((await call('GET', `/versions/${version.body.data.id}?limit=${limit}`)).status).toBe(400)
  })

  test('every list cuts its pages by what they weigh, and misses nothing', async () => {
    const { call, service } = await start()
    await fill({ call, service }, 4)
    await putVariables(call, { A: '1', B: '2' })
    const note = 'é'.repeat(noteLimit)
    const versions = 250
    await makeVersions(call, versions, note)
    const sizesOf = async (path: string, list: (data: Record<string, unknown>) => string | null): Promise<number[]> => {
      const sizes: number[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: { body: { data: Record<string, unknown> } } = await call(
          'GET',
          `${path}?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
        expect(JSON.stringify(body).length).toBeLessThan(pageBytes * 1.5)
        sizes.push((body.data['items'] as unknown[]).length)
        cursor = list(body.data)
      }
      return sizes
    }
    const nextOf = (data: Record<string, unknown>) => data['nextCursor'] as string | null
    expect(await sizesOf(`${devPath}/variables`, nextOf)).toEqual([1, 1, 1, 3])
    const pages = await sizesOf('/projects/app/environments/notes/versions', nextOf)
    expect([pages.length > 1, pages.reduce((a, b) => a + b, 0)]).toEqual([true, versions])
    const feed = await sizesOf('/changes', (data) => (data['more'] === true ? nextOf(data) : null))
    expect(feed.reduce((a, b) => a + b, 0)).toBe(versions + 6 + 5)
  })

  test('the audit list cuts its pages by what they weigh', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    // One entry that names them all is of a bulk deletion.
    for (let round = 0; round < 30; round++) {
      const names = Array.from({ length: 200 }, (_, index) => `${index}_${round}_`.padEnd(255, 'é'))
      await putVariables(call, Object.fromEntries(names.map((name) => [name, '1'])))
      expect((await call('DELETE', `${devPath}/variables`, { names })).status).toBe(200)
    }
    const first = await call<Page<{ id: string }>>('GET', '/audit?limit=1000')
    expect(JSON.stringify(first.body).length).toBeLessThan(pageBytes * 1.5)
    const second = await call<Page<{ id: string }>>('GET', `/audit?limit=1000&cursor=${first.body.data.nextCursor}`)
    const ids = [...first.body.data.items, ...second.body.data.items].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a key that begins large bodies and never ends them holds up nobody else', async () => {
    const { url, apiKey, call, memberCall } = await start()
    await makeEnvironment(call)
    const other = await memberCall('editor')
    await Promise.all(Array.from({ length: 12 }, () => beginBody(url, apiKey)))
    const [written, read] = await Promise.all([
      other('POST', `${devPath}/variables`, { name: 'LARGE', value: longest }),
      other('GET', devPath),
    ])
    expect([written.status, read.status]).toEqual([201, 200])
    // Its own small requests pass too.
    expect((await call('GET', '/workspace')).status).toBe(200)
    for (const socket of openSockets.splice(0)) socket.destroy()
    expect((await call('POST', `${devPath}/variables`, { name: 'LARGE_TOO', value: longest })).status).toBe(201)
  })

  /** A version of 15 MiB, all the room there is for large answers. */
  const makeVersion = async ({ call, service }: Started): Promise<string> => {
    await fill({ call, service }, 5)
    return `/versions/${(await call<{ id: string }>('POST', `${devPath}/versions`)).body.data.id}`
  }

  test('a key that never reads the version it asked for does not delay others', async () => {
    const { url, call, memberKey, memberCall, service } = await start()
    const path = await makeVersion({ call, service })
    const other = await memberCall('editor')
    await beginAnswer(url, await memberKey('viewer'), path)
    const [written, read] = await Promise.all([
      other('POST', `${devPath}/variables`, { name: 'LARGE', value: longest }),
      other('GET', path),
    ])
    expect([written.status, read.status]).toEqual([201, 200])
  })

  test.each<[what: string, request: (id: string, version: string) => Request]>([
    ['a version of many long names', (_, version) => ['GET', `/versions/${version}`]],
    ['the value of a variable', () => ['GET', `${devPath}/variables/LARGE_0`]],
    ['a record', (id) => ['GET', `/records/variable/${id}`]],
    ['a list of long names', () => ['GET', '/projects?limit=1000']],
    ['an update of a large value', (id) => ['PATCH', `/variables/${id}`, { isSecret: true }]],
    ['a batch about a large value', (id) => ['POST', '/changes', batchAbout(id)]],
    ['an answer that is kept', (id) => ['POST', '/changes', batchAbout(id), { 'idempotency-key': 'kept' }]],
  ])('a key that never reads %s is answered no more than its share, and holds up nobody else', async (_what, request) => {
    const { url, apiKey, call, memberCall, service } = await start()
    await fill({ call, service }, 1)
    const { id } = (await call<{ id: string }>('GET', `${devPath}/variables/LARGE_0`)).body.data
    for (let round = 0; round < 5; round++) await call('POST', '/changes', { changes: manyProjects(round) })
    const named = await call<{ id: string }>('POST', '/projects/app/environments', { name: 'Names', slug: 'names' })
    for (let round = 0; round < 5; round++) await call('POST', '/changes', { changes: manyVariables(named.body.data.id, round) })
    const version = await call<{ id: string }>('POST', '/projects/app/environments/names/versions')
    const other = await memberCall('editor')
    const [method, path, body, headers] = request(id, version.body.data.id)
    if (headers !== undefined) await call(method, path, body, headers)
    const held: Socket[] = []
    // Of a client that does not read: what the service sends it stays in the process.
    const hold = (socket: Socket) => {
      Object.assign(socket, { _write: () => undefined, _writev: null })
      held.push(socket)
    }
    service.app.server.on('connection', hold)
    const sockets = await Promise.all(Array.from({ length: 60 }, () => open(url)))
    await expect.poll(() => held.length).toBe(60)
    service.app.server.off('connection', hold)
    for (const socket of sockets) socket.write(bytesOf(apiKey, method, path, body, headers))
    const [written, read] = await Promise.all([
      other('POST', `${devPath}/variables`, { name: 'OF_OTHER', value: longest }),
      other('GET', `${devPath}/variables/LARGE_0`),
    ])
    expect([written.status, read.status]).toEqual([201, 200])
    expect(held.reduce((sum, { writableLength }) => sum + writableLength, 0)).toBeLessThan(11 * 1024 * 1024)
    for (const socket of held) socket.destroy()
    expect((await call('GET', `${devPath}/variables/LARGE_0`)).status).toBe(200)
  })

  test('a write whose client has left gives its room back', async () => {
    const { url, apiKey, call, service } = await start()
    await fill({ call, service }, 1)
    const { id } = (await call<{ id: string }>('GET', `${devPath}/variables/LARGE_0`)).body.data
    for (let round = 0; round < 6; round++) {
      const socket = await open(url)
      const closed = once(socket, 'close')
      socket.write(bytesOf(apiKey, 'PATCH', `/variables/${id}`, { isSecret: round % 2 === 0 }))
      socket.resetAndDestroy()
      await closed
    }
    // After them, in the order of writes.
    expect((await call('POST', `${devPath}/variables`, { name: 'SMALL', value: sealed('one') })).status).toBe(201)
    expect((await call('GET', `${devPath}/variables/LARGE_0`)).status).toBe(200)
  })

  test('a read that waited for room is refused when its member was removed meanwhile', async () => {
    const { url, call, memberKey, service } = await start()
    const path = await makeVersion({ call, service })
    const viewer = await memberKey('viewer')
    const first = await beginAnswer(url, viewer, path)
    const second = await open(url)
    const answer = once(second, 'data')
    second.write(bytesOf(viewer, 'GET', `${devPath}/variables/LARGE_0`))
    const { items } = (await call<Page<{ id: string; email: string }>>('GET', '/members')).body.data
    const member = items.find(({ email }) => email.startsWith('viewer'))
    expect((await call('DELETE', `/members/${member?.id}`)).status).toBe(200)
    first.resume()
    expect(String((await answer)[0]).slice(0, 12)).toBe('HTTP/1.1 401')
  })

  test('a read that waited for room is of what is at its path then', async () => {
    const { url, call, memberKey, service } = await start()
    const path = await makeVersion({ call, service })
    const viewer = await memberKey('viewer')
    const first = await beginAnswer(url, viewer, path)
    const second = await open(url)
    const answer = once(second, 'data')
    second.write(bytesOf(viewer, 'GET', `${devPath}/variables/LARGE_0`))
    const { id } = (await call<{ id: string }>('GET', `${devPath}/variables/LARGE_0`)).body.data
    expect((await call('PATCH', `/variables/${id}`, { name: 'RENAMED' })).status).toBe(200)
    first.resume()
    expect(String((await answer)[0]).slice(0, 12)).toBe('HTTP/1.1 404')
  })

  test.each<[what: string, request: (id: string) => Request]>([
    ['deleted', () => ['DELETE', `${devPath}/variables/LARGE_0`]],
    ['replaced by a small one', (id) => ['PATCH', `/variables/${id}`, { value: sealed('small') }]],
  ])('a large value is %s while there is no room to read it', async (_what, request) => {
    const { url, call, memberKey, service } = await start()
    const path = await makeVersion({ call, service })
    const { id } = (await call<{ id: string }>('GET', `${devPath}/variables/LARGE_0`)).body.data
    for (let reader = 0; reader < 2; reader++) await beginAnswer(url, await memberKey('viewer'), path)
    await beginBody(url, await memberKey('editor'), 4_000_000)
    // The body has its room once a later request is answered.
    for (let round = 0; round < 3; round++) await call('GET', '/workspace')
    const [method, address, body] = request(id)
    expect((await call(method, address, body)).status).toBe(200)
  })

  test.each<[what: string, request: (key: string) => string]>([
    [
      'to send its body',
      (key) => bytesOf(key, 'POST', '/changes', undefined, { 'content-type': 'application/json', 'content-length': '4000000' }),
    ],
    ['for its answer', (key) => bytesOf(key, 'GET', `${devPath}/variables/LARGE_0`)],
  ])('a request that waits too long %s is refused before its connection is cut off', async (_what, request) => {
    const { url, call, memberKey, service } = await start({ requestMs: 3000 })
    const path = await makeVersion({ call, service })
    const editor = await memberKey('editor')
    await beginAnswer(url, editor, path)
    const waiting = await open(url)
    const answer = once(waiting, 'data')
    waiting.write(request(editor))
    const text = String((await answer)[0])
    expect([text.slice(0, 12), text]).toEqual(['HTTP/1.1 503', expect.stringContaining('retry-after: 1\r\n')])
    // Nothing of it waits any more.
    expect((await client(url, await memberKey('editor'))('GET', `${devPath}/variables/LARGE_0`)).status).toBe(200)
  })

  test('a connection on which nothing moves for two minutes is cut off, and its key reads on', async () => {
    const { url, call, service, memberKey } = await start()
    const path = await makeVersion({ call, service })
    const viewer = await memberKey('viewer')
    const accepted: Socket[] = []
    service.app.server.on('connection', (socket: Socket) => accepted.push(socket))
    await beginAnswer(url, viewer, path)
    expect(accepted[0]?.timeout).toBe(120_000)
    accepted[0]?.setTimeout(200)
    expect((await client(url, viewer)('GET', path)).status).toBe(200)
  })

  test('a key that leaves in the middle of its bodies logs no failure of the service', async () => {
    const lines: { level: number; msg: string }[] = []
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) })
    const { url, apiKey, call, service } = await start({ logger })
    const connections = () => new Promise<number>((resolve) => service.app.server.getConnections((_error, count) => resolve(count)))
    await beginBody(url, apiKey)
    await call('GET', '/workspace')
    const before = await connections()
    for (const socket of openSockets.splice(0)) socket.destroy()
    await expect.poll(connections, { timeout: 10_000 }).toBeLessThan(before)
    expect((await call('GET', '/workspace')).status).toBe(200)
    expect(lines.filter(({ level }) => level > 40)).toEqual([])
  })

  test('small updates of large values are answered as far as an answer goes, and the others can be sent again', async () => {
    const { call, service } = await start()
    await fill({ call, service }, 4)
    await putVariables(call, { SMALL: 'one' })
    const rows = await service.store.kysely.selectFrom('variables').select('id').orderBy('ordinal').execute()
    const ids = rows.map(({ id }) => id)
    const update = async (left: readonly string[]): Promise<unknown[]> => {
      const changes = left.map((id) => ({ op: 'update', resource: 'variable', id, fields: { isSecret: true } }))
      const { items } = (await call<{ items: { id: string; code?: number; record?: object }[] }>('POST', '/changes', { changes })).body.data
      expect(items.map(({ id }) => id)).toEqual(left)
      return items.map(({ code, record }) => code ?? record)
    }
    const isDone = expect.objectContaining({ isSecret: true }) as unknown
    expect(await update(ids)).toEqual([isDone, isDone, 503, 503, 503])
    expect(await update(ids.slice(2))).toEqual([isDone, isDone, 503])
    expect(await update(ids.slice(4))).toEqual([isDone])
  })

  test('small items that name large values never make the service read them all at once', async () => {
    const { call, storage, service, apiKey, memberKey } = await start()
    const ids = await copyLarge(call, service.store.kysely, 25)
    const heap = process.env['NODE_OPTIONS']
    process.env['NODE_OPTIONS'] = '--max-old-space-size=64'
    const running = await runService(...placeOptions(storage), '--log-level', 'error')
    if (heap === undefined) delete process.env['NODE_OPTIONS']
    else process.env['NODE_OPTIONS'] = heap
    const send = async (key: string, left: readonly string[], more: object): Promise<(number | string)[]> => {
      const changes = left.map((id) => ({ resource: 'variable', id, ...more }))
      const reply = await client(running.url, key)<{ items: { code?: number }[] }>('POST', '/changes', { changes })
      return reply.body.data.items.map(({ code }) => code ?? 'done')
    }
    const viewer = await memberKey('viewer')
    expect(new Set(await send(viewer, ids, { op: 'delete' }))).toEqual(new Set([403]))
    expect(new Set(await send(viewer, ids, { op: 'update', fields: { isSecret: true } }))).toEqual(new Set([403]))
    expect(new Set(await send(apiKey, ids, { op: 'update', fields: { value: sealed('small'), name: 'V' } }))).toEqual(
      new Set([409, 'done']),
    )
    expect(new Set(await send(apiKey, ids.slice(1), { op: 'update', ifMatch: '"0"', fields: { isSecret: true } }))).toEqual(
      new Set([412, 503]),
    )
    expect(new Set(await send(apiKey, ids, { op: 'delete' }))).toEqual(new Set(['done']))
    await running.stop()
  })

  test('many large answers and bodies at once are all answered', async () => {
    const { call, memberCall, service } = await start()
    await fill({ call, service }, 3)
    const calls = await Promise.all(Array.from({ length: 6 }, () => memberCall('editor')))
    const replies = await Promise.all(
      calls.flatMap((one, index) => [
        one('GET', `${devPath}/variables`),
        one('GET', '/changes'),
        one('POST', `${devPath}/variables`, { name: `OF_${index}`, value: longest }),
      ]),
    )
    expect(replies.map(({ status }) => status)).toEqual(calls.flatMap(() => [200, 200, 201]))
  })
})

/** Fills `dev` with so many values of 4 MiB, behind the wire, which would take long. Gives their ids. */
const copyLarge = async (call: Call, kysely: Kysely<Tables>, count: number): Promise<string[]> => {
  await makeEnvironment(call)
  const value = large(4 * 1024 * 1024 - 8)
  expect((await call('POST', `${devPath}/variables`, { name: 'V', value: sealed('small') })).status).toBe(201)
  await kysely.updateTable('variables').set({ value }).execute()
  const { id: first } = await kysely.selectFrom('variables').select('id').executeTakeFirstOrThrow()
  const others = Array.from({ length: count - 1 }, (_, index) => `id-${index}`)
  for (const [index, id] of others.entries())
    await sql`insert into variables (workspace_id, id, environment_id, name, value, type, is_secret, seq, ordinal, created_at, updated_at, updated_by)
      select workspace_id, ${id}, environment_id, ${`V${index}`}, value, type, is_secret, seq + ${index + 1}, ordinal + ${index + 1}, created_at, updated_at, updated_by
      from variables where id = ${first}`.execute(kysely)
  await kysely
    .updateTable('clock')
    .set((eb) => ({
      records: eb('records', '+', others.length),
      bytes: eb('bytes', '+', count * value.length - sealed('small').length),
      seq: eb('seq', '+', others.length),
    }))
    .execute()
  return [first, ...others]
}

const makeVersions = async (call: Call, count: number, note: string): Promise<void> => {
  await call('POST', '/projects/app/environments', { name: 'Notes', slug: 'notes' })
  for (let index = 0; index < count; index++) {
    const label = `${index}`.padEnd(labelLimit, 'x')
    const reply = await call('POST', '/projects/app/environments/notes/versions', { label, note })
    expect(reply.status).toBe(201)
  }
}
