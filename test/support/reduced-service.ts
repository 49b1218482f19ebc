import type { Network } from './build-client.ts'

/** The documented 14 operations, as `METHOD /path` without a query. */
const operations = [
  /^GET \/workspace$/,
  /^(GET|DELETE) \/projects\/[^/]+$/,
  /^POST \/projects\/[^/]+\/environments$/,
  /^(GET|PATCH) \/projects\/[^/]+\/environments\/[^/]+$/,
  /^(GET|DELETE) \/projects\/[^/]+\/environments\/[^/]+\/variables\/[^/]+$/,
  /^DELETE \/projects\/[^/]+\/environments\/[^/]+\/variables$/,
  /^PATCH \/variables\/[^/]+$/,
  /^GET \/versions\/[^/]+$/,
  /^POST \/versions\/[^/]+\/rollback$/,
  /^POST \/members$/,
  /^DELETE \/members\/[^/]+$/,
]

const lists = /^GET \/(projects|members|roles|projects\/[^/]+\/environments|projects\/[^/]+\/environments\/[^/]+\/(variables|versions))$/

/** Whether a request is one of the documented 14 operations. */
export const isDocumented = (request: string): boolean => operations.some((operation) => operation.test(request))

/** Whether a request reads one of the lists that services without a feed may have. */
export const isList = (request: string): boolean => lists.test(request)

const noRoute = (): Promise<Response> =>
  Promise.resolve(Response.json({ success: false, code: 404, message: 'No.', data: {} }, { status: 404 }))

/** A network that leads to a service without the change feed: the documented operations, and lists. */
export const withoutFeed: Network = (forward, { method, path }) => {
  const request = `${method} ${path}`
  return isDocumented(request) || isList(request) ? forward() : noRoute()
}

/** The same without lists. */
export const only14: Network = (forward, { method, path }) => (isDocumented(`${method} ${path}`) ? forward() : noRoute())

/** A service that never heard of ETags: none in headers, none in records. */
export const withoutEtags: Network = async (forward) => {
  const answer = await forward()
  const body = (await answer.text()).replaceAll(/,"etag":"(?:[^"\\]|\\.)*"/g, '')
  const headers = new Headers(answer.headers)
  for (const name of ['etag', 'content-length']) headers.delete(name)
  return new Response(body, { status: answer.status, headers })
}

/** What another service may lack: the feed with all that comes with it, ETags, or some of the lists. */
export type Lack = 'feed' | 'etags' | 'rows' | 'versions' | 'members'

const listsOf: Partial<Record<Lack, RegExp>> = {
  rows: /^GET \/projects(\/[^/]+\/environments(\/[^/]+\/variables)?)?$/,
  versions: /^GET .*\/versions$/,
  members: /^GET \/(members|roles)$/,
}

/** A way to a service that hides what `lacks` names. */
export const behind =
  (lacks: readonly Lack[], fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const request = { method: init?.method ?? 'GET', path: url.pathname }
    const said = `${request.method} ${request.path}`
    if (lacks.some((lack) => listsOf[lack]?.test(said))) return noRoute()
    const reach = () => (lacks.includes('etags') ? withoutEtags(() => fetch(input, init), request) : fetch(input, init))
    return lacks.includes('feed') ? withoutFeed(reach, request) : reach()
  }
