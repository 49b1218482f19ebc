import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface SecureFront {
  port: number
  /** Method and path of each request that came through TLS, in order. */
  seen: string[]
  close(): Promise<void>
}

/** A real TLS server on loopback that hands what it is asked to the service at `serviceUrl`. */
export async function startSecureFront(certificate: { cert: string; key: string }, serviceUrl: string): Promise<SecureFront> {
  const seen: string[] = []
  const server = createServer(certificate, (incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    seen.push(`${method} ${url}`)
    const onward = request(new URL(url, serviceUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
