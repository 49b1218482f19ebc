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
  const routes = new Map<string, FastifyBaseLogger>()
  // The fields that all requests of a route share are written out once.
  const logOf = (method: string, route: string | null): FastifyBaseLogger => {
    const name = `${method} ${route}`
    let found = routes.get(name)
    if (found === undefined) {
      found = log.child({ method, route })
      routes.set(name, found)
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
