import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Remote } from '../../electron/remote/remote.ts'
import { randomFaults, startFaultProxy, type Fault, type FaultProxy } from '../support/fault-proxy.ts'
import { startFaultServer, success, type FaultServer } from '../support/fault-server.ts'
import { startService, type StartedService } from '../support/start-service.ts'
import { aRemote } from './a-remote.ts'

describe('between the client and a service', () => {
  let upstream: FaultServer
  let proxy: FaultProxy
  let remote: Remote
  beforeAll(async () => {
    upstream = await startFaultServer()
  })
  afterAll(() => upstream.close())
  beforeEach(async () => {
    upstream.forget()
    upstream.answer(success({ id: 'e1', name: 'Production', slug: 'prod', projectId: 'p1' }, { status: 201, headers: { etag: '"1"' } }))
    proxy = await startFaultProxy(upstream.url)
    remote = aRemote(proxy.url, { timeoutMs: 60_000 })
  })
  afterEach(() => proxy.close())

  const create = () => remote.createEnvironment('shop', { name: 'Production', slug: 'prod' }, { idempotencyKey: 'k' })

  test.each<[Fault, string, number]>([
    ['none', 'ok', 1],
    ['drop-before', 'interrupted', 0],
    ['drop-after', 'interrupted', 1],
    ['cut-answer', 'interrupted', 1],
    ['hang-before', 'timeout', 0],
    ['hang-after', 'timeout', 1],
    [{ delayMs: 20 }, 'ok', 1],
    [{ replace: { status: 503, headers: { 'retry-after': '2' } } }, 'busy', 0],
    [{ replace: { status: 200, body: '<html>' } }, 'not-a-service', 0],
    [{ replaceAfter: { status: 502, body: 'Bad Gateway' } }, 'service-failed', 1],
  ])('%j ends as %s, and the service acted %i times', async (fault, kind, reached) => {
    proxy.decide(() => fault)
    // What never comes is waited for briefly, yet until the service has been reached where it is.
    if (kind === 'timeout') remote = aRemote(proxy.url, { timeoutMs: reached === 0 ? 400 : 3000 })
    const result = await create()
    expect(result.ok ? 'ok' : result.error.kind).toBe(kind)
    expect(upstream.requests).toHaveLength(reached)
    // A web page is asked about: whether it is the route that is not there, or the whole service.
    expect(proxy.log[0]).toEqual({ method: 'POST', url: '/projects/shop/environments', index: 0, fault })
    expect(proxy.log.slice(1).every(({ method }) => method === 'GET')).toBe(true)
    if (reached === 1) {
      expect(upstream.requests[0]).toMatchObject({
        method: 'POST',
        url: '/projects/shop/environments',
        body: '{"name":"Production","slug":"prod"}',
        headers: { 'idempotency-key': 'k' },
      })
    }
    if (result.ok) expect(result.value).toEqual({ id: 'e1', name: 'Production', slug: 'prod', projectId: 'p1', etag: '"1"' })
  })

  test('an unplugged network is offline until it is plugged in again, at the same address', async () => {
    await proxy.unplug()
    expect(await create()).toMatchObject({ ok: false, error: { kind: 'offline', outcome: 'none' } })
    await proxy.plugIn()
    expect(await create()).toMatchObject({ ok: true })
    expect(upstream.requests).toHaveLength(1)
  })

  test('an upstream that is gone is a lost connection', async () => {
    const gone = await startFaultServer()
    await gone.close()
    const before = await startFaultProxy(gone.url)
    const result = await aRemote(before.url).getWorkspace()
    expect(result).toMatchObject({ ok: false, error: { kind: 'interrupted' } })
    await before.close()
  })

  test('the same random numbers bring the same faults', () => {
    const faults: Fault[] = ['drop-before', 'drop-after', 'cut-answer']
    const run = () => {
      let state = 7
      const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
      const rule = randomFaults(random, 0.5, faults)
      return Array.from({ length: 200 }, (_, index) => rule({ method: 'GET', url: '/', index }))
    }
    expect(run()).toEqual(run())
    expect(new Set(run())).toEqual(new Set(['none', ...faults]))
  })
})

describe('before the real service', () => {
  let service: StartedService
  let proxy: FaultProxy
  beforeAll(async () => {
    service = await startService()
    proxy = await startFaultProxy(service.url)
  })
  afterAll(async () => {
    await proxy.close()
    await service.close()
  })

  test('a create whose answer was lost is repeated under its key, and is there once', async () => {
    const remote = aRemote(proxy.url, { apiKey: () => service.apiKey })
    proxy.decide(({ index }) => (index === 0 ? 'drop-after' : 'none'))
    const create = () => remote.inviteMember({ email: 'a@example.com', roleId: 'viewer' }, { idempotencyKey: 'once' })
    expect(await create()).toMatchObject({ ok: false, error: { kind: 'interrupted', outcome: 'unknown' } })
    expect(await create()).toMatchObject({ ok: true, value: { email: 'a@example.com' } })
    const listed = await remote.listMembers(null)
    expect(listed.ok && listed.value.items.filter((member) => member.email === 'a@example.com')).toHaveLength(1)
  })
})
