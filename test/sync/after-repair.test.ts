import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { repairMirror } from '../../electron/mirror/salvage/repair-mirror.ts'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient, unreachable } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** What becomes of unsent edits whose records a damaged database has forgotten, once the server shows these again. */

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const key = new Uint8Array(32).fill(7)
let service: FuzzService
let clients: TestClient[] = []

beforeEach(async () => {
  service = await startFuzzService(parent, {})
})

afterEach(async () => {
  for (const client of clients) await client.close()
  clients = []
  await service.close()
})

function open(): TestClient {
  const client = new TestClient({ service, key, random: seededRandom(clients.length + 1), parent, fetch: service.fetch })
  clients.push(client)
  return client
}

/** Two clients that both have shop/prod/TOKEN. */
async function two(): Promise<[TestClient, TestClient]> {
  const [one, other] = [open(), open()]
  one.createProject('Shop')
  one.createEnvironment('shop', 'prod')
  one.setVariable(prod(one), 'TOKEN', 'first')
  await one.sync()
  await other.sync()
  expect(other.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/TOKEN': 'first' })
  return [one, other]
}

const prod = (client: TestClient): string => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

/** Edits TOKEN, as the row that is called `name` by now. */
const edit = (client: TestClient, name: string, input: { name?: string; value?: string }) =>
  client.updateVariable(client.find('variable', prod(client), name).id, input)

/** The variables of shop/prod as the server has them now: what somebody sees who has never been there before. */
async function onServer(): Promise<Record<string, string>> {
  const visitor = open()
  await visitor.sync()
  const under = 'shop/prod/'
  const all = Object.entries(visitor.contents()).filter(([path]) => path.startsWith(under))
  return Object.fromEntries(all.map(([path, value]) => [path.slice(under.length), value]))
}

/** The process dies, every page of the tables is lost, and the file is repaired. */
function forget(client: TestClient, ...tables: readonly ('base' | 'queue')[]): void {
  const { file } = client.mirror
  client.mirror.close()
  const database = new SqliteDatabase(file, { readonly: true })
  const pagesOf = database.prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ?').pluck()
  const pages = tables.flatMap((table) => pagesOf.all(table))
  database.close()
  const handle = openSync(file, 'r+')
  for (const page of pages) writeSync(handle, Buffer.alloc(4096), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
  const repaired = repairMirror(file, { now: client.now(), newId: client.newId })
  if (!repaired.ok) throw new Error(repaired.error.message)
  client.restart()
}

const waiting = (client: TestClient) => client.queue().map(({ kind, state, conflict }) => [kind, state, conflict?.kind ?? null])

describe('an unsent edit of a record that a repair forgot', () => {
  test('is sent as the edit that it was, when the server shows the record', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    expect(one.queue().every(({ kind, state }) => kind === 'create' && state === 'failed')).toBe(true)
    await one.sync()
    expect(one.queue()).toEqual([])
    expect(await onServer()).toEqual({ TOKEN: 'mine' })
  })

  test('finds the record under the name that the server knows, whatever its user calls it by now', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(one, 'TOKEN', { name: 'API_TOKEN' })
    await one.sync()
    expect(one.queue()).toEqual([])
    expect(await onServer()).toEqual({ API_TOKEN: 'mine' })
  })

  test('leaves the old name to a new variable that was made under it since', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(one, 'TOKEN', { name: 'API_TOKEN' })
    one.setVariable(prod(one), 'TOKEN', 'another one')
    await one.sync()
    expect(one.queue()).toEqual([])
    expect(await onServer()).toEqual({ API_TOKEN: 'mine', TOKEN: 'another one' })
  })

  test('is a question when somebody changed the same field meanwhile', async () => {
    const [one, other] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(other, 'TOKEN', { value: 'theirs' })
    await other.sync()
    await one.sync()
    expect(waiting(one)).toEqual([['update', 'conflict', 'fields']])
    expect(await onServer()).toEqual({ TOKEN: 'theirs' })
  })

  test('waits, to be made again or given up, when the record is gone', async () => {
    const [one, other] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    other.deleteVariable(prod(other), 'TOKEN')
    await other.sync()
    await one.sync()
    expect(waiting(one)).toEqual([['create', 'failed', null]])
    one.retry(one.queue()[0]?.id ?? '')
    await one.sync()
    expect(await onServer()).toEqual({ TOKEN: 'mine' })
  })

  test('is not sent before the server was read, however often that fails', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(one, 'TOKEN', { name: 'API_TOKEN' })
    const asked: string[] = []
    one.network = (forward, request) => {
      asked.push(request.method)
      return request.path.includes('/changes') || request.path.endsWith('/projects') ? unreachable(forward, request) : forward()
    }
    await one.sync()
    one.restart()
    await one.sync()
    expect(asked).not.toContain('POST')
    one.network = (forward) => forward()
    await one.sync()
    expect(await onServer()).toEqual({ API_TOKEN: 'mine' })
  })
})

test('an environment that a repair forgot is found by its slug, with its unsent edits, also when it was given another', async () => {
  const [one] = await two()
  edit(one, 'TOKEN', { value: 'mine' })
  forget(one, 'base')
  one.updatePlace('environment', prod(one), { slug: 'live' })
  await one.sync()
  const visitor = open()
  await visitor.sync()
  expect(visitor.contents()).toEqual({ shop: '', 'shop/live': '', 'shop/live/TOKEN': 'mine' })
})

test('what was shown and stands neither in base nor queue any more is never made beside the record that it was', async () => {
  const [one] = await two()
  edit(one, 'TOKEN', { value: 'mine' })
  forget(one, 'base', 'queue')
  edit(one, 'TOKEN', { name: 'API_TOKEN' })
  await one.sync()
  expect(waiting(one)).toEqual([['update', 'conflict', 'name-taken']])
  expect(await onServer()).toEqual({ TOKEN: 'first' })
  one.resolve(one.queue()[0]?.id ?? '', { take: 'mine' })
  await one.sync()
  expect(await onServer()).toEqual({ API_TOKEN: 'mine' })
})
