import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { z } from 'zod'
import type { WebSocket } from '@fastify/websocket'
import type { AppDeps } from '../app/app-deps.ts'
import type { Application } from '../bridge/bridge.ts'
import { answerCall, callSchema } from '../shell/answer-call.ts'

/** Why the host closes a socket (private range of RFC 6455, 7.4.2). The page does not try again after one of these. */
export const closeCodes = { malformed: 4400, unknownSecret: 4401, noHello: 4408 } as const

/** Longest message either side may send: a value of 4 MiB sealed, an import of 5 MiB, and their JSON escapes. */
export const messageLimitBytes = 24 * 1024 * 1024

const helloSchema = z.strictObject({ hello: z.string().min(32).max(256) })
const proofSchema = z.strictObject({ proof: z.string().max(256) })
const requestSchema = z.strictObject({ id: z.int().min(0), ...callSchema.shape })

/** The most bytes read of a tab before its proof: any local program can connect, and must cost neither memory nor time. */
const strangerBytes = 4096

/** The most sockets that wait for their proof. The page needs some milliseconds for its own, in which nobody opens so many. */
const mostStrangers = 64

/** The sockets of a host that wait for their proof: a local program can open any number of them. */
export interface Strangers {
  /** Counts a socket until the returned function is called. The oldest one is cut off when there are too many, so that the page always gets in. */
  add(socket: WebSocket): () => void
  /** Cuts all of them off: a host that ends would wait for their answers. */
  end(): void
}

export function createStrangers(): Strangers {
  const waiting = new Set<WebSocket>()
  return {
    add(socket) {
      waiting.add(socket)
      const [oldest] = waiting
      if (oldest !== undefined && waiting.size > mostStrangers) {
        waiting.delete(oldest)
        // Not closed in words: whoever does not answer them would keep it.
        oldest.terminate()
      }
      return () => void waiting.delete(socket)
    },
    end: () => waiting.forEach((socket) => socket.terminate()),
  }
}

export interface SocketOptions {
  application: Application
  strangers: Strangers
  /** What the socket's bytes come through, also those of a message that is not whole yet. */
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
 *   tab:  {proof: HMAC(secret, "tab …")}
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
  // A broken connection is no failure of the host; the socket closes by itself after it.
  socket.on('error', () => {})
  socket.on('close', () => {
    trust()
    stopPushes()
  })
}

function sendTo(socket: WebSocket, message: unknown): void {
  if (socket.readyState !== socket.OPEN) return
  // A message may contain values. Its bytes are overwritten once they are sent, so that a lock leaves none behind.
  const bytes = Buffer.from(JSON.stringify(message))
  socket.send(bytes, { binary: false }, () => bytes.fill(0))
}

/** Limits a tab until its proof: its bytes, and its time, after which `onLate` is called. Returns a function that ends the limits. */
function limitStranger(socket: WebSocket, { strangers, connection, log, helloMs }: SocketOptions, onLate: () => void): () => void {
  const isNoStranger = strangers.add(socket)
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
    isNoStranger()
    connection.off('data', countBytes)
  }
}

/** The text that a side proves its knowledge of the secret over; `src/lib/prove.ts` has the same. */
export const proofText = (side: 'host' | 'tab', nonces: { tab: string; host: string; address: string }): string =>
  ['holdfast', side, nonces.address, nonces.tab, nonces.host].join(' ')

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString())
  } catch {
    return undefined
  }
}
