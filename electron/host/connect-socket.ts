import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { z } from 'zod'
import type { WebSocket } from '@fastify/websocket'
import type { AppDeps } from '../app/app-deps.ts'
import type { Application } from '../bridge/bridge.ts'
import { pageName } from '../bridge/contract.ts'
import { answerCall, callSchema } from '../shell/answer-call.ts'

/** Why the host closes a socket (private range of RFC 6455, 7.4.2). The page connects again, except after `unknownSecret`. */
export const closeCodes = { malformed: 4400, unknownSecret: 4401, noHello: 4408 } as const

const helloSchema = z.strictObject({ hello: z.string().min(32) })
const proofSchema = z.strictObject({ proof: z.string(), page: pageName })
const requestSchema = z.strictObject({ id: z.int().min(0), ...callSchema.shape })

/** The most bytes to read from a tab before its proof: any local program can connect, and must not use up memory or time. */
const strangerBytes = 4096

/** The most connections of strangers. The page needs only some milliseconds for its token, cookie or proof. */
const mostStrangers = 64

/** The connections that have shown no token, cookie or proof yet: a local program can open any number of them. */
export interface Strangers {
  /** Counts a new connection. If there are too many, cuts off the oldest, so that the page always gets in. */
  add(connection: Socket): void
  /** Stops counting a connection. */
  admit(connection: Socket): void
  /** Cuts off all connections: otherwise an ending host would wait for their answers. */
  end(): void
}

export function createStrangers(): Strangers {
  const waiting = new Set<Socket>()
  return {
    add(connection) {
      waiting.add(connection)
      connection.once('close', () => waiting.delete(connection))
      const [oldest] = waiting
      if (oldest === undefined || waiting.size <= mostStrangers) return
      waiting.delete(oldest)
      // Destroyed, not closed: a client that does not answer the closing handshake would keep the socket open.
      oldest.destroy()
    },
    admit: (connection) => void waiting.delete(connection),
    end: () => waiting.forEach((connection) => connection.destroy()),
  }
}

export interface SocketOptions {
  application: Application
  strangers: Strangers
  /** The stream of all bytes of the socket, also those of an unfinished message. */
  connection: Socket
  /** The Host that the tab connected to. */
  address: string
  prove(text: string): string
  isProof(text: string, proof: string): boolean
  log: AppDeps['log']
  helloMs: number
}

/**
 * Serves the application to one tab, after each side has proved to the other that it knows the tab's secret, which is never sent:
 *
 *   tab:  {hello: nonce}
 *   host: {challenge: nonce, proof: HMAC(secret, "host …")}     the tab goes no further when this is wrong
 *   tab:  {proof: HMAC(secret, "tab …"), page: id}           the page that is open until the socket closes
 *   host: {welcome: true}
 *
 * The proofs are over both nonces and the address (see `proofText`), so that none fits another socket, direction or port. All within
 * `helloMs`. Then `{id, kind, name, args}` is answered by `{id, result}`, and every push is sent as `{push}`. Anything else closes the socket.
 */
export function connectSocket(socket: WebSocket, options: SocketOptions): void {
  const { application, address, log } = options
  const send = (message: unknown) => sendTo(socket, message)
  const close = (code: number, reason: string) => {
    log('warn', 'a tab was disconnected', { code, reason })
    socket.close(code, reason)
  }
  let stopPushes = () => {}
  let closePage = () => {}
  const trust = limitStranger(socket, options, () => close(closeCodes.noHello, 'no hello'))

  const greet = (message: unknown) => {
    const hello = helloSchema.safeParse(message)
    if (!hello.success) return close(closeCodes.malformed, 'not a hello')
    const nonces = { tab: hello.data.hello, host: randomBytes(24).toString('base64url'), address }
    send({ challenge: nonces.host, proof: options.prove(proofText('host', nonces)) })
    take = (answer) => check(answer, proofText('tab', nonces))
  }
  const check = (message: unknown, expected: string) => {
    const answer = proofSchema.safeParse(message)
    if (!answer.success) return close(closeCodes.malformed, 'not a proof')
    if (!options.isProof(expected, answer.data.proof)) return close(closeCodes.unknownSecret, 'unknown secret')
    trust()
    take = (request) => void serve(request)
    closePage = application.openPage(answer.data.page)
    send({ welcome: true })
    stopPushes = application.onPush((push) => send({ push }))
  }
  const serve = async (message: unknown) => {
    const request = requestSchema.safeParse(message)
    if (!request.success) return close(closeCodes.malformed, 'not a request')
    const { id, ...call } = request.data
    send({ id, result: await answerCall(application, call, log) })
  }

  let take: (message: unknown) => void = greet
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN) return
    const message = isBinary ? undefined : parse(data)
    data.fill(0)
    if (message === undefined) close(closeCodes.malformed, 'not JSON')
    else take(message)
  })
  // A broken connection is not a failure of the host. The socket closes by itself.
  socket.on('error', () => {})
  socket.on('close', () => {
    trust()
    stopPushes()
    closePage()
  })
}

function sendTo(socket: WebSocket, message: unknown): void {
  if (socket.readyState !== socket.OPEN) return
  // A message may contain values. Its bytes are overwritten after sending, so that none are left at a lock.
  const bytes = Buffer.from(JSON.stringify(message))
  socket.send(bytes, { binary: false }, () => bytes.fill(0))
}

/**
 * Limits the bytes and the time of a tab until its proof. Calls `onLate` when the time is over. Returns a function that ends the limits.
 */
function limitStranger(socket: WebSocket, { strangers, connection, log, helloMs }: SocketOptions, onLate: () => void): () => void {
  const begun = connection.bytesRead
  const countBytes = () => {
    if (connection.bytesRead - begun <= strangerBytes) return
    log('warn', 'a tab was disconnected', { reason: 'too long before its proof' })
    socket.terminate()
  }
  connection.on('data', countBytes)
  const deadline = setTimeout(onLate, helloMs)
  return () => {
    clearTimeout(deadline)
    strangers.admit(connection)
    connection.off('data', countBytes)
  }
}

/** Returns the text whose HMAC proves that a side knows the secret. `src/lib/prove.ts` does the same. */
export const proofText = (side: 'host' | 'tab', nonces: { tab: string; host: string; address: string }): string =>
  ['holdfast', side, nonces.address, nonces.tab, nonces.host].join(' ')

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString())
  } catch {
    return undefined
  }
}
