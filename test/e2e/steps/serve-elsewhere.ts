import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Elsewhere {
  origin: string
  /** The paths that were asked for. */
  asked: string[]
  close(): void
}

/** Starts another server on this computer, whose answers every page may read: only the application or its page's own policy keeps it from that. */
export async function serveElsewhere(answer: (path: string, response: ServerResponse) => void): Promise<Elsewhere> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    answer(url, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => void server.close() }
}
