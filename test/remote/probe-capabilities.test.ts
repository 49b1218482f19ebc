import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nothingKnown, type Capabilities } from '../../electron/remote/capabilities.ts'
import { describeLimits } from '../../electron/remote/describe-limits.ts'
import { isRouteAbsent } from '../../electron/remote/is-route-absent.ts'
import { learn } from '../../electron/remote/learn.ts'
import { probeCapabilities } from '../../electron/remote/probe-capabilities.ts'
import type { RemoteError } from '../../electron/remote/remote.ts'
import { failure, startFaultServer, success, type FaultAnswer, type FaultServer } from '../support/fault-server.ts'
import { aRemote } from './a-remote.ts'

const project = { id: 'p1', name: 'Shop', slug: 'shop' }
const environment = { id: 'e1', name: 'Production', slug: 'prod', projectId: 'p1' }
const etag = { headers: { etag: '"1"' } }
const page = (...items: unknown[]): FaultAnswer => success({ items, nextCursor: null })
const html: FaultAnswer = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><div id="app"></div>' }

/** A server with everything, by path. */
const full: Record<string, FaultAnswer> = {
  '/workspace': success({ id: 'w1', name: 'Acme' }),
  '/projects': page(project),
  '/projects/shop': success(project, etag),
  '/projects/shop/environments': page(environment),
  '/projects/shop/environments/prod': success(environment, etag),
  '/projects/shop/environments/prod/variables': page(),
  '/projects/shop/environments/prod/versions': page(),
  '/changes': failure(410, 'Unknown cursor.'),
  '/members': page(),
}
const everything: Capabilities = {
  lists: 'offered',
  creates: 'unknown',
  changes: 'offered',
  etags: 'offered',
  versions: 'offered',
  members: 'offered',
}
const place = { project: 'shop', environment: 'prod' }

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.forget()
})

const probe = (changed: Record<string, FaultAnswer> = {}, at: typeof place | null = place) => {
  const routes = { ...full, ...changed }
  server.answer(({ url }) => routes[url.split('?')[0] ?? ''] ?? failure(404, 'There is nothing at this address.'))
  const hangs = Object.values(changed).some((answer) => 'nothing' in answer && answer.nothing === 'hang')
  return probeCapabilities(aRemote(server.url, { timeoutMs: hangs ? 500 : 60_000 }), at)
}

describe('a probe', () => {
  test('takes nine requests, and none that could change anything', async () => {
    expect(await probe()).toEqual({ ok: true, value: everything })
    expect(server.requests).toHaveLength(9)
    expect(server.requests.every((request) => request.method === 'GET' && request.body === '')).toBe(true)
  })

  test.each<[string, Record<string, FaultAnswer>, Partial<Capabilities>]>([
    ['404 on the list of projects', { '/projects': failure(404, 'x') }, { lists: 'absent' }],
    ['405 on the list of projects', { '/projects': failure(405, 'x') }, { lists: 'absent' }],
    ['404 on the list of environments', { '/projects/shop/environments': failure(404, 'x') }, { lists: 'absent' }],
    ['405 on the list of variables', { '/projects/shop/environments/prod/variables': failure(405, 'x') }, { lists: 'absent' }],
    ['404 on the list of versions', { '/projects/shop/environments/prod/versions': failure(404, 'x') }, { versions: 'absent' }],
    ['404 on members', { '/members': failure(404, 'x') }, { members: 'absent' }],
    ['403 on members', { '/members': failure(403, 'x') }, { members: 'offered' }],
    ['500 on members', { '/members': failure(500, 'x') }, { members: 'unknown' }],
    ['404 on changes', { '/changes': failure(404, 'x') }, { changes: 'absent' }],
    ['400 for the cursor', { '/changes': failure(400, 'x') }, { changes: 'offered' }],
    ['a page for any cursor', { '/changes': success({ items: [], nextCursor: 'a', more: true }) }, { changes: 'offered' }],
    [
      'a web page for every unknown address',
      { '/changes': html, '/members': html, '/projects': html },
      { changes: 'absent', members: 'absent', lists: 'absent' },
    ],
    [
      'no ETag header',
      { '/projects/shop': success(project), '/projects/shop/environments/prod': success(environment) },
      { etags: 'absent' },
    ],
    [
      'etags beside records only',
      {
        '/projects': page({ ...project, etag: '"1"' }),
        '/projects/shop': success({ ...project, etag: '"1"' }),
        '/projects/shop/environments/prod': success(environment),
      },
      { etags: 'absent' },
    ],
    ['no such environment', { '/projects/shop/environments/prod': failure(404, 'x') }, { versions: 'unknown' }],
    ['no such project', { '/projects/shop': failure(404, 'x') }, { versions: 'unknown', etags: 'unknown' }],
    ['a bare list', { '/projects': success([project]) }, {}],
  ])('that meets %s', async (_name, changed, expected) => {
    expect(await probe(changed)).toEqual({ ok: true, value: { ...everything, ...expected } })
  })

  test.each<[string, Record<string, FaultAnswer>, Partial<Capabilities>]>([
    ['takes the first project and environment listed', {}, {}],
    ['leaves unknown what an empty workspace cannot show', { '/projects': page() }, { versions: 'unknown', etags: 'unknown' }],
    ['leaves unknown what an empty project cannot show', { '/projects/shop/environments': page() }, { versions: 'unknown' }],
    [
      'leaves unknown what no list leads to',
      { '/projects': failure(404, 'x') },
      { lists: 'absent', versions: 'unknown', etags: 'unknown' },
    ],
  ])('without a known place %s', async (_name, changed, expected) => {
    expect(await probe(changed, null)).toEqual({ ok: true, value: { ...everything, ...expected } })
  })

  test.each<[string, Record<string, FaultAnswer>, RemoteError['kind']]>([
    ['the workspace is a web page', { '/workspace': html }, 'not-a-service'],
    ['there is no workspace', { '/workspace': failure(404, 'x') }, 'missing'],
    ['the key is refused', { '/workspace': failure(401, 'x') }, 'unauthorized'],
    ['the key is revoked midway', { '/members': failure(401, 'x') }, 'unauthorized'],
    ['the server is busy midway', { '/projects/shop/environments': failure(429, 'x') }, 'busy'],
    ['the connection breaks midway', { '/projects/shop/environments/prod/versions': { nothing: 'reset' } }, 'interrupted'],
    ['it takes too long midway', { '/changes': { nothing: 'hang' } }, 'timeout'],
    ['the place breaks off', { '/projects/shop': { nothing: 'close' } }, 'interrupted'],
    ['the place moved', { '/projects/shop/environments/prod': { status: 302 } }, 'redirected'],
  ])('fails when %s, and claims nothing', async (_name, changed, kind) => {
    expect(await probe(changed)).toMatchObject({ ok: false, error: { kind } })
  })
})

describe('what one answer teaches', () => {
  const failed = (error: object) => ({ ok: false as const, error: { outcome: 'none', message: 'x', ...error } as RemoteError })
  test.each([
    ['success', { ok: true as const, value: null }, true, 'offered'],
    ['405', failed({ kind: 'no-route' }), false, 'absent'],
    ['404 under a parent that exists', failed({ kind: 'missing' }), true, 'absent'],
    ['404 under a parent that may be gone', failed({ kind: 'missing' }), false, 'unknown'],
    ['422', failed({ kind: 'refused', status: 422 }), true, 'offered'],
    ['409', failed({ kind: 'taken' }), true, 'offered'],
    ['412', failed({ kind: 'stale' }), true, 'offered'],
    ['offline', failed({ kind: 'offline' }), true, 'unknown'],
    ['500', failed({ kind: 'server-failed', status: 500 }), true, 'unknown'],
    ['401', failed({ kind: 'unauthorized' }), true, 'unknown'],
  ])('%s', (_name, result, parentExists, expected) => {
    expect(learn(nothingKnown, 'creates', result, parentExists)).toEqual({ ...nothingKnown, creates: expected })
    if (!result.ok) expect(isRouteAbsent(result.error, parentExists)).toBe(expected === 'absent')
  })

  test('replaces what was thought before', () => {
    const before: Capabilities = { ...everything, creates: 'absent' }
    expect(learn(before, 'creates', { ok: true, value: null }, true).creates).toBe('offered')
    expect(learn(before, 'creates', failed({ kind: 'offline' }), true).creates).toBe('absent')
  })
})

test('every limit is a sentence, and what is unknown is none', () => {
  const absent = Object.fromEntries(Object.keys(nothingKnown).map((name) => [name, 'absent'])) as unknown as Capabilities
  const sentences = describeLimits(absent)
  expect(new Set(sentences).size).toBe(6)
  for (const sentence of sentences) expect(sentence).toMatch(/^This server .*\.$/)
  expect(describeLimits(nothingKnown)).toEqual([])
})
