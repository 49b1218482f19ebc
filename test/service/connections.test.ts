import { connect, Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCrowd } from '../../service/http/connections.ts'
import { strangerConnections } from '../../service/protocol/limits.ts'
import { useServices } from './support/databases.ts'

const opened: Socket[] = []

/** A connection that has sent this and waits; what the service sends is left out. */
const hold = (url: string, text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text, () => resolve(socket)))
    opened.push(socket)
    // Whoever is cut off while it sends gets an error.
    socket.on('error', reject).resume()
  })

/** The status of a request over a connection that stays open. */
const statusOver = (socket: Socket, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    socket.once('data', (answer: Buffer) => resolve(Number(answer.toString().split(' ')[1])))
    socket.once('close', () => reject(new Error('the connection was cut off')))
    socket.write(`GET /workspace HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`)
  })

const openOf = (sockets: readonly Socket[]): Socket[] => sockets.filter(({ closed }) => !closed)

const head = 'host: x\r\ncontent-type: application/json\r\n'
const wrongKey = `authorization: Bearer hf_${'0'.repeat(16)}_${'A'.repeat(43)}\r\n`

describe('connections of a service', () => {
  const start = useServices('SQLite')
  // Before the services are closed, which wait for them.
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy()
  })

  test.each([
    { what: 'say nothing', text: '' },
    { what: 'end no line of their head', text: 'GET /workspace HTTP/1.1\r\nhost: x' },
    { what: 'end no body', text: `POST /projects HTTP/1.1\r\n${head}content-length: 50000\r\n\r\n{` },
    { what: 'end no body and send a wrong key', text: `POST /changes HTTP/1.1\r\n${head}${wrongKey}content-length: 50000\r\n\r\n` },
    { what: 'ask for nothing more', text: `GET /health HTTP/1.1\r\n${head}\r\n` },
  ])('a stranger who holds hundreds that $what keeps out no key', async ({ text }) => {
    const { url, apiKey, call } = await start()
    const before = await hold(url, '')
    expect(await statusOver(before, apiKey)).toBe(200)
    const held: Socket[] = []
    while (held.length < strangerConnections) held.push(await hold(url, text))
    expect(openOf(held)).toHaveLength(strangerConnections)
    while (held.length < strangerConnections + 100) held.push(await hold(url, text))
    await vi.waitFor(() => expect(openOf(held)).toHaveLength(strangerConnections))
    // The oldest are cut off, but not one over which a key has come.
    expect(openOf(held.slice(0, 100))).toEqual([])
    expect(await statusOver(before, apiKey)).toBe(200)
    expect(await statusOver(await hold(url, ''), apiKey)).toBe(200)
    expect((await call('GET', '/workspace')).status).toBe(200)
  })

  test('one key that opens too many cuts off its own', async () => {
    const { url, memberKey } = await start({ mostConnections: { ofStrangers: 5, ofKeys: 5 } })
    const [one, another] = [await memberKey('viewer'), await memberKey('viewer')]
    const open = async (key: string) => {
      const socket = await hold(url, '')
      expect(await statusOver(socket, key)).toBe(200)
      return socket
    }
    const first = await open(another)
    const many: Socket[] = []
    while (many.length < 9) many.push(await open(one))
    await vi.waitFor(() => expect(openOf(many)).toEqual(many.slice(-4)))
    expect(await statusOver(first, another)).toBe(200)
  })
})

test.each([
  { what: 'the holder with the most', holders: 'abbb', cut: [1] },
  { what: 'the holder with the most, the new one among them', holders: 'aabbb', cut: [0, 2] },
  { what: 'whoever came first, where all have the same', holders: 'abcde', cut: [0, 1] },
  { what: 'nobody as long as there is room', holders: 'aaa', cut: [] },
])('of too many connections, the oldest is cut off of $what', ({ holders, cut }) => {
  const crowd = createCrowd(3)
  const sockets = [...holders].map(() => new Socket())
  for (const [index, socket] of sockets.entries()) crowd.add(socket, holders[index] ?? '')
  expect(sockets.flatMap(({ destroyed }, index) => (destroyed ? [index] : []))).toEqual(cut)
})

test('a connection that was closed leaves room for another', async () => {
  const crowd = createCrowd(1)
  const [gone, next] = [new Socket(), new Socket()]
  crowd.add(gone, 'a')
  gone.destroy()
  await vi.waitFor(() => expect(gone.closed).toBe(true))
  crowd.add(next, 'a')
  expect(next.destroyed).toBe(false)
  expect([crowd.delete(gone), crowd.delete(next), crowd.delete(next)]).toEqual([false, true, false])
})
