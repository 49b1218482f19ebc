import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { success } from '../protocol/envelope.ts'
import { health } from '../protocol/records.ts'
import type { Store } from '../store/store.ts'
import { requireAnswer } from '../store/workspaces.ts'
import { answerHeaders } from './answer-headers.ts'
import { docsPage, docsStyle } from './docs-page.ts'
import type { Endpoint } from './endpoint.ts'
import type { RateLimits } from './rate-limit.ts'

/** Paths that need no key. */
export const openPaths = ['/health', '/openapi.json', '/docs'] as const

const styleHash = `'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'`

/** Adds the routes that need no key: health, and the documentation for programs and people. */
export const addOpenPages = async (
  app: FastifyInstance,
  store: Store,
  limits: RateLimits,
  endpoints: readonly Endpoint[],
): Promise<void> => {
  const onRequest = async (request: FastifyRequest) => limits.countStranger(request)
  app.route({
    method: 'GET',
    url: '/health',
    onRequest,
    schema: { summary: 'Whether the service and its storage work; needs no key', security: [], response: { 200: success(200, health) } },
    handler: async (_request, reply) => {
      reply.headers(answerHeaders)
      await requireAnswer(store)
      return { success: true, code: 200, message: 'OK', data: { status: 'ok' } }
    },
  })

  let description: { json: string; page: string } | undefined
  // Built at the first request, when every route is registered.
  const describe = () => {
    if (description === undefined) {
      const document = app.swagger()
      description = { json: JSON.stringify(document), page: docsPage(endpoints, document) }
    }
    return description
  }
  app.route({
    method: 'GET',
    url: '/openapi.json',
    onRequest,
    schema: { hide: true },
    handler: (_request, reply) => reply.headers(answerHeaders).send(describe().json),
  })
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: [styleHash],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    })
    pages.route({
      method: 'GET',
      url: '/docs',
      onRequest,
      schema: { hide: true },
      handler: (_request, reply) => reply.header('content-type', 'text/html; charset=utf-8').send(describe().page),
    })
  })
}
