import type { FastifyInstance } from 'fastify'

/**
 * Logs each answered request by its route, never by its address or body: names, values and keys stay out of the log.
 */
export const logRequests = (app: FastifyInstance): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'error' : reply.statusCode === 429 ? 'warn' : 'info'
    request.log[level](
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        key: request.principal?.keyId ?? null,
      },
      'answered',
    )
    done()
  })
}
