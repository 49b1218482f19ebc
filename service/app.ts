import { randomBytes as systemRandomBytes } from 'node:crypto'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { success } from './protocol/envelope.ts'
import { errorCodes } from './protocol/error-codes.ts'
import { bodyLimit } from './protocol/limits.ts'
import { roleMay } from './protocol/roles.ts'
import { authenticateRequest } from './http/authenticate.ts'
import { capabilities } from './http/endpoint.ts'
import type { Capability, Endpoint } from './http/endpoint.ts'
import { errorAnswer, failureBody } from './http/error-answer.ts'
import { takeJsonBodies } from './http/json-body.ts'
import { runEndpoint } from './http/run-endpoint.ts'
import { endpoints } from './routes/all.ts'
import { dropOldAnswers } from './store/answers.ts'
import { bootstrap } from './store/bootstrap.ts'
import { migrate } from './store/migrate.ts'
import { openPostgres } from './store/open-postgres.ts'
import { openSqlite } from './store/open-sqlite.ts'
import { notFound, Refusal } from './store/refusal.ts'
import type { Store } from './store/store.ts'

/** What a service is made of. Only `storage` is needed. */
export interface ServiceDeps {
  /** Either a folder for a SQLite database (created when absent) or the URL of a PostgreSQL database. */
  storage: { dataDir: string } | { databaseUrl: string }
  /** Makes a fresh key for the owner at every start, not only at bootstrap. */
  mintKey?: boolean
  /** Switches extensions off: their routes are as if they had never been there. `extensions` is all of them: only the 14 operations stay. */
  without?: readonly Capability[] | 'extensions'
  /** Requests a minute for one key; null: no limit. Default 6,000. */
  requestsPerMinute?: number | null
  /** Checks every answer against its schema before it is sent: for tests. */
  checkAnswers?: boolean
  /** Where to log; nothing is logged without it. */
  logger?: FastifyBaseLogger
  /** Milliseconds since the epoch. */
  now?: () => number
  /** `length` random bytes. */
  randomBytes?: (length: number) => Uint8Array
}

export interface Service {
  /** Listens on nothing yet: `app.listen(...)` or `app.inject(...)`. */
  app: FastifyInstance
  store: Store
  workspaceId: string
  /** Set when a key was made: at bootstrap, or by `mintKey`. Kept nowhere else. */
  apiKey: string | null
  /** Finishes what it began, then closes the database. */
  close(): Promise<void>
}

/** The SQLite file in a data folder. */
export const databaseFile = (dataDir: string): string => join(dataDir, 'service.db')

const openStore = async (storage: ServiceDeps['storage'], now: () => number): Promise<Store> => {
  const at = () => new Date(now()).toISOString()
  if ('databaseUrl' in storage) {
    const store = await openPostgres(storage.databaseUrl)
    await migrate(store, { now: at })
    return store
  }
  await mkdir(storage.dataDir, { recursive: true, mode: 0o700 })
  const file = databaseFile(storage.dataDir)
  const store = openSqlite(file)
  try {
    await migrate(store, { now: at, beforeFirst: (from) => copyFile(file, `${file}.before-step-${from + 1}`) })
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Ids that no two requests share, in this process or another. */
const requestIds = (randomBytes: (length: number) => Uint8Array): (() => string) => {
  const process = Buffer.from(randomBytes(6)).toString('hex')
  let count = 0
  return () => `${process}-${++count}`
}

const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { body, retryAfterSeconds, bug } = errorAnswer(error)
  if (bug) request.log.error({ err: error }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (body.code === errorCodes.unauthorized) reply.header('www-authenticate', 'Bearer')
  return reply.code(body.code).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

/** A known path answers 405 to every method it does not have. */
const refuseOtherMethods = (app: FastifyInstance, routed: readonly { method: string; path: string }[]): void => {
  const byPath = new Map<string, string[]>()
  for (const { method, path } of routed) {
    const url = routePath(path)
    byPath.set(url, [...(byPath.get(url) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  for (const [url, allowed] of byPath) {
    const allow = allowed.join(', ')
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      // Ahead of the body, which may be anything.
      onRequest: async (_request, reply) => {
        reply.header('allow', allow)
        throw new Refusal(errorCodes.methodNotAllowed, `This address takes ${allow} only.`)
      },
      handler: () => undefined,
    })
  }
}

const offered = (endpoint: Endpoint, without: ReadonlySet<Capability>): boolean =>
  endpoint.capability === undefined || !without.has(endpoint.capability)

/**
 * Opens and migrates the storage, makes the workspace at bootstrap, and builds the service on it. Opens no
 * port. Rejects when the storage cannot be opened or is of a newer version (NewerDatabaseError).
 */
export const createService = async (deps: ServiceDeps): Promise<Service> => {
  const now = deps.now ?? Date.now
  const randomBytes = deps.randomBytes ?? systemRandomBytes
  const without = new Set<Capability>(deps.without === 'extensions' ? capabilities : (deps.without ?? []))
  const store = await openStore(deps.storage, now)
  const { workspaceId, apiKey } = await bootstrap(store, {
    at: new Date(now()).toISOString(),
    mint: deps.mintKey ?? false,
    randomBytes,
  })

  const app = Fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(randomBytes),
    bodyLimit,
    // Longer than a name of 255 characters with every byte escaped.
    routerOptions: { maxParamLength: 4096 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler(_error, socket) {
      if (!socket.writable) return
      const body = JSON.stringify(failureBody(errorCodes.badRequest, 'The request is not well-formed HTTP.'))
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(deps.checkAnswers === true ? serializerCompiler : () => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(notFound('There is nothing at this address.'), request, reply))
  app.decorateRequest('principal', null)
  takeJsonBodies(app)

  const options = { now, etags: !without.has('etags'), idempotency: !without.has('idempotency') }
  const routed = endpoints.filter((endpoint) => offered(endpoint, without))
  for (const endpoint of routed) {
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      schema: {
        params: endpoint.params,
        querystring: endpoint.query,
        ...(endpoint.method === 'GET' ? {} : { body: endpoint.body }),
        response: { [endpoint.status]: success(endpoint.status, endpoint.data) },
      },
      // Before the body is read: who may not do this need not send 5 MiB to learn it.
      onRequest: async (request) => {
        const principal = await authenticateRequest(store, request, now)
        if (!roleMay(principal.roleId, endpoint.may)) {
          throw new Refusal(errorCodes.forbidden, `The role ${principal.roleId} may not do this (${endpoint.may}).`)
        }
        request.principal = principal
      },
      handler: async (request, reply) => {
        const { principal } = request
        if (principal === null) throw new Error('a route ran without a principal')
        const answer = await runEndpoint(store, endpoint, request, principal, options)
        if (answer.etag !== null) reply.header('etag', answer.etag)
        reply.code(answer.status)
        // A kept answer is text already: it goes out byte for byte.
        if (typeof answer.body === 'string')
          return reply.header('content-type', 'application/json; charset=utf-8').serializer(String).send(answer.body)
        return reply.send(answer.body)
      },
    })
  }
  app.get('/health', async () => {
    await store.kysely.selectFrom('clock').select('id').execute()
    return { success: true, code: 200, message: 'OK', data: { status: 'ok' } }
  })
  refuseOtherMethods(app, [...routed, { method: 'GET', path: '/health' }])

  await dropOldAnswers(store, now())
  const cleaning = setInterval(
    () => void dropOldAnswers(store, now()).catch((error: unknown) => app.log.error({ err: error }, 'cleaning failed')),
    3_600_000,
  )
  cleaning.unref()
  app.addHook('onClose', () => clearInterval(cleaning))
  await app.ready()

  return {
    app,
    store,
    workspaceId,
    apiKey,
    close: async () => {
      await app.close()
      await store.close()
    },
  }
}
