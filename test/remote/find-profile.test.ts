import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Remote, RemoteError, RemoteResult } from '../../electron/remote/remote.ts'
import { failure, startFaultServer, success, type FaultAnswer, type FaultServer } from '../support/fault-server.ts'
import { startStrictService } from '../support/strict-service.ts'
import { everyStrictRow, strictOptions } from '../support/strict-rows.ts'
import { aRemote, apiKey } from './a-remote.ts'

const workspace = success({ id: 'w1', name: 'Acme' })
const project = { id: 'p1', name: 'Shop', slug: 'shop' }
const page = (...items: unknown[]): FaultAnswer => success({ items, nextCursor: null })
const feed = success({ items: [], nextCursor: 'a', more: false })
const html: FaultAnswer = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><div id="app"></div>' }
const basic = { '/workspace': workspace, '/changes': failure(404, 'x') }
const full = { '/workspace': workspace, '/changes': feed }

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(() => server.forget())

/** A client of a service with these answers by path; everything else is a 404. `later`: answers that the test gives after them. */
function remoteAt(routes: Record<string, FaultAnswer>, later: FaultAnswer[] = []): Remote {
  server.answer(({ url }) => routes[url.split('?')[0] ?? ''] ?? failure(404, 'There is nothing at this address.'))
  const hangs = [...Object.values(routes), ...later].some((answer) => 'nothing' in answer && answer.nothing === 'hang')
  return aRemote(server.url, { timeoutMs: hangs ? 500 : 60_000 })
}

const kindOf = async (result: RemoteResult<unknown>): Promise<RemoteError['kind'] | 'ok'> => {
  const answer = await result
  return answer.ok ? 'ok' : answer.error.kind
}

const value = 'v1:AAAA'

/** Every operation outside the 14. */
const extensions: [string, (remote: Remote) => RemoteResult<unknown>][] = [
  ['listProjects', (r) => r.listProjects(null)],
  ['listEnvironments', (r) => r.listEnvironments('shop', null)],
  ['listVariables', (r) => r.listVariables('shop', 'prod', null)],
  ['listVersions', (r) => r.listVersions('shop', 'prod', null)],
  ['listMembers', (r) => r.listMembers(null)],
  ['listRoles', (r) => r.listRoles(null)],
  ['changes', (r) => r.changes(null)],
  ['changes with a cursor', (r) => r.changes('c')],
  ['pushChanges', (r) => r.pushChanges([{ op: 'delete', resource: 'variable', id: 'v' }])],
  ['getRecord', (r) => r.getRecord('variable', 'v/1')],
]

/** Operations of the 14 on records that are not there. */
const operations: [string, (remote: Remote) => RemoteResult<unknown>][] = [
  ['getProject', (r) => r.getProject('none')],
  ['deleteProject', (r) => r.deleteProject('none', {})],
  ['createEnvironment', (r) => r.createEnvironment('none', { name: 'A', slug: 'a' }, {})],
  ['getEnvironment', (r) => r.getEnvironment('none', 'none')],
  ['updateEnvironment', (r) => r.updateEnvironment('none', 'none', { name: 'A' }, {})],
  ['getVariable', (r) => r.getVariable('none', 'none', 'A')],
  ['deleteVariable', (r) => r.deleteVariable('none', 'none', 'A', {})],
  ['deleteVariables', (r) => r.deleteVariables('none', 'none', ['A'])],
  ['updateVariable', (r) => r.updateVariable('var/1', { value }, {})],
  ['getVersion', (r) => r.getVersion('ver/1')],
  ['rollback', (r) => r.rollback('ver/1', {})],
  ['removeMember', (r) => r.removeMember('mem/1')],
]

describe.each(everyStrictRow)('where unknown routes answer $unknownRoute, with $errorBody errors', (row) => {
  test('no extension is offered, and each of the 14 operations keeps its meaning', async () => {
    const service = await startStrictService(strictOptions(row, new Uint8Array(32)))
    try {
      const remote = aRemote(service.url, { apiKey: () => service.apiKey })
      for (const [name, ask] of extensions) expect([name, await kindOf(ask(remote))]).toEqual([name, 'no-route'])
      for (const [name, ask] of operations) expect([name, await kindOf(ask(remote))]).toEqual([name, 'missing'])
      expect(await kindOf(remote.inviteMember({ email: 'nobody', roleId: 'r' }, {}))).toBe('refused')
      expect(remote.profile()).toMatchObject({ kind: 'basic', lists: [] })
      const stranger = aRemote(service.url, { apiKey: () => apiKey })
      for (const [name, ask] of extensions) expect([name, await kindOf(ask(stranger))]).toEqual([name, 'unauthorized'])
      expect(stranger.profile()).toBeNull()
    } finally {
      await service.close()
    }
  })
})

describe('a list', () => {
  test.each<[string, FaultAnswer, RemoteError['kind'] | 'ok', RemoteError['kind'] | 'ok']>([
    ['400', failure(400, 'x'), 'no-route', 'refused'],
    ['403', failure(403, 'x'), 'no-route', 'refused'],
    ['404', failure(404, 'x'), 'no-route', 'missing'],
    ['405', failure(405, 'x'), 'no-route', 'no-route'],
    ['406', failure(406, 'x'), 'no-route', 'refused'],
    ['410', failure(410, 'x'), 'no-route', 'missing'],
    ['501', failure(501, 'x'), 'no-route', 'service-failed'],
    ['a web page', html, 'no-route', 'not-a-service'],
    ['nothing at all', { status: 204, headers: {}, body: '' }, 'no-route', 'not-a-service'],
    ['another envelope', { headers: {}, body: '[]' }, 'no-route', 'not-a-service'],
    ['a redirect', { status: 302, headers: { location: '/login' }, body: '' }, 'no-route', 'redirected'],
    ['a bare array', success([project]), 'ok', 'ok'],
    ['401', failure(401, 'x'), 'unauthorized', 'unauthorized'],
    ['409', failure(409, 'x'), 'taken', 'taken'],
    ['422', failure(422, 'x'), 'refused', 'refused'],
    ['429', failure(429, 'x'), 'busy', 'busy'],
    ['500', failure(500, 'x'), 'service-failed', 'service-failed'],
    ['503', failure(503, 'x'), 'busy', 'busy'],
    ['a connection that breaks', { nothing: 'reset' }, 'interrupted', 'interrupted'],
  ])('that answers with %s', async (_name, answer, onBasic, onFull) => {
    expect(await kindOf(remoteAt({ ...basic, '/projects': answer }).listProjects(null))).toBe(onBasic)
    expect(await kindOf(remoteAt({ ...full, '/projects': answer }).listProjects(null))).toBe(onFull)
  })

  test('that has answered rightly before keeps its errors on a basic service too', async () => {
    const routes: Record<string, FaultAnswer> = { ...basic, '/projects/shop/environments': page() }
    const remote = remoteAt(routes)
    expect(await kindOf(remote.listEnvironments('shop', null))).toBe('ok')
    expect(await kindOf(remote.listEnvironments('nowhere', null))).toBe('missing')
    expect(await kindOf(remote.changes(null))).toBe('no-route')
    expect(remote.profile()).toMatchObject({ kind: 'basic', lists: ['environments'] })
  })
})

describe('the profile', () => {
  test('is not made of what a sign-in page of the network says', async () => {
    const remote = remoteAt({ '/workspace': html, '/changes': html, '/projects': html })
    expect(await kindOf(remote.changes(null))).toBe('not-a-service')
    expect(await kindOf(remote.listProjects(null))).toBe('not-a-service')
    expect(remote.profile()).toBeNull()
  })

  const troubles: [string, FaultAnswer, RemoteError['kind']][] = [
    ['the key is refused', failure(401, 'x'), 'unauthorized'],
    ['the service is busy', failure(429, 'x'), 'busy'],
    ['the connection breaks', { nothing: 'reset' }, 'interrupted'],
    ['it takes too long', { nothing: 'hang' }, 'timeout'],
  ]

  test.each(troubles)('stays unknown, and a list that isn’t there too, while %s at the feed', async (_name, answer, expected) => {
    const remote = remoteAt({ ...basic, '/changes': answer })
    expect(await kindOf(remote.listMembers(null))).toBe(expected)
    expect(remote.profile()).toBeNull()
  })

  test.each(troubles)('says nothing of a list while %s at the workspace: nothing in it counts as gone', async (_name, answer, expected) => {
    const remote = remoteAt(basic, [answer])
    await remote.changes(null)
    server.forget()
    server.answer(({ url }) => (url.startsWith('/workspace') ? answer : failure(404, 'x')))
    expect(await kindOf(remote.listProjects(null))).toBe(expected)
    server.answer(({ url }) => (url.startsWith('/workspace') ? workspace : failure(404, 'x')))
    expect(await kindOf(remote.listProjects(null))).toBe('no-route')
  })

  test('is asked for once, and not by what succeeds', async () => {
    const remote = remoteAt({ ...full, '/projects': page(project) })
    await remote.listProjects(null)
    expect(server.requests).toHaveLength(1)
    await remote.listMembers(null)
    await remote.listRoles(null)
    expect(server.requests.filter(({ url }) => url.startsWith('/changes'))).toHaveLength(1)
    expect(remote.profile()).toMatchObject({ kind: 'full', missing: [] })
  })

  test('follows a service that loses its feed, or gets one', async () => {
    const routes: Record<string, FaultAnswer> = { ...full, '/members': page() }
    const remote = remoteAt(routes)
    await remote.changes(null)
    await remote.listMembers(null)
    routes['/changes'] = html
    routes['/members'] = html
    expect(await kindOf(remote.changes('a'))).toBe('no-route')
    expect(await kindOf(remote.listMembers(null))).toBe('no-route')
    expect(remote.profile()).toMatchObject({ kind: 'basic', lists: [] })
    routes['/changes'] = feed
    expect(await kindOf(remote.changes(null))).toBe('ok')
    expect(remote.profile()).toMatchObject({ kind: 'full', missing: [] })
  })

  test('tells a cursor of another epoch from a feed that is not there', async () => {
    const remote = remoteAt({ ...full, '/changes': failure(410, 'x') })
    expect(await kindOf(remote.changes('old'))).toBe('cursor-gone')
    expect(await kindOf(remote.changes(null))).toBe('no-route')
  })

  test('says each thing that is missing in a sentence of its own', async () => {
    const remote = remoteAt(basic)
    for (const [, ask] of extensions) await ask(remote)
    const missing = remote.profile()?.missing ?? []
    expect(new Set(missing).size).toBe(6)
    for (const sentence of missing) expect(sentence).toMatch(/^This service .*\.$/)
  })
})
