import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { failure, success } from '../protocol/envelope.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import { noParams, noQuery } from '../protocol/requests.ts'
import type { KeyRing, Principal } from '../store/keys.ts'
import { notFound, Refusal, requireRight } from '../store/refusal.ts'
import { andThen } from '../store/soon.ts'
import type { Soon } from '../store/soon.ts'
import type { Store } from '../store/store.ts'
import type { Connections } from './connections.ts'
import { answerHeaders } from './answer-headers.ts'
import { authenticateRequest, principalOf } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { createLargeRequests } from './large-requests.ts'
import type { RateLimits } from './rate-limit.ts'
import { runEndpoint } from './run-endpoint.ts'
import type { WireAnswer } from './run-endpoint.ts'

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The path as the router writes it. */
const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** A request with a malformed key counts against its address before it is refused. */
const admit = (store: Store, ring: KeyRing, limits: RateLimits, request: FastifyRequest, now: () => number): Soon<Principal> => {
  const refuse = (error: unknown): never => {
    if (error instanceof Refusal) limits.countStranger(request)
    throw error
  }
  try {
    const principal = authenticateRequest(store, ring, request, now)
    return principal instanceof Promise ? principal.catch(refuse) : principal
  } catch (error) {
    return refuse(error)
  }
}

const sendAnswer = (reply: FastifyReply, answer: WireAnswer): void => {
  if (answer.etag !== null) reply.header('etag', answer.etag)
  reply.code(answer.status).headers(answerHeaders)
  // A kept answer is text already: it goes out byte for byte.
  if (typeof answer.body === 'string') reply.serializer(String)
  reply.send(answer.body)
}

/** Adds the routes of the endpoints. Every one of them needs a key and a right. `waitMs`: how long a large request may wait for room. */
export const addEndpoints = (
  app: FastifyInstance,
  store: Store,
  ring: KeyRing,
  endpoints: readonly Endpoint[],
  { limits, connections, waitMs }: { limits: RateLimits; connections: Connections; waitMs: number },
  now: () => number,
): void => {
  const large = createLargeRequests(waitMs)
  for (const endpoint of endpoints) {
    const url = routerPath(endpoint.path)
    /** The sender, checked again: the key or its right may have been revoked while the request waited. */
    const stillAdmitted = (request: FastifyRequest): Soon<Principal> =>
      andThen(admit(store, ring, limits, request, now), (principal) => {
        requireRight(principal.roleId, endpoint.may)
        return principal
      })
    const sinceWaiting = (request: FastifyRequest, waited: Soon<void>): Soon<void> =>
      waited && waited.then(() => andThen(stillAdmitted(request), () => undefined))
    app.route({
      method: endpoint.method,
      url,
      schema: {
        summary: endpoint.summary,
        // Without a body, query or parameters there is nothing to check.
        ...(endpoint.params === noParams ? {} : { params: endpoint.params }),
        ...(endpoint.query === noQuery ? {} : { querystring: endpoint.query }),
        ...(endpoint.method === 'GET' ? {} : { body: endpoint.body }),
        response: { [endpoint.status]: success(endpoint.status, endpoint.data), '4xx': failure, '5xx': failure },
      },
      ...(endpoint.method === 'GET' ? {} : { preParsing: large.beforeBody }),
      // Before the body is read: a client without the right need not send 5 MiB to be refused.
      onRequest: (request, _reply, goOn) => {
        request.routePath = url
        const admitted = andThen(admit(store, ring, limits, request, now), (principal) => {
          request.principal = principal
          connections.admit(request, principal.keyId)
          limits.countKey(principal.keyId)
          requireRight(principal.roleId, endpoint.may)
          return sinceWaiting(request, large.beforeRequest(request))
        })
        if (admitted instanceof Promise) admitted.then(() => goOn(), goOn)
        else goOn()
      },
      onSend: (request, reply, payload: unknown, done) => {
        if (typeof payload === 'string' || payload instanceof Buffer) large.count(request, reply, payload.length)
        done()
      },
      handler: (request, reply) => {
        const run = (principal: Principal) =>
          runEndpoint(store, endpoint, request, principal, now, (bytes) =>
            endpoint.kind === 'read' ? sinceWaiting(request, large.admit(request, reply, bytes)) : large.admitNow(request, reply, bytes),
          )
        // A body can take two minutes to arrive.
        return andThen(endpoint.kind === 'read' ? run(principalOf(request)) : andThen(stillAdmitted(request), run), (answer) => {
          if (endpoint.kind === 'write' && endpoint.changesMembers === true) ring.forget()
          sendAnswer(reply, answer)
        })
      },
    })
  }
}

/** Makes known paths answer 405 to every method that they do not have, and all others 404, before any body is read. */
export const refuseTheRest = (app: FastifyInstance, limits: RateLimits, routed: readonly { method: string; path: string }[]): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) {
      limits.countStranger(request)
      throw notFound('There is nothing at this address.')
    }
    done()
  })
  const byPath = new Map<string, string[]>()
  for (const { method, path } of routed) {
    const url = routerPath(path)
    byPath.set(url, [...(byPath.get(url) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  for (const [url, allowed] of byPath) {
    const allow = allowed.join(', ')
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      schema: { hide: true },
      // Before the body, which may be anything.
      onRequest: async (request, reply) => {
        limits.countStranger(request)
        reply.header('allow', allow)
        throw new Refusal(errorCodes.methodNotAllowed, `This address takes ${allow} only.`)
      },
      handler: () => undefined,
    })
  }
}
