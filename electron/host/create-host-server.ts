import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import fastifyHelmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import fastifyWebsocket from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AppDeps } from '../app/app-deps.ts'
import type { Application } from '../bridge/bridge.ts'
import { pagePolicy } from '../shell/page-policy.ts'
import { messageLimitBytes } from '../bridge/message-limit.ts'
import { connectSocket, createStrangers, type Strangers } from './connect-socket.ts'
import { createEntryPass, type EntryPass } from './entry-pass.ts'
import { refusalPage } from './refusal-page.ts'

export interface HostServerOptions {
  application: Application
  /** Folder with the built page: index.html and its assets. */
  pageDir: string
  /** 0: a free one. */
  port: number
  log: AppDeps['log']
  /** Called with an address that lets a browser in: at the start, and when a browser comes without a valid one. */
  announce(url: string): void
  /** How long a new socket may stay silent. */
  helloMs?: number
}

export interface HostServer {
  port: number
  close(): Promise<void>
}

const announceAgainMs = 3_000

/**
 * The cookie is sent only with requests for the page's files: if another program takes the port later, it gets no cookie when a tab
 * connects again.
 */
const pagePath = '/page/'

const noSchemas = () => () => {
  throw new Error('The routes of the host have no schemas.')
}
/** Fastify's own compilers of schemas take a tenth of the time to start. */
const withoutSchemas = { buildValidator: noSchemas, buildSerializer: noSchemas }

/**
 * Serves page and application to the browser of this computer's user. Listens only on 127.0.0.1. Lets in whoever comes with the one-time
 * token of an announced address, and no other page, user or program. Rejects if the port is taken.
 */
export async function createHostServer(options: HostServerOptions): Promise<HostServer> {
  const server = fastify({ bodyLimit: 1024, forceCloseConnections: true, schemaController: { compilersFactory: withoutSchemas } })
  // Set when the port is known. No request can come earlier.
  let port = options.port
  let pass: EntryPass | null = null
  const entry = () => {
    if (!pass) throw new Error('a request before the port was known')
    return pass
  }
  const announcer = createAnnouncer(() => `http://127.0.0.1:${port}${pagePath}?token=${entry().token()}`, options.announce)

  const strangers = createStrangers()
  server.server.on('connection', strangers.add)

  const hosts = () => [`127.0.0.1:${port}`, `localhost:${port}`]
  await addPlugins(server, options.pageDir, () => hosts().map((host) => `ws://${host}`))

  server.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // A page of another site can let its own host name resolve to 127.0.0.1. The browser then sends that name.
    if (!hosts().some((host) => host === request.headers.host)) {
      return reply.code(421).type('text/plain').send(`Holdfast only answers at http://127.0.0.1:${port}.`)
    }
    // A tab proves on the socket that it is ours. Requests for the page's files need no proof.
    const { url } = request.routeOptions
    if (offeredToken(request) !== null || url === '/' || url === '/bridge') return
    if (!entry().knowsCookie(request.cookies[entry().cookie.name])) return refuse(reply)
    strangers.admit(request.raw.socket)
  })
  const refuse = (reply: FastifyReply) => {
    announcer.again()
    return reply.code(401).type('text/html; charset=utf-8').send(refusalPage)
  }

  server.get('/', (_request, reply) => reply.redirect(pagePath))
  server.get(pagePath, async (request, reply) => {
    const token = offeredToken(request)
    if (token === null) return reply.sendFile('index.html')
    if (!entry().spend(token)) return refuse(reply)
    strangers.admit(request.raw.socket)
    const { cookie, secret } = entry()
    reply.setCookie(cookie.name, cookie.value, { path: pagePath, httpOnly: true, sameSite: 'strict' }).type('text/html; charset=utf-8')
    return withSecret(await readFile(join(options.pageDir, 'index.html'), 'utf8'), secret)
  })
  routeSocket(server, (request) => hosts().some((host) => request.headers.origin === `http://${host}`), {
    ...options,
    strangers,
    prove: (text) => entry().prove(text),
    isProof: (text, proof) => entry().isProof(text, proof),
  })

  await server.listen({ host: '127.0.0.1', port })
  const address = server.server.address()
  if (address !== null && typeof address === 'object') port = address.port
  pass = createEntryPass(port)
  announcer.now()
  return {
    port,
    close() {
      strangers.end()
      return server.close()
    },
  }
}

async function addPlugins(server: FastifyInstance, pageDir: string, sockets: () => string[]): Promise<void> {
  await server.register(fastifyHelmet, helmetOptions(sockets))
  await server.register(fastifyCookie)
  await server.register(fastifyWebsocket, { options: { maxPayload: messageLimitBytes } })
  await server.register(fastifyStatic, { root: pageDir, prefix: pagePath, index: false, cacheControl: false, dotfiles: 'deny' })
}

function routeSocket(
  server: FastifyInstance,
  isOurOrigin: (request: FastifyRequest) => boolean,
  options: HostServerOptions & Pick<EntryPass, 'prove' | 'isProof'> & { strangers: Strangers },
): void {
  const preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isOurOrigin(request)) return reply.code(403).type('text/plain').send('Only the Holdfast page can connect here.')
  }
  server.get('/bridge', { websocket: true, preValidation }, (socket, { host, raw }) =>
    connectSocket(socket, { ...options, connection: raw.socket, address: host, helloMs: options.helloMs ?? 5_000 }),
  )
}

/**
 * Returns the page with its secret in it. The secret is in no address: browsers write addresses into their history, even after
 * `replaceState`.
 */
const withSecret = (html: string, secret: string): string =>
  html.replace('<head>', `<head><meta name="holdfast-secret" content="${secret}">`)

/** Returns the token of a request for the page, which may be empty; null for every other request. */
function offeredToken(request: FastifyRequest): string | null {
  if (request.method !== 'GET' || request.routeOptions.url !== pagePath) return null
  const { token } = request.query as { token?: unknown }
  return token === undefined ? null : String(token)
}

function helmetOptions(sockets: () => string[]) {
  const policy = pagePolicy(["'self'"])
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { ...policy, 'connect-src': ["'self'", () => sockets().join(' ')] },
    },
    // There is no TLS on loopback.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' as const },
  }
}

/** Announces the address, and again if a browser asks without its token. The same address is announced at most every few seconds. */
function createAnnouncer(url: () => string, announce: (url: string) => void) {
  let last = { url: '', at: 0 }
  const now = () => {
    last = { url: url(), at: Date.now() }
    announce(last.url)
  }
  const again = () => {
    if (url() !== last.url || Date.now() - last.at >= announceAgainMs) now()
  }
  return { now, again }
}
