import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeJsonBodies } from '../../../service/http/json-body.ts'
import { bodyLimit } from '../../../service/protocol/limits.ts'
import { memoryInUse } from '../../support/memory-in-use.ts'

let app: FastifyInstance
beforeEach(() => {
  app = Fastify()
  takeJsonBodies(app)
  app.post('/', (request) => ({ bytes: request.rawBody.length, body: request.body }))
})
afterEach(() => app.close())

const send = async (chunks: Iterable<Buffer>, length?: number) => {
  const framing = length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
  const headers = { 'content-type': 'application/json', ...framing }
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: Readable.from(chunks) })
  return { status: answer.statusCode, body: answer.json<{ bytes: number; body: unknown; code: string }>() }
}

/** JSON of so many bytes. */
const textOf = (bytes: number): Buffer => Buffer.from(`"${'é'.repeat((bytes - 2) / 2)}"`)

test.each([
  ['one', 70_000, [70_000]],
  ['many of every size', 200_000, [1, 65_535, 1, 65_536, 65_537, 3390]],
  ['two of the size of a block', 131_072, [65_536, 65_536]],
])('a body in chunks, %s, is read as it was sent, whether its length was announced or not', async (_, bytes, sizes) => {
  const sent = textOf(bytes)
  let at = 0
  const chunks = sizes.map((size) => sent.subarray(at, (at += size)))
  const read = { status: 200, body: { bytes, body: JSON.parse(sent.toString('utf8')) as unknown } }
  expect(await send(chunks, bytes)).toEqual(read)
  expect(await send(chunks)).toEqual(read)
})

test('a body of another length than announced, or above the limit, is refused', async () => {
  expect(await send([textOf(100)], 101)).toMatchObject({ status: 400, body: { code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' } })
  expect(await send([textOf(100)], bodyLimit + 1)).toMatchObject({ status: 413, body: { code: 'FST_ERR_CTP_BODY_TOO_LARGE' } })
  expect(await send([textOf(bodyLimit), Buffer.from(' ')])).toMatchObject({ status: 413, body: { code: 'FST_ERR_CTP_BODY_TOO_LARGE' } })
  expect(await send([textOf(bodyLimit)])).toMatchObject({ status: 200, body: { bytes: bodyLimit } })
})

test('a body that a client sends byte by byte takes little more memory than its bytes', async () => {
  const count = 300_000
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const before = memoryInUse()
  const socket = connect(port, '127.0.0.1')
  const [served] = (await once(app.server, 'connection')) as [Socket]
  socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
  socket.write('1\r\n"\r\n')
  socket.write('1\r\nx\r\n'.repeat(count - 2))
  await expect.poll(() => served.bytesRead, { timeout: 30_000 }).toBeGreaterThan(6 * (count - 1))
  const held = memoryInUse() - before
  socket.write('1\r\n"\r\n0\r\n\r\n')
  expect(await text(socket)).toContain(`{"bytes":${count},`)
  expect(held).toBeLessThan(10 * 1024 * 1024)
}, 60_000)
