import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Endpoint } from './endpoint.ts'

type Transform = typeof jsonSchemaTransform

const text = (description: string) => ({ type: 'string', description })

/** Request headers, which are read by hand: as schemas they would replace the headers of each request. */
const headersOf = (endpoint: Endpoint) => ({
  type: 'object',
  properties: {
    ...(endpoint.kind === 'write' && endpoint.takesIfMatch !== false
      ? { 'if-match': text('The ETag that the record must still have, or "*"; 412 when it was changed.') }
      : {}),
    ...(endpoint.method === 'POST'
      ? { 'idempotency-key': text('1 to 255 printable ASCII characters. The same key and body gives the first answer again for 24 hours.') }
      : {}),
  },
})

/** Describes every route from the very schemas that validate it, as OpenAPI 3.1. Must be registered before the routes. */
export const describeRoutes = async (app: FastifyInstance, endpoints: readonly Endpoint[]): Promise<void> => {
  const byRoute = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))
  const transform: Transform = (document) => {
    const described = jsonSchemaTransform(document)
    const method = String(document.route.method)
    const endpoint = byRoute.get(`${method} ${document.url.replace(/:(\w+)/g, '{$1}')}`)
    if (endpoint === undefined) return described
    return { ...described, schema: { ...described.schema, headers: headersOf(endpoint) } }
  }
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Holdfast service',
        version: '1.0.0',
        description:
          'Workspaces, projects, environments and variables whose values are sealed by the client. Every answer has the same envelope; an error has success false, the status as code and a sentence as message.',
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A personal API key.' } } },
      security: [{ key: [] }],
    },
    transform,
  })
}
