import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to one request on its way to the upstream and back. */
export type Fault =
  | 'none'
  /** The connection is reset and the upstream never hears of it. */
  | 'drop-before'
  /** The upstream acts, its answer is lost. */
  | 'drop-after'
  /** The upstream acts, half of its answer arrives. */
  | 'cut-answer'
  /** Never answered; the upstream never hears of it. */
  | 'hang-before'
  /** The upstream acts, the client is left waiting. */
  | 'hang-after'
  | { delayMs: number }
  /** The upstream never hears of it. */
  | { replace: { status: number; headers?: Record<string, string>; body?: string | Uint8Array } }
  /** The upstream acts, its answer is replaced. */
  | { replaceAfter: { status: number; headers?: Record<string, string>; body?: string | Uint8Array } }

export interface PassingRequest {
  method: string
  /** Path and query, undecoded. */
  url: string
  /** 0-based, counts all requests of this proxy. */
  index: number
}

/** The same with what it says. */
export interface ReadRequest extends PassingRequest {
  body: string
}

export interface FaultProxy {
  /** `http://127.0.0.1:<port>`, no trailing slash. */
  readonly url: string
  /** What has passed, with the fault each one met. */
  readonly log: (PassingRequest & { fault: Fault })[]
  /** Replaces the rule for the requests to come. */
  decide(rule: (request: ReadRequest) => Fault): void
  /** Refuses connections until `plugIn`: the network is gone. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  close(): Promise<void>
}

/** Sends a request that passes to the upstream, when it likes: by `send`, once. */
export type Pass = <T>(request: PassingRequest, send: () => Promise<T>) => Promise<T>

/**
 * A real HTTP proxy before `upstream` (`http://host:port`) on a free loopback port. Without a rule everything passes. `pass` may do
 * something before and after the upstream acts.
 */
export async function startFaultProxy(
  upstream: string,
  rule: (request: ReadRequest) => Fault = () => 'none',
  pass: Pass = (_request, send) => send(),
): Promise<FaultProxy> {
  const log: FaultProxy['log'] = []
  let decide = rule
  let count = 0

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const passing = { method: request.method ?? '', url: request.url ?? '', index: count++ }
    const sent = await bytesOf(request)
    const fault = decide({ ...passing, body: Buffer.from(sent).toString() })
    log.push({ ...passing, fault })
    try {
      await meet(fault, () => pass(passing, () => ask(upstream, request, sent)), request, response)
    } catch {
      // Either end went away: to the client it is a lost connection.
      request.socket.destroy()
    }
  }
  const listen = async (port: number) => {
    const server = createServer((request, response) => void handle(request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    decide(next) {
      decide = next
    },
    unplug: stop,
    async plugIn() {
      if (!server.listening) server = await listen(port)
    },
    close: stop,
  }
}

/**
 * A rule that meets each request with one of `faults` at `rate` (0 to 1). `random` gives numbers from
 * 0 up to 1; with a seeded one the same requests in the same order meet the same faults.
 */
export const randomFaults =
  (random: () => number, rate: number, faults: readonly Fault[]) =>
  (_request: PassingRequest): Fault => {
    const hit = random() < rate
    const pick = faults[Math.floor(random() * faults.length)]
    return hit && pick !== undefined ? pick : 'none'
  }

interface Whole {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array
}

async function meet(fault: Fault, act: () => Promise<Whole>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (fault === 'hang-before') return
  if (fault === 'drop-before') return void request.socket.resetAndDestroy()
  if (typeof fault === 'object' && 'replace' in fault) return reply(response, fault.replace)
  if (typeof fault === 'object' && 'delayMs' in fault) await sleep(fault.delayMs)

  const answer = await act()
  if (fault === 'hang-after') return
  if (fault === 'drop-after') return void request.socket.resetAndDestroy()
  if (typeof fault === 'object' && 'replaceAfter' in fault) return reply(response, fault.replaceAfter)
  if (fault !== 'cut-answer') return reply(response, answer)

  response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length })
  response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => request.socket.resetAndDestroy())
}

function reply(
  response: ServerResponse,
  answer: { status: number; headers?: Record<string, string | string[] | undefined>; body?: string | Uint8Array },
): void {
  const body = Buffer.from(answer.body ?? '')
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  response.end(body)
}

function ask(upstream: string, request: IncomingMessage, body: Uint8Array): Promise<Whole> {
  return new Promise((resolve, reject) => {
    const url = new URL(upstream)
    const { 'transfer-encoding': _chunked, ...headers } = request.headers
    const onward = forward(
      {
        host: url.hostname,
        port: url.port,
        // The path goes on byte by byte: a parser would collapse what some tests are about.
        path: url.pathname.replace(/\/+$/, '') + (request.url ?? '/'),
        method: request.method,
        headers: { ...headers, host: url.host, ...(body.length > 0 ? { 'content-length': body.length } : {}) },
        agent: false,
      },
      (answer) => {
        const { 'transfer-encoding': _answerChunked, connection: _connection, 'keep-alive': _keepAlive, ...kept } = answer.headers
        bytesOf(answer).then((bytes) => resolve({ status: answer.statusCode ?? 502, headers: kept, body: bytes }), reject)
      },
    )
    onward.on('error', reject)
    onward.end(body)
  })
}

async function bytesOf(stream: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
