import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseBody } from '../../electron/remote/parse-body.ts'
import { readData } from '../../electron/remote/read-data.ts'
import { pageOf, variableRecord } from '../../electron/remote/records.ts'
import { aRemote } from './a-remote.ts'

const megabyte = 1024 * 1024

const record = (index: number, more: object = {}) => ({
  id: `id-${index}`,
  name: `${'N'.repeat(249)}${String(index).padStart(6, '0')}`,
  value: 'v1:AAAA',
  environmentId: 'e',
  ...more,
})
/** A record of 60 texts, none of which is longer than a value may be. */
const manyTexts = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [index, 'a'.repeat(megabyte)])))
const page = (items: unknown) => JSON.stringify({ success: true, data: { items, nextCursor: null } })
const http = (body: string, length = Buffer.byteLength(body)) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A server below HTTP: what it answers is written as it stands. */
async function startRaw(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const list = async (answer: (socket: Socket) => void, options: { bodyLimitBytes?: number; timeoutMs?: number } = {}) =>
  aRemote(await startRaw(answer), options).listVariables('p', 'e', null)

/** Everything else of the process, while `work` runs: how often it got its turn. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

describe('an answer that no service gives is refused before it is parsed', () => {
  test.each([
    ['60 MB of nested lists', '['.repeat(30 * megabyte) + ']'.repeat(30 * megabyte)],
    ['60 MB of nested objects', '{"a":'.repeat(12 * megabyte)],
    ['60 MB of empty lists', `{"success":true,"data":[${'[],'.repeat(20 * megabyte)}[]]}`],
    ['60 MB of numbers in one record', `{"success":true,"data":{"items":[{"a":[${'1,'.repeat(30 * megabyte)}1]}]}}`],
    [
      '60 MB of numbers beside the records',
      `{"success":true,"data":{"items":[]},"more":{"a":{"b":{"c":[${'1,'.repeat(30 * megabyte)}1]}}}}`,
    ],
    [
      'several long lists, of which one alone is read record by record',
      `{"success":true,"data":{"items":[${'{},'.repeat(400_000)}{}],"more":[${'{},'.repeat(400_000)}{}]}}`,
    ],
    ['records of brackets without commas', `{"success":true,"data":{"items":[${`${'['.repeat(28)}${']'.repeat(28)},`.repeat(400_000)}1]}}`],
    ['a long list that does not end', `{"success":true,"data":{"items":[${'{"a":1},'.repeat(400_000)}`],
    ['one text of 60 MB', `{"success":true,"data":"${'a'.repeat(60 * megabyte)}"}`],
    ['60 MB of escaped quotes', `{"success":true,"data":"${'\\"'.repeat(30 * megabyte)}"}`],
    ['a text that does not end', '{"success":true,"data":"'],
    ['60 MB of texts in one record', `{"success":true,"data":{"items":[{},${manyTexts}]}}`],
    ['60 MB of texts in the only record', `{"success":true,"data":{"items":[${manyTexts}]}}`],
    ['60 MB of texts beside the records', `{"success":true,"data":{"items":[{},{}],"more":${manyTexts}}}`],
    ['60 MB of blanks in one record', `{"success":true,"data":{"items":[{},{${' '.repeat(60 * megabyte)}}]}}`],
    ['60 MB of blanks beside the records', `{"success":true,${' '.repeat(60 * megabyte)}"data":{"items":[{},{}]}}`],
    ['a number of 60 MB', `{"success":true,"data":{"items":[{},{"a":${'1'.repeat(60 * megabyte)}}]}}`],
  ])('%s', async (_name, body) => {
    expect(typeof (await parseBody(Buffer.from(body)))).toBe('undefined')
  })
})

test.each([
  ['nested lists', '['.repeat(megabyte) + ']'.repeat(megabyte), 'isn’t complete JSON'],
  ['a value of 3 MB', page([record(1, { value: 'a'.repeat(3 * megabyte) })]), 'above 1.25 MiB'],
  ['a page of 33 levels', `{"success":true,"data":{"items":${'['.repeat(31)}${']'.repeat(31)}}}`, 'isn’t complete JSON'],
])('%s over the wire: an answer that is not of a service', async (_name, body, says) => {
  expect(await list((socket) => socket.end(http(body)))).toMatchObject({
    ok: false,
    error: { kind: 'not-a-service', message: expect.stringContaining(says) },
  })
})

test('100,000 names of 255 characters are read, and everything else has its turn meanwhile', async () => {
  const body = http(page(Array.from({ length: 100_000 }, (_, index) => record(index))))
  const reading = list((socket) => socket.end(body))
  const turns = await turnsDuring(reading)
  const result = await reading
  expect(result.ok && result.value.items.length).toBe(100_000)
  expect(turns).toBeGreaterThan(100)
})

test('a body without an end is left at the limit', async () => {
  const answer = await list(
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
      const go = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', go)
      go()
    },
    { bodyLimitBytes: megabyte },
  )
  expect(answer).toMatchObject({
    ok: false,
    error: { kind: 'not-a-service', message: expect.stringContaining('more than Holdfast can read') },
  })
})

test.each([
  ['a body shorter than its length', http(page([]), 1000), (socket: Socket, text: string) => socket.end(text)],
  ['a body cut within its length', http(page([record(1)]), 5000), (socket: Socket, text: string) => socket.end(text)],
  ['a body longer than its length', http(page([record(1)]), 20), (socket: Socket, text: string) => socket.end(text)],
  ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}', (socket: Socket, text: string) => socket.end(text)],
  [
    'two lengths',
    `HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    (socket: Socket, text: string) => socket.end(text),
  ],
  ['silence', '', () => {}],
])('%s is an error with a sentence, never half a list', async (_name, text, send) => {
  const answer = await list((socket) => void send(socket, text), { timeoutMs: 2000 })
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(/\.$/) } })
})

test.each([
  ['a name', page([record(1, { name: 'N'.repeat(100_001) })])],
  ['an id', page([record(1, { id: 'i'.repeat(100_001) })])],
  ['a cursor', JSON.stringify({ success: true, data: { items: [], nextCursor: 'c'.repeat(4097) } })],
])('%s that no address can hold is an answer that is not of a service', async (_name, body) => {
  expect(await list((socket) => socket.end(http(body)))).toMatchObject({ ok: false, error: { kind: 'not-a-service' } })
})

test.each(['items', 'variables'])('the %s of an answer are checked some at a time', async (field) => {
  let inTurn = 0
  let most = 0
  const counted = z.string().refine(() => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += 1
    most = Math.max(most, inTurn)
    return true
  })
  const texts = Array.from({ length: 20_000 }, (_, index) => String(index))
  const body = Buffer.from(JSON.stringify({ success: true, data: { id: 'x', [field]: texts } }))
  const read = await readData(body, z.object({ id: z.string(), [field]: z.array(counted) }))
  expect(read).toEqual({ ok: true, value: { id: 'x', [field]: texts } })
  expect(most).toBeLessThanOrEqual(2000)
})

test('a record that can’t be read is named by its place in the whole list', async () => {
  const items = Array.from({ length: 5000 }, (_, index) => record(index, index === 4321 ? { value: 7 } : {}))
  expect(await readData(Buffer.from(page(items)), pageOf(variableRecord))).toMatchObject({
    ok: false,
    error: expect.stringContaining('(items.4321.value)'),
  })
})

test.each([
  ['of 1970', { updatedAt: '1970-01-01T00:00:00Z', createdAt: '1970-01-01T00:00:00Z' }, '1970-01-01T00:00:00Z'],
  ['of 2999', { updatedAt: '2999-12-31T23:59:59Z' }, '2999-12-31T23:59:59Z'],
  ['of no calendar', { updatedAt: '2026-99-99' }, undefined],
  ['that is a number', { updatedAt: 0 }, undefined],
])('a clock %s is kept as it was said, or counts as unknown', async (_name, more, updatedAt) => {
  const answer = await list((socket) => socket.end(http(page([record(1, more)]))))
  expect(answer.ok && answer.value.items[0]?.updatedAt).toBe(updatedAt)
})

test('ids that repeat reach the mirror as they came: the last one counts there', async () => {
  const answer = await list((socket) => socket.end(http(page([record(1), record(1, { value: 'v1:BBBB' })]))))
  expect(answer.ok && answer.value.items.map(({ id, value }) => [id, value])).toEqual([
    ['id-1', 'v1:AAAA'],
    ['id-1', 'v1:BBBB'],
  ])
})

test('records as large as a record may be are all read, however many they are', async () => {
  const items = Array.from({ length: 50 }, (_, index) => record(index, { value: 'a'.repeat(1.25 * megabyte - 10) }))
  expect(JSON.stringify(await parseBody(Buffer.from(page(items)))) === page(items)).toBe(true)
})

test('a long list is the same as parsed at once, whatever stands in it', async () => {
  const odd = ['"', '\\', '\\"', '[', ']', ',', '{"a":[1,2]}', '\u2028', '🦀', '']
  const items = Array.from({ length: 6000 }, (_, index) => record(index, { value: odd[index % odd.length], more: [[], [1, [2]], {}] }))
  for (const body of [page(items), JSON.stringify({ success: true, data: items, also: [1, 2] })]) {
    expect(await parseBody(Buffer.from(body))).toEqual(JSON.parse(body))
  }
})
