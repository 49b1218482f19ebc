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
