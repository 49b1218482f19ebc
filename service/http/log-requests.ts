import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The route of an endpoint, as the router writes it; null before it is known. */
    routePath: string | null
  }
}

/**
 * Logs each answered request by its route, never by its address or body: names, values and keys stay out of the log.
 */
export const logRequests = (app: FastifyInstance, logger: FastifyBaseLogger): void => {
  // Every field is named below, so redaction is off: it would cost more than writing the line.
  const log = logger.child({}, { redact: [] })
  // The fields that all requests of a route share are written out once. A key joined of both names would be hashed for every line.
  const routes = new Map<string | null, Map<string, FastifyBaseLogger>>()
  const logOf = (method: string, route: string | null): FastifyBaseLogger => {
    let ofRoute = routes.get(route)
    if (ofRoute === undefined) {
      ofRoute = new Map()
      routes.set(route, ofRoute)
    }
    let found = ofRoute.get(method)
    if (found === undefined) {
      found = log.child({ method, route })
      ofRoute.set(method, found)
    }
    return found
  }
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'error' : reply.statusCode === 429 ? 'warn' : 'info'
    logOf(request.method, request.routePath ?? request.routeOptions.url ?? null)[level](
      {
        reqId: request.id,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        key: request.principal?.keyId ?? null,
      },
      'answered',
    )
    done()
  })
}
