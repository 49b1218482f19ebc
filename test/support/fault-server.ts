import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the server does with one request. Without `status` it is 200 with an empty body. */
export type FaultAnswer =
  | {
      status?: number
      headers?: Record<string, string | string[]>
      body?: string | Uint8Array
      /** Announces this many bytes, whatever the body has. */
      contentLength?: number
      /** After the body: `end` (default), `reset` the socket, `close` it early, or `hang`. */
      after?: 'end' | 'reset' | 'close' | 'hang'
      /** Sends the body in pieces of `bytes`, with `everyMs` between them. */
      drip?: { bytes: number; everyMs: number }
    }
  /** Exactly these bytes on the socket, then its end. */
  | { raw: string | Uint8Array }
  /** No byte at all: reset the socket, close it, or hang. */
  | { nothing: 'reset' | 'close' | 'hang' }

export interface SeenRequest {
  method: string
  /** As it came: path and query, undecoded. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface FaultServer {
  /** `http://127.0.0.1:<port>`, no trailing slash. */
  readonly url: string
  /** Every request since the start, or since `forget`. */
  readonly requests: SeenRequest[]
  /** Sets what the next requests get: one answer for all, or a function of the request and its 0-based number. */
  answer(answer: FaultAnswer | ((request: SeenRequest, index: number) => FaultAnswer)): void
  forget(): void
  close(): Promise<void>
}

/** A real HTTP server on a free loopback port that misbehaves as told. */
export async function startFaultServer(): Promise<FaultServer> {
  const requests: SeenRequest[] = []
  let decide: (request: SeenRequest, index: number) => FaultAnswer = () => ({})

  const server = createServer((request, response) => void handle(request, response))
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: await textOf(request) }
      requests.push(seen)
      await give(decide(seen, requests.length - 1), request, response)
    } catch {
      // The client went away, which is what many tests are about.
      request.socket.destroy()
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(answer) {
      decide = typeof answer === 'function' ? answer : () => answer
    },
    forget() {
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A successful answer in the service's envelope. */
export const success = (data: unknown, extra: { status?: number; headers?: Record<string, string> } = {}): FaultAnswer => ({
  status: extra.status ?? 200,
  headers: { 'content-type': 'application/json', ...extra.headers },
  body: JSON.stringify({ success: true, code: extra.status ?? 200, message: 'OK', data }),
})

/** A failed one. */
export const failure = (status: number, message: string, headers: Record<string, string> = {}): FaultAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ success: false, code: status, message, data: {} }),
})

async function give(answer: FaultAnswer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request
  if ('nothing' in answer) return finish(answer.nothing, request, response)
  if ('raw' in answer) {
    socket.end(answer.raw)
    return
  }
  const body = Buffer.from(answer.body ?? '')
  response.writeHead(answer.status ?? 200, {
    ...answer.headers,
    'content-length': answer.contentLength ?? body.length,
  })
  response.flushHeaders()
  const step = answer.drip?.bytes ?? Math.max(body.length, 1)
  for (let start = 0; start < body.length && !socket.destroyed; start += step) {
    if (start > 0) await sleep(answer.drip?.everyMs ?? 0)
    // `response.write` would refuse more than was announced.
    await new Promise((resolve) => socket.write(body.subarray(start, start + step), resolve))
  }
  finish(answer.after ?? 'end', request, response)
}

function finish(how: 'end' | 'reset' | 'close' | 'hang', request: IncomingMessage, response: ServerResponse): void {
  if (how === 'reset') request.socket.resetAndDestroy()
  if (how === 'close') request.socket.destroy()
  if (how === 'end') response.end()
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
