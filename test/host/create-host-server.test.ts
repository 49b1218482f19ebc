import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import fastifyWebsocket, { type WebSocket as ServerSocket } from '@fastify/websocket'
import fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Application } from '../../electron/bridge/bridge.ts'
import type { Push } from '../../electron/bridge/contract.ts'
import { closeCodes, proofText } from '../../electron/host/connect-socket.ts'
import { createHostServer, type HostServer } from '../../electron/host/create-host-server.ts'
import { createSocketBridge } from '../../src/lib/socket-bridge.ts'

/** Answers every call with the call itself, and throws when asked for `throws`. */
function createEcho(): Application & { push(push: Push): void; readonly listeners: number; readonly pages: readonly string[] } {
  const pages: string[] = []
  const listeners = new Set<(push: Push) => void>()
  const echo = (kind: string) => async (name: string, args: unknown) => {
    if (name === 'throws') throw new Error('a bug')
    return { ok: true as const, value: { kind, name, args } }
  }
  return {
    query: echo('query'),
    command: echo('command'),
    onPush: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    openPage: (page) => {
      pages.push(page)
      return () => void pages.splice(pages.indexOf(page), 1)
    },
    pages,
    wake: () => {},
    lock: async () => {},
    close: async () => {},
    push: (push) => listeners.forEach((listener) => listener(push)),
    get listeners() {
      return listeners.size
    },
  }
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** One HTTP request to 127.0.0.1 with exactly these headers. */
function ask(port: number, target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

let folder: string
let echo: ReturnType<typeof createEcho>
let announced: string[]
let server: HostServer
const running: HostServer[] = []
const sockets: WebSocket[] = []

const start = async (helloMs = 30_000) => {
  const announcements: string[] = []
  const started = await createHostServer({
    application: echo,
    pageDir: path.join(folder, 'page'),
    port: 0,
    log: () => {},
    announce: (url) => announcements.push(url),
    helloMs,
  })
  running.push(started)
  return { server: started, announcements }
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-host-'))
  mkdirSync(path.join(folder, 'page/assets'), { recursive: true })
  writeFileSync(path.join(folder, 'page/index.html'), '<!doctype html><html><head><title>the page</title></head></html>')
  writeFileSync(path.join(folder, 'page/assets/main.js'), 'export {}')
  writeFileSync(path.join(folder, 'page/.hidden.txt'), 'not of the page')
  writeFileSync(path.join(folder, 'outside.txt'), 'not of the page')
  echo = createEcho()
  const started = await start()
  server = started.server
  announced = started.announcements
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  for (const host of running.splice(0)) await host.close()
  rmSync(folder, { recursive: true, force: true })
})

const tokenOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('token') ?? ''
const at = (port = server.port) => `127.0.0.1:${port}`

const secretIn = (html: string) => /<meta name="holdfast-secret" content="([\w-]+)">/.exec(html)?.[1] ?? ''

/** Spends the newest token; gives the cookie and the secret. */
async function enter(port = server.port, urls = announced): Promise<{ cookie: string; secret: string }> {
  const answer = await ask(port, `/page/?token=${tokenOf(urls.at(-1))}`, { host: at(port) })
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { cookie, secret: secretIn(answer.body) }
}

/** A WebSocket as the page opens it, and everything it receives. */
function connect(cookie: string, port = server.port) {
  // Node's WebSocket takes headers; the DOM's type does not know.
  const socket = new WebSocket(`ws://${at(port)}/bridge`, { headers: { cookie, origin: `http://${at(port)}` } } as unknown as string[])
  sockets.push(socket)
  const received: unknown[] = []
  socket.addEventListener('message', (event) => received.push(JSON.parse(String(event.data))))
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', (event) => resolve(event.code)))
  const opened = once(socket, 'open')
  const next = async (count: number) => {
    while (received.length < count) await once(socket, 'message')
    return received
  }
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  /** Proves to the host that this tab knows the secret, and sees that the host does. */
  const greet = async (secret: string, page = 'tab') => {
    await opened
    send({ hello: nonce })
    const [answer] = (await next(1)) as [{ challenge: string; proof: string }]
    const nonces = { tab: nonce, host: answer.challenge, address: at(port) }
    const hmac = (side: 'host' | 'tab') => createHmac('sha256', secret).update(proofText(side, nonces)).digest('base64url')
    const isHost = answer.proof === hmac('host')
    send({ proof: hmac('tab'), page })
    if (isHost) expect((await next(2))[1]).toEqual({ welcome: true })
    received.length = 0
    return isHost
  }
  return { socket, received, closed, opened, next, greet, send }
}

const nonce = 'n'.repeat(32)

describe('the door', () => {
  test('the announced address lets in once: a cookie no script reads, for the page alone, and a secret in no address', async () => {
    const answer = await ask(server.port, `/page/?token=${tokenOf(announced[0])}`, { host: at() })
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^holdfast-\d+=[\w-]{32}; Path=\/page\/; HttpOnly; SameSite=Strict$/)
    expect(answer.headers.location).toBeUndefined()
    expect(secretIn(answer.body)).toMatch(/^[\w-]{32}$/)
  })

  test('a spent token answers a page that points to the terminal, where a fresh address stands', async () => {
    await enter()
    const again = await ask(server.port, `/page/?token=${tokenOf(announced[0])}`, { host: at() })
    expect(again.status).toBe(401)
    expect(again.headers['content-type']).toContain('text/html')
    expect(again.body).toContain('printed in its terminal')
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(announced).toHaveLength(2)
    expect(tokenOf(announced[1])).not.toBe(tokenOf(announced[0]))
    expect((await enter()).secret).not.toBe('')
  })

  test('knocking again and again prints one fresh address', async () => {
    await enter()
    for (let i = 0; i < 20; i++) await ask(server.port, '/page/?token=wrong', { host: at() })
    expect(announced).toHaveLength(2)
  })

  test.each([
    ['no token and no cookie', '/page/', {}],
    ['an empty token', '/page/?token=', {}],
    ['a wrong token', '/page/?token=AAAA', {}],
    ['the token twice', '/page/?token=a&token=b', {}],
    ['a cookie that is none', '/page/', { cookie: 'holdfast=1' }],
    ['an asset without a cookie', '/page/assets/main.js', {}],
    ['a path that does not exist, without a cookie', '/nothing', {}],
    ['a token on another path', '/page/assets/main.js?token=TOKEN', {}],
  ] as [string, string, Record<string, string>][])('%s is refused with the page that says what to do', async (_name, target, headers) => {
    const answer = await ask(server.port, target.replace('TOKEN', tokenOf(announced[0])), { host: at(), ...headers })
    expect(answer.status).toBe(401)
    expect(answer.body).toContain('printed in its terminal')
  })

  test('a right token survives wrong ones', async () => {
    await ask(server.port, '/page/?token=wrong', { host: at() })
    expect((await enter()).secret).toHaveLength(32)
  })

  test('HEAD does not spend the token', async () => {
    await ask(server.port, `/page/?token=${tokenOf(announced[0])}`, { host: at() }, 'HEAD')
    expect((await enter()).secret).toHaveLength(32)
  })

  test("another host's cookie does not open this one, and entering there keeps this one's", async () => {
    const here = await enter()
    const other = await start()
    const there = await enter(other.server.port, other.announcements)
    const value = there.cookie.split('=')[1] ?? ''
    for (const cookie of [there.cookie, `holdfast-${server.port}=${value}`]) {
      expect((await ask(server.port, '/page/', { host: at(), cookie })).status).toBe(401)
    }
    expect((await ask(server.port, '/page/', { host: at(), cookie: `${here.cookie}; ${there.cookie}` })).status).toBe(200)
  })

  test.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]:PORT',
    '127.0.0.1.evil.example:PORT',
    'localhost.:PORT',
  ])('the Host header %j gets nothing, cookie or token or not', async (host) => {
    const { cookie } = await enter()
    const headers = { host: host.replace('PORT', String(server.port)), cookie }
    for (const target of ['/page/', '/page/assets/main.js', `/page/?token=${tokenOf(announced[0])}`]) {
      const answer = await ask(server.port, target, headers)
      expect([400, 421]).toContain(answer.status)
      expect(answer.body).not.toContain('the page')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('localhost is as good as 127.0.0.1', async () => {
    const { cookie } = await enter()
    expect((await ask(server.port, '/page/', { host: `localhost:${server.port}`, cookie })).body).toContain('the page')
  })

  test('no other address of this computer is listened on', async () => {
    const own = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter((entry) => !entry.internal && entry.family === 'IPv4'),
    )
    const outcomes = await Promise.all(
      [...own.map((entry) => entry.address), '::1'].map((address) =>
        fetch(`http://${address.includes(':') ? `[${address}]` : address}:${server.port}/`).then(
          () => 'answered',
          () => 'refused',
        ),
      ),
    )
    expect(new Set(outcomes)).toEqual(new Set(['refused']))
  })
})

describe('the page', () => {
  test('is served with a policy that lets it load and reach its own host alone', async () => {
    const { cookie } = await enter()
    const { status, headers, body } = await ask(server.port, '/page/', { host: at(), cookie })
    expect({ status, body }).toEqual({ status: 200, body: '<!doctype html><html><head><title>the page</title></head></html>' })
    expect(String(headers['content-security-policy']).split(/; ?/)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self' ws://127.0.0.1:${server.port} ws://localhost:${server.port}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types svelte-trusted-html',
    ])
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('its assets come with their type', async () => {
    const { cookie } = await enter()
    const { status, headers } = await ask(server.port, '/page/assets/main.js', { host: at(), cookie })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript/)
  })

  test.each([
    '/page/../outside.txt',
    '/page/%2e%2e/outside.txt',
    '/page/..%2foutside.txt',
    '/page/assets/..%2f..%2foutside.txt',
    '/page/..%5coutside.txt',
    '//outside.txt',
    '/page/.hidden.txt',
  ])('the path %s leads nowhere', async (target) => {
    const { cookie } = await enter()
    const answer = await ask(server.port, target, { host: at(), cookie })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toContain('not of the page')
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is answered by no route', async (method) => {
    const { cookie } = await enter()
    expect((await ask(server.port, '/page/', { host: at(), cookie }, method)).status).toBe(404)
  })
})

describe('the bridge', () => {
  test.each([
    ['no cookie, which is for the page alone', 101, { origin: 'ORIGIN', cookie: '' }],
    ['a foreign origin', 403, { origin: 'https://evil.example' }],
    ['no origin', 403, {}],
    ['the origin null', 403, { origin: 'null' }],
    ['the origin of another port', 403, { origin: 'http://127.0.0.1:1' }],
    ['an https origin', 403, { origin: 'https://127.0.0.1:PORT' }],
    ['a foreign host', 421, { origin: 'ORIGIN', host: 'evil.example:PORT' }],
    ['nothing wrong', 101, { origin: 'ORIGIN' }],
  ] as [string, number, Record<string, string>][])('an upgrade with %s is answered %i', async (_name, status, headers) => {
    const { cookie } = await enter()
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('ORIGIN', `http://${at()}`).replace('PORT', String(server.port)),
    ])
    const answer = await ask(server.port, '/bridge', { host: at(), cookie, ...upgrade, ...Object.fromEntries(filled) })
    expect(answer.status).toBe(status)
  })

  test('after the hello, calls are answered by id and pushes arrive', async () => {
    const { cookie, secret } = await enter()
    const tab = connect(cookie)
    expect(await tab.greet(secret)).toBe(true)
    tab.send({ id: 1, kind: 'query', name: 'app.status', args: {} })
    tab.send({ id: 2, kind: 'command', name: 'sync.now', args: { workspaceId: 'w' } })
    expect(await tab.next(2)).toEqual([
      { id: 1, result: { ok: true, value: { kind: 'query', name: 'app.status', args: {} } } },
      { id: 2, result: { ok: true, value: { kind: 'command', name: 'sync.now', args: { workspaceId: 'w' } } } },
    ])
    echo.push({ push: 'changed', workspaceId: null, tables: ['app'] })
    expect((await tab.next(3))[2]).toEqual({ push: { push: 'changed', workspaceId: null, tables: ['app'] } })
  })

  test('the page of a tab is open from its proof until its socket closes, and none is that a stranger names', async () => {
    const { cookie, secret } = await enter()
    const tab = connect(cookie)
    expect(await tab.greet(secret, 'here')).toBe(true)
    const stranger = connect(cookie)
    await stranger.greet('not the secret', 'guessed')
    expect(await stranger.closed).toBe(closeCodes.unknownSecret)
    expect(echo.pages).toEqual(['here'])
    tab.socket.close()
    await expect.poll(() => echo.pages).toEqual([])
  })

  test('what the application throws reaches the page as a bug without its words', async () => {
    const { cookie, secret } = await enter()
    const tab = connect(cookie)
    expect(await tab.greet(secret)).toBe(true)
    tab.send({ id: 7, kind: 'query', name: 'throws', args: null })
    const [answer] = (await tab.next(1)) as [{ id: number; result: { ok: false; error: { kind: string; message: string } } }]
    expect(answer).toMatchObject({ id: 7, result: { ok: false, error: { kind: 'bug' } } })
    expect(answer.result.error.message).not.toContain('a bug')
  })

  test.each([
    ['a wrong proof', [JSON.stringify({ hello: nonce }), JSON.stringify({ proof: 'wrong', page: 'tab' })], 4401],
    ['a page with an id that is none', [JSON.stringify({ hello: nonce }), JSON.stringify({ proof: 'wrong', page: 'a/b' })], 4400],
    ['a call instead of a proof', [JSON.stringify({ hello: nonce }), JSON.stringify({ id: 1, kind: 'query', name: 'x', args: {} })], 4400],
    ['the secret itself', [JSON.stringify({ hello: nonce }), 'SECRET'], 4401],
    ['a nonce that is too short', [JSON.stringify({ hello: 'n' })], 4400],
    ['a request before the hello', [JSON.stringify({ id: 1, kind: 'query', name: 'app.status', args: {} })], 4400],
    ['a hello that is no text', [JSON.stringify({ hello: 1 })], 4400],
    ['no JSON', ['{'], 4400],
    ['a hello after the welcome', ['HELLO', JSON.stringify({ hello: nonce })], 4400],
    ['a kind that is none', ['HELLO', JSON.stringify({ id: 1, kind: 'constructor', name: 'x', args: {} })], 4400],
    ['an id that is no number', ['HELLO', JSON.stringify({ id: '1', kind: 'query', name: 'x', args: {} })], 4400],
    ['a field too many', ['HELLO', JSON.stringify({ id: 1, kind: 'query', name: 'x', args: {}, more: 1 })], 4400],
    ['an array', ['HELLO', '[]'], 4400],
    ['bytes', ['HELLO', 'BYTES'], 4400],
    ['a message over 24 MiB', ['HELLO', 'HUGE'], 1009],
  ] as [string, string[], number][])('%s closes the socket', async (_name, messages, code) => {
    const { cookie, secret } = await enter()
    const tab = connect(cookie)
    await tab.opened
    for (const message of messages) {
      if (message === 'BYTES') tab.socket.send(new Uint8Array([123, 125]))
      else if (message === 'HUGE') tab.socket.send('x'.repeat(24 * 1024 * 1024 + 1))
      else if (message === 'HELLO') await tab.greet(secret)
      else tab.socket.send(message === 'SECRET' ? JSON.stringify({ proof: secret, page: 'tab' }) : message)
    }
    expect(await tab.closed).toBe(code)
    expect(tab.received.filter((answer) => !(answer as object).hasOwnProperty('challenge'))).toEqual([])
  })

  test('silence closes the socket', async () => {
    const hasty = await start(100)
    const { cookie } = await enter(hasty.server.port, hasty.announcements)
    expect(await connect(cookie, hasty.server.port).closed).toBe(4408)
  })

  test('no push is sent before the hello, and none is kept for a tab that is gone', async () => {
    const { cookie, secret } = await enter()
    const silent = connect(cookie)
    await silent.opened
    expect(echo.listeners).toBe(0)
    const tab = connect(cookie)
    expect(await tab.greet(secret)).toBe(true)
    tab.send({ id: 1, kind: 'query', name: 'x', args: {} })
    await tab.next(1)
    expect(echo.listeners).toBe(1)
    await server.close()
    await tab.closed
    await expect.poll(() => echo.listeners).toBe(0)
  })

  test('a program without the secret that begins a long message is cut off before it is read', async () => {
    const origin = `http://${at()}`
    const sent = request({
      host: '127.0.0.1',
      port: server.port,
      path: '/bridge',
      headers: { ...upgrade, host: at(), origin },
      agent: false,
    })
    sent.end()
    const [, connection] = (await once(sent, 'upgrade')) as [unknown, Socket]
    const ended = new Promise((resolve) => connection.once('close', resolve))
    const answers: Buffer[] = []
    connection.on('data', (bytes: Buffer) => answers.push(bytes))
    connection.on('error', () => {})
    // A text of 20 MB, masked with zeros, of which only the beginning comes: it would be parsed, or wait for its end.
    const head = Buffer.alloc(14)
    head.writeUInt16BE(0x81ff)
    head.writeBigUInt64BE(20_000_000n, 2)
    connection.write(head)
    connection.write(Buffer.alloc(100_000, '['))
    await ended
    // Not closed in words, as after the time for a hello.
    expect(answers).toEqual([])
  })
})

interface Intruder {
  closed: Promise<unknown>
}

const intruder = (connection: Socket): Intruder => {
  connection.on('error', () => {}).resume()
  return { closed: new Promise((resolve) => connection.once('close', resolve)) }
}

/** A connection that says this and no more. */
const hold = async (port: number, text: string): Promise<Intruder> => {
  const connection = connectTo(port, '127.0.0.1')
  await once(connection, 'connect')
  if (text !== '') connection.write(text)
  return intruder(connection)
}

/** A socket of a program that proves nothing and answers nothing, not even that it is to close. */
async function intrude(port: number): Promise<Intruder> {
  const headers = { ...upgrade, host: at(port), origin: `http://${at(port)}` }
  const sent = request({ host: '127.0.0.1', port, path: '/bridge', headers, agent: false })
  sent.end()
  const [, connection] = (await once(sent, 'upgrade')) as [unknown, Socket]
  return intruder(connection)
}

test.each<{ what: string; open: (port: number) => Promise<Intruder> }>([
  { what: 'sockets without a proof', open: intrude },
  { what: 'connections that say nothing', open: (port) => hold(port, '') },
  { what: 'requests that never end', open: (port) => hold(port, 'GET / HTTP/1.1\r\nhost: x') },
])(
  'of many $what the first are cut off, so that the page gets in, stays, and ends its host at once',
  { timeout: 25_000 },
  async ({ open }) => {
    // No socket is cut off for its silence meanwhile.
    const { server: patient, announcements } = await start(3_600_000)
    const { cookie, secret } = await enter(patient.port, announcements)
    const early = connect(cookie, patient.port)
    expect(await early.greet(secret)).toBe(true)
    const intruders: Intruder[] = []
    for (let count = 0; count < 70; count += 1) intruders.push(await open(patient.port))
    await Promise.all(intruders.slice(0, 6).map(({ closed }) => closed))
    const late = connect(cookie, patient.port)
    expect(await late.greet(secret)).toBe(true)
    await intruders[6]?.closed
    const rest = intruders.slice(7).map(({ closed }) => closed.then(() => 'closed'))
    expect(await Promise.race([...rest, Promise.resolve('waiting')])).toBe('waiting')
    for (const tab of [early, late]) {
      tab.send({ id: 1, kind: 'query', name: 'app.status', args: {} })
      expect(await tab.next(1)).toMatchObject([{ id: 1, result: { ok: true } }])
    }
    await patient.close()
    expect(await Promise.all(rest)).toHaveLength(63)
  },
)

test.each([
  ['the token', () => `GET /page/?token=${tokenOf(announced[0])} HTTP/1.1\r\nhost: ${at()}\r\n\r\n`],
  ['the cookie', (cookie: string) => `GET /page/assets/main.js HTTP/1.1\r\nhost: ${at()}\r\ncookie: ${cookie}\r\n\r\n`],
])('a connection of the browser that has shown %s is not cut off by many that show nothing', async (what, requestWith) => {
  const cookie = what === 'the cookie' ? (await enter()).cookie : ''
  const connection = connectTo(server.port, '127.0.0.1')
  const closed = once(connection, 'close').then(() => 'closed')
  const answer = async (text: string) => {
    connection.write(text)
    return Promise.race([once(connection, 'data').then(([bytes]: Buffer[]) => String(bytes).slice(0, 12)), closed])
  }
  expect(await answer(requestWith(cookie))).toBe('HTTP/1.1 200')
  const intruders: Intruder[] = []
  for (let count = 0; count < 70; count += 1) intruders.push(await hold(server.port, ''))
  await intruders[0]?.closed
  expect(await answer(`GET / HTTP/1.1\r\nhost: ${at()}\r\n\r\n`)).toBe('HTTP/1.1 302')
})

describe('a program that takes the port of a host that ended', () => {
  const took = async (port: number, say: (socket: ServerSocket, message: Record<string, unknown>) => void) => {
    const seen: { headers: IncomingHttpHeaders[]; messages: string[] } = { headers: [], messages: [] }
    const thief = fastify({ forceCloseConnections: true })
    await thief.register(fastifyWebsocket)
    thief.get('/bridge', { websocket: true }, (socket, { headers }) => {
      seen.headers.push(headers)
      socket.on('message', (data: Buffer) => {
        seen.messages.push(data.toString())
        say(socket, JSON.parse(data.toString()) as Record<string, unknown>)
      })
    })
    await thief.listen({ host: '127.0.0.1', port })
    running.push({ port, close: () => thief.close() })
    return seen
  }
  const answers: [string, (socket: ServerSocket, message: Record<string, unknown>) => void][] = [
    ['makes a proof up', (socket) => socket.send(JSON.stringify({ challenge: nonce, proof: 'A'.repeat(43) }))],
    ['welcomes at once', (socket) => socket.send(JSON.stringify({ welcome: true }))],
    ['answers as if a call had been made', (socket) => socket.send(JSON.stringify({ id: 1, result: { ok: true, value: [] } }))],
    ['sends back what it got', (socket, message) => socket.send(JSON.stringify({ challenge: message['hello'], proof: message['hello'] }))],
    ['says nothing that can be read', (socket) => socket.send('{')],
  ]
  test.each(answers)('that %s gets a random number, and the tab stops', async (_name, say) => {
    const { secret } = await enter()
    const { port } = server
    const Tab = class extends WebSocket {
      constructor(url: string | URL) {
        super(url, { headers: { origin: `http://${at(port)}` } } as unknown as string[])
      }
    }
    const bridge = createSocketBridge({ url: `ws://${at(port)}/bridge`, secret, page: 'tab', WebSocket: Tab })
    try {
      expect(await bridge.query('app.status', {})).toMatchObject({ ok: true })
      await server.close()
      const seen = await took(port, say)
      const typed = bridge.command('keys.unlock', { passphrase: 'the passphrase' })
      await expect.poll(() => bridge.state, { timeout: 30_000 }).toBe('stranger')
      expect(await typed).toMatchObject({ ok: false, error: { kind: 'offline' } })
      expect(await bridge.command('keys.unlock', { passphrase: 'the passphrase' })).toMatchObject({ ok: false, error: { kind: 'offline' } })
      expect(seen.messages).toEqual([expect.stringMatching(/^\{"hello":"[\w-]{32}"\}$/)])
      expect(JSON.stringify(seen)).not.toContain(secret)
    } finally {
      bridge.close()
    }
  })

  test('a recorded exchange of the host opens no second socket', async () => {
    const { cookie, secret } = await enter()
    const first = connect(cookie)
    await first.opened
    first.send({ hello: nonce })
    const [{ challenge }] = (await first.next(1)) as [{ challenge: string }]
    const proof = createHmac('sha256', secret)
      .update(proofText('tab', { tab: nonce, host: challenge, address: at() }))
      .digest('base64url')
    const second = connect(cookie)
    await second.opened
    second.send({ hello: nonce })
    await second.next(1)
    second.send({ proof, page: 'tab' })
    expect(await second.closed).toBe(4401)
  })
})

test('a port that is taken is an error, not another port', async () => {
  await expect(
    createHostServer({ application: echo, pageDir: path.join(folder, 'page'), port: server.port, log: () => {}, announce: () => {} }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
