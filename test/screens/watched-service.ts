import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Values by name, by the slug of their environment. */
export type Contents = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Written {
  /** Who sent the request. */
  by: string
  /** The method and path. */
  request: string
  before: Contents
  after: Contents
}

export interface WatchedService {
  /** The address at which `person` reaches the service. */
  addressFor(person: string): Promise<string>
  /** The network of a person goes away, or comes back. */
  setOffline(person: string, isOffline: boolean): void
  /** What the service holds now. */
  contents(): Promise<Contents>
  close(): Promise<void>
}

/**
 * Stands between each person and the service, and knows who wrote what: requests that write go through one at a time,  and `read` tells what
 * the service holds after each of them. An answer to one of them is lost where `isAnswerLost` says so.
 */
export async function watchService(
  upstream: string,
  read: () => Promise<Contents>,
  onWritten: (written: Written) => void | Promise<void>,
  isAnswerLost: () => boolean,
): Promise<WatchedService> {
  const servers: Server[] = []
  const offline = new Set<string>()
  let current = await read()
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  async function pass(by: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request)
    if (offline.has(by)) return void request.socket.destroy()
    const send = () => forwarded(upstream, request, body)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const answer = isRead
      ? await send()
      : await inTurn(async () => {
          const answered = await send()
          const before = current
          current = await read()
          await onWritten({ by, request: `${request.method} ${request.url}`, before, after: current })
          return answered
        })
    if (offline.has(by) || (!isRead && isAnswerLost())) return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  return {
    async addressFor(person) {
      const server = createServer((request, response) => {
        pass(person, request, response).catch(() => request.socket.destroy())
      })
      servers.push(server)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    setOffline(person, isOffline) {
      if (isOffline) offline.add(person)
      else offline.delete(person)
    },
    contents: () => inTurn(async () => (current = await read())),
    async close() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

async function forwarded(upstream: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _host, connection: _connection, ...rest } = headers
  const asked = forward(`${upstream}${url}`, { method, headers: rest })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await bytesOf(answer) }
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
