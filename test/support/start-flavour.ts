import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createService, type Service } from '../../service/app.ts'
import type { Flavour } from './flavours.ts'
import { putFreshStore } from './fresh-databases.ts'
import { isDocumented, isList } from './reduced-service.ts'

export interface FlavouredService {
  /** Base URL on loopback, without a trailing slash. */
  url: string
  /** The owner's key; null where the folder had one already. */
  apiKey: string | null
  workspaceId: string
  close(): Promise<void>
}

/** What each of them answers, as `METHOD /path`. */
const offers: Record<Flavour, (request: string) => boolean> = {
  full: () => true,
  'no-feed': (request) => isDocumented(request) || isList(request),
  'bare-arrays': (request) => isDocumented(request) || isList(request),
  'only-14': isDocumented,
}

/**
 * Starts the real service on the data in `dir` behind a front that hides what another service may lack. The same folder can be opened as
 * one flavour after another: what one of them cannot do is done with another, as a web application would.
 */
export async function startFlavour(flavour: Flavour, dir: string, port = 0): Promise<FlavouredService> {
  await putFreshStore(dir)
  const service = await createService({ storage: { dataDir: dir }, requestsPerMinute: null })
  const { apiKey, workspaceId } = service
  if (flavour === 'full') {
    const url = await service.app.listen({ port, host: '127.0.0.1' })
    return { url, apiKey, workspaceId, close: () => service.close() }
  }
  const answer = async (request: IncomingMessage): Promise<Answered> => {
    const path = request.url?.split('?')[0] ?? '/'
    if (!offers[flavour](`${request.method} ${path}`)) return { status: 404, headers: {}, body: '{"success":false}' }
    return answerWhole(service, request, flavour === 'bare-arrays')
  }
  const front = createServer((request, response) => {
    void answer(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    apiKey,
    workspaceId,
    async close() {
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
      await service.close()
    },
  }
}

interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

interface ListBody {
  data?: { items?: unknown[]; nextCursor?: string | null }
}

/** The service's answer. `isBare`: a list comes whole, as an array and nothing around it. */
async function answerWhole(service: Service, request: IncomingMessage, isBare: boolean): Promise<Answered> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const ask = async (url: string): Promise<Answered> => {
    const answer = await service.app.inject({ method: (request.method ?? 'GET') as 'GET', url, headers, payload: Buffer.concat(chunks) })
    const { 'content-length': _length, ...sent } = answer.headers
    return { status: answer.statusCode, headers: sent as Record<string, string>, body: answer.payload }
  }
  const path = request.url ?? '/'
  const first = await ask(path)
  const body = isBare && request.method === 'GET' && first.status === 200 ? (JSON.parse(first.body) as ListBody) : {}
  if (body.data?.items === undefined) return first
  const items = [...body.data.items]
  let cursor = body.data.nextCursor
  while (typeof cursor === 'string') {
    const { data } = JSON.parse((await ask(`${path}?cursor=${encodeURIComponent(cursor)}`)).body) as ListBody
    items.push(...(data?.items ?? []))
    cursor = data?.nextCursor
  }
  return { ...first, body: JSON.stringify({ ...body, data: items }) }
}
