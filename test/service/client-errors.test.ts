import { connect } from 'node:net'
import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import type { TestService } from './support/databases.ts'
import { useServices } from './support/databases.ts'

interface Raw {
  status: number
  headers: Map<string, string>
  body: unknown
  /** All that came over the connection. */
  text: string
}

/** Sends the first text, then `more` again and again until the connection ends, and gives what came back. */
const exchange = ({ url }: TestService, first: string, more?: string): Promise<Raw> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    let text = ''
    let trickle: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      socket.write(first)
      if (more !== undefined) trickle = setInterval(() => socket.write(more), 20)
    })
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    // Whoever still sends when the service closes the connection gets an error.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(trickle)
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const [statusLine = '', ...lines] = head.split('\r\n')
      const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]))
      resolve({ status: Number(statusLine.split(' ')[1]), headers, body: body === '' ? null : (JSON.parse(body) as unknown), text })
    })
  })

const post = ({ apiKey }: TestService, header: string) =>
  `POST /projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\n${header}\r\n\r\n`

describe('a request that Node refuses', () => {
  const start = useServices('SQLite')

  test.each([
    { what: 'is not HTTP', first: () => 'nonsense\r\n\r\n', status: 400 },
    {
      what: 'has headers that are too long',
      first: () => `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
    { what: 'names no host', first: () => 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', status: 400 },
    { what: 'has a body of broken chunks', first: (to: TestService) => `${post(to, 'transfer-encoding: chunked')}zz\r\n`, status: 400 },
    { what: 'never ends its headers', first: () => 'GET /health HTTP/1.1\r\nhost: x\r\n', status: 408 },
    { what: 'sends its headers too slowly', first: () => 'GET /health HTTP/1.1\r\nhost: x\r\nx: x', more: 'x', status: 408 },
    { what: 'never ends its body', first: (to: TestService) => `${post(to, 'content-length: 9000')}{`, status: 408 },
    { what: 'sends its body too slowly', first: (to: TestService) => `${post(to, 'content-length: 9000')}{`, more: ' ', status: 408 },
    {
      what: 'sends its chunks too slowly',
      first: (to: TestService) => post(to, 'transfer-encoding: chunked'),
      more: '1\r\n \r\n',
      status: 408,
    },
  ])('that $what is answered with $status, as every other error', async ({ first, more, status }) => {
    const logged: Record<string, unknown>[] = []
    const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
    const to = await start({ requestMs: 200, logger })
    const answer = await exchange(to, first(to), more)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ success: false, code: status, message: expect.stringMatching(/^[A-Z].*\.$/s) as string, data: {} })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      date: expect.any(String) as string,
    })
    const id = answer.headers.get('x-request-id')
    expect(id).toMatch(/./)
    await vi.waitFor(() => expect(logged.filter(({ reqId }) => reqId === id)).toEqual([expect.objectContaining({ status })]))
    expect((await to.call('GET', '/workspace')).status).toBe(200)
  })

  test.each([
    { what: 'the rest of its body is too slow', more: ' ' },
    { what: 'the rest of its body stays away', more: undefined },
  ])('after its answer is only cut off: $what', async ({ more }) => {
    const to = await start({ requestMs: 200 })
    const stranger = 'POST /projects HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n'
    const { text } = await exchange(to, stranger, more)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
  })

  test('for an expectation that it does not know is answered like every other', async () => {
    const to = await start()
    const answer = await exchange(to, 'GET /health HTTP/1.1\r\nhost: x\r\nexpect: more\r\nconnection: close\r\n\r\n')
    expect(answer.body).toMatchObject({ success: true, code: 200 })
  })

  test('what follows an answered request on its connection has an answer of its own', async () => {
    const to = await start()
    const answered = new Promise<string>((resolve) => {
      const { hostname, port } = new URL(to.url)
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'))
      socket.once('data', () => socket.write('nonsense\r\n\r\n'))
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
    })
    expect((await answered).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })
})
