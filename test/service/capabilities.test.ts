import { describe, expect, test } from 'vitest'
import type { Capability } from '../../service/http/endpoint.ts'
import { endpoints } from '../../service/routes/all.ts'
import { startService } from '../support/start-service.ts'
import { client } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment } from './support/samples.ts'

const pathOf = (path: string) =>
  path
    .replaceAll('{slug}', 'app')
    .replace('{environmentSlug}', 'dev')
    .replaceAll(/\{\w+\}/g, 'x')

/** The address of `path` is also one of the pattern `wider`. */
const covers = (wider: string, path: string) => new RegExp(`^${wider.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

describe.each(databases)('a service without some extensions, on %s', (kind) => {
  const start = useServices(kind)
  const grouped = [...new Set(endpoints.flatMap(({ capability }) => (capability === undefined ? [] : [capability])))]

  test.each(grouped)('without %s those routes are as if they had never been there', async (capability) => {
    const { call } = await start({ without: [capability] })
    for (const endpoint of endpoints.filter((one) => one.capability === capability)) {
      const { status } = await call(endpoint.method, pathOf(endpoint.path), endpoint.method === 'GET' ? undefined : {})
      const sibling = endpoints.some((one) => one.capability !== capability && covers(one.path, endpoint.path))
      expect(status, `${endpoint.method} ${endpoint.path}`).toBe(sibling ? 405 : 404)
    }
  })

  test('with the 14 operations alone nothing else is offered', async () => {
    const started = await startService({ routes: 'operations' })
    try {
      const call = client(started.url, started.apiKey)
      const described = (await (await fetch(`${started.url}/openapi.json`)).json()) as { paths: Record<string, object> }
      const offered = Object.entries(described.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const operations = endpoints.filter(({ operation }) => operation !== undefined).map(({ method, path }) => `${method} ${path}`)
      expect(offered.sort()).toEqual([...operations, 'GET /health'].sort())
      expect(operations).toHaveLength(14)
      expect((await call('GET', '/workspace')).etag).toBeNull()
    } finally {
      await started.close()
    }
  })

  test.each<{ without: Capability; header: Record<string, string> }>([
    { without: 'etags', header: { 'if-match': '"0"' } },
    { without: 'idempotency', header: { 'idempotency-key': 'a b' } },
  ])('without $without its header is ignored', async ({ without, header }) => {
    const { call } = await start({ without: [without] })
    await makeEnvironment(call)
    expect((await call('PATCH', devPath, { name: 'E' }, header)).status).toBe(200)
    expect((await call('POST', '/projects', { name: 'B', slug: 'b' }, header)).status).toBe(201)
  })
})
