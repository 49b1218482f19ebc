// @vitest-environment node
import type { AddressInfo } from 'node:net'
import fastifyWebsocket, { type WebSocket as ServerSocket } from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Push } from '../../../electron/bridge/contract.ts'
import { messageLimitBytes } from '../../../electron/bridge/message-limit.ts'
import { prove } from '../../../src/lib/prove.ts'
import { createSocketBridge, type SocketBridge } from '../../../src/lib/socket-bridge.ts'

/** A host on a real socket, whose answers the test decides. */
class Host {
  readonly received: unknown[] = []
  readonly sockets: ServerSocket[] = []
  /** Otherwise it ends every connection before a word, as a host does whose places are all taken. */
  isOpen = true
  onMessage: (message: Record<string, unknown>, socket: ServerSocket) => void = () => {}
  onWelcome: (socket: ServerSocket) => void = (socket) => socket.send(JSON.stringify({ welcome: true }))
  readonly #server: FastifyInstance
  readonly port: number

  private constructor(server: FastifyInstance, port: number) {
    this.#server = server
    this.port = port
  }

  static async start(): Promise<Host> {
    const server = fastify({ forceCloseConnections: true })
    await server.register(fastifyWebsocket)
    let host: Host | undefined
    server.get('/bridge', { websocket: true }, (socket) => host?.welcome(socket))
    await server.listen({ host: '127.0.0.1', port: 0 })
    host = new Host(server, (server.server.address() as AddressInfo).port)
    return host
  }

  welcome(socket: ServerSocket): void {
    this.sockets.push(socket)
    if (!this.isOpen) return socket.terminate()
    const challenge = 'c'.repeat(32)
    let tab = ''
    const proof = (side: 'host' | 'tab') => prove('the secret', side, { tab, host: challenge, address: `127.0.0.1:${this.port}` })
    socket.on('message', async (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>
      if ('hello' in message) {
        tab = String(message.hello)
        socket.send(JSON.stringify({ challenge, proof: await proof('host') }))
      } else if ('proof' in message) {
        if (message.proof === (await proof('tab'))) this.onWelcome(socket)
        else socket.close(4401)
      } else {
        this.received.push(message)
        this.onMessage(message, socket)
      }
    })
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.terminate()
    await this.#server.close()
  }
}

const answerAll = (value: unknown) => (message: Record<string, unknown>, socket: ServerSocket) => {
  if ('id' in message) socket.send(JSON.stringify({ id: message.id, result: { ok: true, value } }))
}

describe('the bridge over a socket', () => {
  const open: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  const startHost = async () => {
    const host = await Host.start()
    open.push(() => host.stop())
    return host
  }
  const connect = (port: number): SocketBridge => {
    const bridge = createSocketBridge({ url: `ws://127.0.0.1:${port}/bridge`, secret: 'the secret', page: 'tab' })
    open.push(() => bridge.close())
    return bridge
  }
  const becomes = (bridge: SocketBridge, state: SocketBridge['state']) =>
    vi.waitFor(() => expect(bridge.state).toBe(state), { timeout: 60_000 })

  test('sends its calls in order, after both have proved that they know the secret', async () => {
    const host = await startHost()
    host.onMessage = answerAll([])
    const bridge = connect(host.port)
    const list = bridge.query('workspaces.list', {})
    const lock = bridge.command('keys.lock', {})
    expect(await list).toEqual({ ok: true, value: [] })
    await lock
    expect(host.received).toEqual([
      { id: 1, kind: 'query', name: 'workspaces.list', args: {} },
      { id: 2, kind: 'command', name: 'keys.lock', args: {} },
    ])
  })

  test('refuses a call that is too long for the host, which would end the connection', async () => {
    const host = await startHost()
    host.onMessage = answerAll([])
    const bridge = connect(host.port)
    const copy = (text: string) => bridge.command('clipboard.copy', { text, seconds: 0 })
    expect((await copy('x'.repeat(messageLimitBytes - 100))).ok).toBe(true)
    expect(await copy('€'.repeat(messageLimitBytes / 3))).toEqual({
      ok: false,
      error: { kind: 'invalid-input', message: 'Holdfast in a browser takes at most 24 MiB at once. Use the desktop app for this.' },
    })
    expect((await copy('short')).ok).toBe(true)
    expect(host.received).toHaveLength(2)
  })

  test('gives each call its own answer, in whatever order they come', async () => {
    const host = await startHost()
    const calls: { id: unknown; name: unknown; socket: ServerSocket }[] = []
    host.onMessage = (message, socket) => {
      if (!('id' in message)) return
      calls.push({ id: message.id, name: message.name, socket })
      if (calls.length < 2) return
      for (const call of calls.reverse()) call.socket.send(JSON.stringify({ id: call.id, result: { ok: true, value: call.name } }))
    }
    const bridge = connect(host.port)
    const answers = await Promise.all([bridge.query('app.status', {}), bridge.query('workspaces.list', {})])
    expect(answers.map((answer) => answer.ok && answer.value)).toEqual(['app.status', 'workspaces.list'])
  })

  test('hands pushes to every listener until it leaves', async () => {
    const host = await startHost()
    host.onMessage = answerAll([])
    const bridge = connect(host.port)
    const pushes: Push[] = []
    const leave = bridge.onPush((push) => pushes.push(push))
    await bridge.query('workspaces.list', {})
    const push = { push: 'changed', workspaceId: 'w', tables: ['queue'] } as const
    host.sockets[0]?.send(JSON.stringify({ push }))
    await bridge.query('workspaces.list', {})
    leave()
    host.sockets[0]?.send(JSON.stringify({ push }))
    await bridge.query('workspaces.list', {})
    expect(pushes).toEqual([push])
  })

  test('is not thrown by messages that it does not understand', async () => {
    const host = await startHost()
    const bridge = connect(host.port)
    host.onMessage = (message, socket) => {
      if (!('id' in message)) return
      for (const noise of ['', 'not json', '[]', '42', '{"id":99,"result":{}}', '{"id":"1"}']) socket.send(noise)
      socket.send(JSON.stringify({ id: message.id, result: { ok: true, value: 'yes' } }))
    }
    expect(await bridge.query('workspaces.list', {})).toEqual({ ok: true, value: 'yes' })
  })

  test('fails calls under way as offline when the connection drops, then comes back and counts every table as changed', async () => {
    const host = await startHost()
    host.onMessage = (message, socket) => {
      if (message.name === 'sync.status') socket.terminate()
      else answerAll([])(message, socket)
    }
    const bridge = connect(host.port)
    const states: string[] = []
    bridge.onState((state) => states.push(state))
    const pushes: Push[] = []
    bridge.onPush((push) => pushes.push(push))
    await bridge.query('workspaces.list', {})
    const lost = await bridge.query('sync.status', { workspaceId: 'w' })
    expect(lost).toMatchObject({ ok: false, error: { kind: 'offline' } })
    await becomes(bridge, 'open')
    expect(states).toEqual(['open', 'lost', 'open'])
    expect(pushes).toEqual([expect.objectContaining({ workspaceId: null, tables: expect.arrayContaining(['variables', 'app', 'sync']) })])
    expect(await bridge.query('workspaces.list', {})).toEqual({ ok: true, value: [] })
  })

  test('answers offline at once while the connection is lost', async () => {
    const host = await startHost()
    host.onMessage = answerAll([])
    const bridge = connect(host.port)
    await bridge.query('workspaces.list', {})
    await host.stop()
    await becomes(bridge, 'lost')
    expect(await bridge.command('keys.lock', {})).toMatchObject({ ok: false, error: { kind: 'offline' } })
  })

  test.each([1008, 4401])('a host that closes with %i does not know this tab, and is not asked again', async (code) => {
    const host = await startHost()
    host.onWelcome = (socket) => socket.close(code)
    const bridge = connect(host.port)
    const answer = bridge.query('app.status', {})
    await becomes(bridge, 'refused')
    expect(await answer).toMatchObject({ ok: false, error: { kind: 'offline' } })
    expect(host.sockets).toHaveLength(1)
  })

  test('keeps trying where nobody answers, and makes the calls that waited once the host does', async () => {
    const host = await startHost()
    host.onMessage = answerAll([])
    host.isOpen = false
    const bridge = connect(host.port)
    const states: string[] = []
    bridge.onState((state) => states.push(state))
    const early = bridge.query('workspaces.list', {})
    await becomes(bridge, 'unanswered')
    const late = bridge.query('app.status', {})
    host.isOpen = true
    bridge.retry()
    expect(await Promise.all([early, late])).toEqual([
      { ok: true, value: [] },
      { ok: true, value: [] },
    ])
    expect(states).toEqual(['unanswered', 'open'])
  })

  test('tries again by itself after the attempts that told the user', async () => {
    const host = await startHost()
    host.isOpen = false
    const bridge = connect(host.port)
    await becomes(bridge, 'unanswered')
    const { length } = host.sockets
    await vi.waitFor(() => expect(host.sockets.length).toBeGreaterThan(length + 1), { timeout: 60_000 })
    expect(bridge.state).toBe('unanswered')
  })
})
