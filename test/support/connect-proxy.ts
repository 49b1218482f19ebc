import { createServer, request as ask, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

export interface ConnectProxy {
  url: string
  /** `CONNECT host:port`, or the method and address of a plain request, in order. */
  seen: string[]
  /** Answers everything with 407 from now on. */
  refuse(): void
  close(): Promise<void>
}

/** A real proxy on loopback, for tunnels and plain requests, in which the names of `hosts` stand for local ports. */
export async function startConnectProxy(hosts: Readonly<Record<string, number>>): Promise<ConnectProxy> {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  let refuses = false
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    const port = hosts[URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '').hostname : '']
    if (refuses || port === undefined) return outgoing.writeHead(refuses ? 407 : 502).end()
    const { pathname, search } = new URL(incoming.url ?? '')
    const onward = ask(
      { port, host: '127.0.0.1', method: incoming.method, path: pathname + search, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    return incoming.pipe(onward)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`)
    const port = hosts[incoming.url?.split(':')[0] ?? '']
    if (refuses || port === undefined)
      return socket.end(`HTTP/1.1 ${refuses ? '407 Proxy Authentication Required' : '502 Bad Gateway'}\r\n\r\n`)
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    return socket.on('error', () => onward.destroy())
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    refuse() {
      refuses = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
