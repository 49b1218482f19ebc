import { randomBytes as systemRandomBytes } from 'node:crypto'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { v7 as uuid } from 'uuid'
import { errorCodes } from './protocol/error-codes.ts'
import {
  bodyLimit,
  bytesQuota,
  keyConnections,
  recordsQuota,
  requestsPerMinute,
  strangerConnections,
  strangerRequestsPerMinute,
  versionsQuota,
} from './protocol/limits.ts'
import { addEndpoints, refuseTheRest } from './http/add-endpoints.ts'
import { answerHeaders } from './http/answer-headers.ts'
import { createClientErrors } from './http/client-errors.ts'
import { limitConnections } from './http/connections.ts'
import type { MostConnections } from './http/connections.ts'
import { errorAnswer } from './http/error-answer.ts'
import { takeJsonBodies } from './http/json-body.ts'
import { announcedBytes, largeBytes } from './http/large-requests.ts'
import { logRequests } from './http/log-requests.ts'
import { addOpenPages, openPaths } from './http/open-pages.ts'
import { describeRoutes } from './http/openapi.ts'
import { createRateLimits } from './http/rate-limit.ts'
import type { RateLimits } from './http/rate-limit.ts'
import { endpoints } from './routes/all.ts'
import { beginRun } from './store/begin-run.ts'
import { bootstrap } from './store/bootstrap.ts'
import { clean } from './store/clean.ts'
import { createKeyRing } from './store/keys.ts'
import { openStore } from './store/open-store.ts'
import type { Storage } from './store/open-store.ts'
import { Refusal } from './store/refusal.ts'
import type { Store } from './store/store.ts'
import type { Quotas } from './store/usage.ts'

/** The options of a service. Only `storage` is required. */
export interface ServiceDeps {
  /** Either a folder for a SQLite database (created when missing) or the URL of a PostgreSQL database. */
  storage: Storage
  /** The port to listen on, 0 for any free one. It is opened before a key is made: a start that fails on it uses up no key. Default: none. */
  listen?: { port: number; host: string }
  /** Makes a fresh key for the owner at every start, not only at bootstrap. */
  mintKey?: boolean
  /** An owner's key that is valid while this service runs and is never stored. With it, bootstrap makes none. */
  ownerKey?: string
  /** The id of the workspace that bootstrap makes. Default: a new one. */
  workspaceId?: string
  /** False: storage without a workspace is refused with MissingWorkspaceError. Default: true. */
  mayBootstrap?: boolean
  /** Requests a minute for one key; null: no limit. Default 6,000. */
  requestsPerMinute?: number | null
  /** Requests a minute without a valid key from one address; null: no limit. Default 600. */
  strangerRequestsPerMinute?: number | null
  /** The most connections that are kept open. Default: those of service/protocol/limits.ts. */
  mostConnections?: MostConnections
  /** The most that each workspace may hold; null: no limit. Default: those of service/protocol/limits.ts. */
  quotas?: Partial<Quotas>
  /**
   * The addresses of the proxies trusted to name a client's address (X-Forwarded-For). Without it, the client's address is that of the
   * connection.
   */
  trustProxy?: string[]
  /** False: omit /health, /openapi.json and /docs, which a service without a port does not need. Default: true. */
  openPages?: boolean
  /** Checks every answer against its schema before it is sent: for tests. */
  checkAnswers?: boolean
  /** Where to log; nothing is logged without it. */
  logger?: FastifyBaseLogger
  /**
   * How long a request may take to arrive, and how long nothing may move on a connection, in milliseconds: a client that does not read its
   * answer holds memory for it. Default: two minutes.
   */
  requestMs?: number
  /** Milliseconds since the epoch. */
  now?: () => number
  /** `length` random bytes. */
  randomBytes?: (length: number) => Uint8Array
}

export interface Service {
  /** Without `listen`, it listens on nothing yet: `app.listen(...)` or `app.inject(...)`. */
  app: FastifyInstance
  store: Store
  /** The oldest workspace; a database may hold several. */
  workspaceId: string
  /** Set when a key was made: at bootstrap, or by `mintKey`. Kept nowhere else. */
  apiKey: string | null
  /** Answers the requests under way (for at most 10 seconds), then closes the database. */
  close(): Promise<void>
}

const closeMs = 10_000
const defaultRequestMs = 120_000
const cleaningMs = 3_600_000
const defaultQuotas: Quotas = { records: recordsQuota, versions: versionsQuota, bytes: bytesQuota }

/** Ids that no two requests share, in this process or another. */
const requestIds = (randomBytes: (length: number) => Uint8Array): (() => string) => {
  const process = Buffer.from(randomBytes(6)).toString('hex')
  let count = 0
  return () => `${process}-${++count}`
}

/**
 * The answer when the client disconnects before its request is complete. Its error would look like a lost database; the answer is never
 * read.
 */
const leftRefusal = new Refusal(errorCodes.badRequest, 'The request ended before it was whole.')

const sendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const error = request.raw.destroyed && !request.raw.complete ? leftRefusal : thrown
  const { body, retryAfterSeconds, bug } = errorAnswer(error, request.body)
  if (bug) request.log.error({ reqId: request.id, err: error }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (body.code === errorCodes.unauthorized) reply.header('www-authenticate', 'Bearer')
  // Node would read a body to its end to use the connection again.
  if (!request.raw.complete && announcedBytes(request) >= largeBytes) reply.header('connection', 'close')
  return reply.code(body.code).header('x-request-id', request.id).headers(answerHeaders).serializer(String).send(JSON.stringify(body))
}

const largeText = 32_768

/** JSON for the wire. A large text goes as bytes: as text it would be measured twice, and copied once more behind its headers. */
const toJson = (data: unknown): string => {
  const text = JSON.stringify(data)
  // Fastify sends bytes as they are; only its type for serializers knows nothing of them.
  return text.length < largeText ? text : (Buffer.from(text) as unknown as string)
}

/** Replaces Fastify's compilers: every route sets its own below. */
const noCompiler = (): never => {
  throw new Error('a route was declared before its compilers')
}

const createFastify = (deps: ServiceDeps, limits: RateLimits, randomBytes: (length: number) => Uint8Array): FastifyInstance => {
  const { requestMs = defaultRequestMs } = deps
  const nextRequestId = requestIds(randomBytes)
  const clientErrors = createClientErrors(nextRequestId, deps.logger)
  const app = Fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    // Fastify would load compilers of its own, which takes longer than all routes do.
    schemaController: { compilersFactory: { buildValidator: () => noCompiler, buildSerializer: () => noCompiler } },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    // One logger for all requests: each line names its request.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    requestTimeout: requestMs,
    connectionTimeout: requestMs,
    // Headers that do not end are noticed before the connection counts as idle: an idle one is closed without an answer.
    // Node would refuse a request without a Host header with no body at all.
    http: { headersTimeout: requestMs / 2, connectionsCheckingInterval: requestMs / 4, requireHostHeader: false },
    trustProxy: deps.trustProxy ?? false,
    // Longer than a name of 255 characters with every byte escaped.
    routerOptions: { maxParamLength: 4096 },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      try {
        limits.countStranger(request)
        sendError(error, request, reply)
      } catch (tooMany) {
        sendError(tooMany, request, reply)
      }
    },
    clientErrorHandler: clientErrors.handle,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(deps.checkAnswers === true ? serializerCompiler : () => toJson)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.decorateRequest('principal', null)
  app.decorateRequest('routePath', null)
  takeJsonBodies(app)
  clientErrors.watch(app)
  return app
}

/** While the service stops, it answers the requests under way and asks new ones to try again later. */
const refuseWhileClosing = (app: FastifyInstance): void => {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    const cut = setTimeout(() => app.server.closeAllConnections(), closeMs)
    cut.unref()
    done()
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(
      closing
        ? new Refusal(errorCodes.unavailable, 'The service is stopping. Try again in a moment.', { retryAfterSeconds: 1 })
        : undefined,
    )
  })
  // A connection that was busy when the stop began would be waited for until its client gives it up.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close')
    done()
  })
}

const cleanUp = (app: FastifyInstance, store: Store, now: () => number): void => {
  const run = () => void clean(store, now()).catch((error: unknown) => app.log.error({ err: error }, 'cleaning failed'))
  const cleaning = setInterval(run, cleaningMs)
  cleaning.unref()
  app.addHook('onClose', () => clearInterval(cleaning))
}

const buildApp = async (
  deps: ServiceDeps,
  store: Store,
  now: () => number,
  randomBytes: (length: number) => Uint8Array,
): Promise<FastifyInstance> => {
  const limits = createRateLimits(
    {
      ofKey: deps.requestsPerMinute === undefined ? requestsPerMinute : deps.requestsPerMinute,
      ofStranger: deps.strangerRequestsPerMinute === undefined ? strangerRequestsPerMinute : deps.strangerRequestsPerMinute,
    },
    now,
  )
  const app = createFastify(deps, limits, randomBytes)
  refuseWhileClosing(app)
  if (deps.logger !== undefined) logRequests(app, deps.logger)
  if (deps.openPages !== false) await describeRoutes(app, endpoints)
  const ring = createKeyRing(store, deps.ownerKey)
  const connections = limitConnections(app.server, deps.mostConnections ?? { ofStrangers: strangerConnections, ofKeys: keyConnections })
  // Half of what a connection may be idle: the refusal must come before the cut.
  const waitMs = (deps.requestMs ?? defaultRequestMs) / 2
  addEndpoints(app, store, ring, endpoints, { limits, connections, waitMs }, now)
  if (deps.openPages !== false) await addOpenPages(app, store, limits, endpoints)
  const open = deps.openPages === false ? [] : openPaths.map((path) => ({ method: 'GET', path }))
  refuseTheRest(app, limits, [...endpoints, ...open])
  cleanUp(app, store, now)
  await app.ready()
  return app
}

/**
 * Opens and migrates the storage, builds the service on it, opens the port that `listen` names, and makes the workspace at bootstrap.
 * Rejects when the storage cannot be opened, is of a newer version (NewerDatabaseError) or has no workspace where it must have one, and when
 * the port cannot be opened.
 */
export const createService = async (deps: ServiceDeps): Promise<Service> => {
  const now = deps.now ?? Date.now
  const randomBytes = deps.randomBytes ?? systemRandomBytes
  const at = () => new Date(now()).toISOString()
  const quotas = { ...defaultQuotas, ...deps.quotas }
  const store: Store = { ...(await openStore(deps.storage, at)), quotas }
  let app: FastifyInstance | undefined
  const close = async () => {
    await app?.close()
    await store.close()
  }
  try {
    // A full disk or a standby must not keep the service from being read.
    await clean(store, now()).catch((error: unknown) => deps.logger?.warn({ err: error }, 'cleaning failed'))
    await beginRun(store, now()).catch((error: unknown) => deps.logger?.warn({ err: error }, 'no gap was left in the commit order'))
    app = await buildApp(deps, store, now, randomBytes)
    if (deps.listen !== undefined) await app.listen({ ...deps.listen, listenTextResolver: () => 'listening' })
    const { workspaceId, apiKey } = await bootstrap(store, {
      at: at(),
      mint: deps.mintKey ?? false,
      workspaceId: deps.mayBootstrap === false ? null : (deps.workspaceId ?? uuid()),
      keyless: deps.ownerKey !== undefined,
      randomBytes,
    })
    return { app, store, workspaceId, apiKey, close }
  } catch (error) {
    await close()
    throw error
  }
}
