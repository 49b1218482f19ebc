import { z } from 'zod'
import type { WebSocket } from '@fastify/websocket'
import type { AppDeps } from '../app/app-deps.ts'
import type { Application } from '../bridge/bridge.ts'
import { answerCall, callSchema } from '../shell/answer-call.ts'

/** Why the host closes a socket (private range of RFC 6455, 7.4.2). The page does not try again after one of these. */
export const closeCodes = { malformed: 4400, unknownSecret: 4401, noHello: 4408 } as const

/** Longest message either side may send: a value of 4 MiB sealed, an import of 5 MiB, and their JSON escapes. */
export const messageLimitBytes = 24 * 1024 * 1024

const helloSchema = z.strictObject({ hello: z.string().max(256) })
const requestSchema = z.strictObject({ id: z.int().min(0), ...callSchema.shape })

/**
 * Serves the application to one tab. The first message must be `{hello: secret}`, within `helloMs`; then `{id, kind, name, args}` is
 * answered by `{id, result}`, and every push is sent as `{push}`. Anything else closes the socket.
 */
export function connectSocket(
  socket: WebSocket,
  options: { application: Application; knowsSecret(secret: string): boolean; log: AppDeps['log']; helloMs: number },
): void {
  const { application, log } = options
  const send = (message: unknown) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const close = (code: number, reason: string) => {
    log('warn', 'a tab was disconnected', { code, reason })
    socket.close(code, reason)
  }
  let welcome = false
  let stopPushes = () => {}
  const helloDeadline = setTimeout(() => close(closeCodes.noHello, 'no hello'), options.helloMs)

  const greet = (message: unknown) => {
    const hello = helloSchema.safeParse(message)
    if (!hello.success) return close(closeCodes.malformed, 'not a hello')
    if (!options.knowsSecret(hello.data.hello)) return close(closeCodes.unknownSecret, 'unknown secret')
    clearTimeout(helloDeadline)
    welcome = true
    stopPushes = application.onPush((push) => send({ push }))
  }
  const answer = async (message: unknown) => {
    const request = requestSchema.safeParse(message)
    if (!request.success) return close(closeCodes.malformed, 'not a request')
    const { id, ...call } = request.data
    send({ id, result: await answerCall(application, call, log) })
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN) return
    const message = isBinary ? undefined : parse(data)
    if (message === undefined) close(closeCodes.malformed, 'not JSON')
    else if (welcome) void answer(message)
    else greet(message)
  })
  // A broken connection is no failure of the host; the socket closes by itself after it.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(helloDeadline)
    stopPushes()
  })
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString())
  } catch {
    return undefined
  }
}
