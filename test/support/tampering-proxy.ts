import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A variable as a service shows it. */
export interface WireVariable {
  id: string
  name: string
  value: string
  environmentId: string
  type?: string
  isSecret?: boolean
  [field: string]: unknown
}

export interface TamperingProxy {
  readonly url: string
  /** Every variable as the true service last showed it, by id. */
  readonly seen: ReadonlyMap<string, WireVariable>
  /** From now on these take the place of the records of their ids, in every answer; the change feed tells of all of them once. */
  forge(variables: readonly WireVariable[]): void
  /** The feed tells of these once; all other answers are true. */
  slipIn(variables: readonly WireVariable[]): void
  /** Tells the truth again: the feed tells of the true records once. */
  stop(): void
  /** Makes whoever follows the feed read everything again, as after a prune. */
  prune(): void
  close(): Promise<void>
}

interface FeedItem {
  resource: string
  id: string
  deleted: boolean
  record?: unknown
}

let lies = 0

/** With an ETag that no client has seen: a record that looks as it was is not read again. */
const changed = (variable: WireVariable): WireVariable =>
  typeof variable['etag'] === 'string' ? { ...variable, etag: variable['etag'].replace(/~*"$/, `${'~'.repeat((lies += 1))}"`) } : variable

const isVariable = (data: unknown): data is WireVariable =>
  typeof data === 'object' && data !== null && 'value' in data && 'environmentId' in data && 'name' in data && 'id' in data

/**
 * A service that lies, without the workspace key: a real HTTP proxy before a real service that passes requests on untouched and puts other
 * variables into its answers, wherever the interface shows one.
 */
export async function startTamperingProxy(upstream: string): Promise<TamperingProxy> {
  const seen = new Map<string, WireVariable>()
  const forged = new Map<string, WireVariable>()
  let untold: WireVariable[] = []
  let isPruned = false

  /** The answer with every variable in it replaced. */
  const lie = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(lie)
    if (typeof data !== 'object' || data === null) return data
    if (isVariable(data)) {
      seen.set(data.id, data)
      return forged.get(data.id) ?? data
    }
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, lie(value)]))
  }

  const lieInFeed = (body: { data: { items: FeedItem[] } }): unknown => {
    const told = lie(body) as typeof body
    const more = untold.map((record): FeedItem => ({ resource: 'variable', id: record.id, deleted: false, record }))
    untold = []
    return { ...told, data: { ...told.data, items: [...told.data.items, ...more] } }
  }

  const server = createServer((request, response) => {
    void (async () => {
      const isFeed = request.method === 'GET' && request.url?.startsWith('/changes') === true
      if (isFeed && isPruned && request.url?.includes('cursor=') === true) {
        isPruned = false
        response.writeHead(410, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ success: false, code: 410, message: 'Read everything again.', data: { pruned: true } }))
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const headers = Object.entries(request.headers).filter(
        ([name]) => name !== 'host' && name !== 'connection' && name !== 'content-length',
      )
      const answer = await fetch(upstream + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
        // The true service knows its own ETags alone.
        ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString().replace(/~+\\"/g, '\\"') }),
      })
      const text = await answer.text()
      const body: unknown = text === '' ? null : JSON.parse(text)
      const told = isFeed && answer.ok ? lieInFeed(body as Parameters<typeof lieInFeed>[0]) : lie(body)
      const kept = [...answer.headers].filter(([name]) => !['content-length', 'content-encoding', 'transfer-encoding'].includes(name))
      response.writeHead(answer.status, Object.fromEntries(kept))
      response.end(text === '' ? '' : JSON.stringify(told))
    })().catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    forge(variables) {
      untold = variables.map(changed)
      for (const variable of untold) forged.set(variable.id, variable)
    },
    slipIn(variables) {
      untold = variables.map(changed)
    },
    stop() {
      untold = [...forged.keys()].flatMap((id) => seen.get(id) ?? [])
      forged.clear()
    },
    prune() {
      isPruned = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
