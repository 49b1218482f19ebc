import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** Services of the specification with the largest and most laborious change feeds that a client reads. Each is at a path of its own. */

const megabyte = 1024 * 1024
const at = '2026-01-01T00:00:00Z'
const project = { id: 'p', name: 'P', slug: 'p' }
const environment = { id: 'e', name: 'E', slug: 'e', projectId: 'p' }
const item = (resource: string, record: { id: string; [field: string]: unknown }) => ({ resource, id: record.id, deleted: false, record })
const places = [item('project', project), item('environment', environment)]
const variable = (index: number, more: object = {}) =>
  item('variable', {
    id: `id-${index}`,
    name: `N${index}`,
    value: 'v1:AAAA',
    type: 'string',
    environmentId: 'e',
    etag: `"${index}"`,
    updatedAt: at,
    ...more,
  })
const many = (count: number, more: (index: number) => object = () => ({})) => [
  ...places,
  ...Array.from({ length: count }, (_, index) => variable(index, more(index))),
]
const page = (items: unknown) => ({ items, nextCursor: 'end', more: false, permissions: [], memberId: 'm' })
const version = {
  id: 'v',
  label: 'v1',
  note: '',
  variableCount: 9000,
  environmentId: 'e',
  createdAt: at,
  variables: Array.from({ length: 9000 }, (_, index) => ({ name: `N${index}`, value: 'v1:AAAA' })),
}

const feeds: Record<string, () => string> = {
  'names of 255 characters, 100,000': () => body(page(many(100_000, (index) => ({ name: `${index}`.padStart(255, 'N') })))),
  'values of 1.25 MiB, 45': () => body(page(many(45, () => ({ value: `v1:${'A'.repeat(1.25 * megabyte - 16)}` })))),
  'values of 64 kB, 900': () => body(page(many(900, () => ({ value: `v1:${'A'.repeat(65_536)}` })))),
  'unknown records, 500,000': () =>
    body(page(Array.from({ length: 500_000 }, (_, index) => ({ resource: 'x', id: `${index}`, deleted: true })))),
  'deletions of nothing, 500,000': () =>
    body(page(Array.from({ length: 500_000 }, (_, index) => ({ resource: 'variable', id: `${index}`, deleted: true })))),
  'a version of 9,000 variables': () => body(page([...places, item('version', version)])),
  'nested lists, 60 MB': () => '['.repeat(30 * megabyte) + ']'.repeat(30 * megabyte),
}
const body = (data: unknown): string => JSON.stringify({ success: true, code: 200, message: '', data })

const names = Object.keys(feeds)
const made = new Map<string, string>()
const server = createServer((request, response) => {
  const [, index = '', ...path] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  const name = names[Number(index)] ?? ''
  const isFeed = path.join('/') === 'changes'
  const text = isFeed ? (made.get(name) ?? feeds[name]?.()) : undefined
  if (text !== undefined) made.set(name, text)
  const known = path.join('/') === 'workspace' ? body({ id: 'w', name: 'W', slug: 'w' }) : text
  response.statusCode = known === undefined ? 404 : 200
  response.setHeader('content-type', 'application/json')
  response.end(known ?? JSON.stringify({ success: false, code: 404, message: 'Not here.', data: {} }))
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage({ port: (server.address() as AddressInfo).port, names }))
