import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failure, startFaultServer, success, type FaultAnswer, type FaultServer } from '../support/fault-server.ts'
import { aRemote, apiKey } from './a-remote.ts'
import { selfSigned } from './self-signed.ts'

const workspace = { id: 'w1', name: 'Acme', slug: 'acme', icon: 'box', createdAt: '2026-01-01T00:00:00Z' }
const retryDate = new Date(Date.UTC(2026, 0, 1, 0, 0, 30)).toUTCString()
const now = () => Date.UTC(2026, 0, 1)

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.forget()
})

/**
 * How long `answer` is waited for, in milliseconds: one that comes, as long as a busy machine may take; one that never ends, briefly,
 * but until its head is read where there is one.
 */
const patience = (answer: FaultAnswer): number => {
  const { nothing, after, drip, status } = answer as Partial<Record<'nothing' | 'after' | 'drip' | 'status', unknown>>
  if (nothing !== 'hang' && after !== 'hang' && drip === undefined) return 60_000
  return status === undefined ? 400 : 3000
}

const ask = (answer: FaultAnswer) => {
  server.answer(answer)
  return aRemote(server.url, { now, timeoutMs: patience(answer), bodyLimitBytes: 100_000 }).getWorkspace()
}

const withBody = (status: number, body: string | Uint8Array, type = 'application/json'): FaultAnswer => ({
  status,
  headers: { 'content-type': type },
  body,
})

describe('a status', () => {
  test.each<[number, Record<string, string>, object]>([
    [300, {}, { kind: 'redirected', outcome: 'none' }],
    [301, { location: '/elsewhere' }, { kind: 'redirected', outcome: 'none' }],
    [302, { location: 'http://127.0.0.1:9/' }, { kind: 'redirected', outcome: 'none' }],
    [304, {}, { kind: 'redirected', outcome: 'none' }],
    [307, { location: '/elsewhere' }, { kind: 'redirected', outcome: 'none' }],
    [308, { location: 'not a url at all:::' }, { kind: 'redirected', outcome: 'none' }],
    [400, {}, { kind: 'refused', outcome: 'none', status: 400 }],
    [401, {}, { kind: 'unauthorized', outcome: 'none' }],
    [402, {}, { kind: 'refused', outcome: 'none', status: 402 }],
    [403, {}, { kind: 'refused', outcome: 'none', status: 403 }],
    [404, {}, { kind: 'missing', outcome: 'none' }],
    [405, {}, { kind: 'no-route', outcome: 'none' }],
    [408, {}, { kind: 'timeout', outcome: 'unknown' }],
    [409, {}, { kind: 'taken', outcome: 'none' }],
    [410, {}, { kind: 'missing', outcome: 'none' }],
    [412, {}, { kind: 'stale', outcome: 'none' }],
    [413, {}, { kind: 'refused', outcome: 'none', status: 413 }],
    [415, {}, { kind: 'refused', outcome: 'none', status: 415 }],
    [418, {}, { kind: 'refused', outcome: 'none', status: 418 }],
    [422, {}, { kind: 'refused', outcome: 'none', status: 422 }],
    [429, {}, { kind: 'busy', outcome: 'none', retryAfterMs: null }],
    [429, { 'retry-after': '7' }, { kind: 'busy', outcome: 'none', retryAfterMs: 7000 }],
    [429, { 'retry-after': retryDate }, { kind: 'busy', outcome: 'none', retryAfterMs: 30_000 }],
    [429, { 'retry-after': '999999999' }, { kind: 'busy', outcome: 'none', retryAfterMs: 3_600_000 }],
    [429, { 'retry-after': 'soon' }, { kind: 'busy', outcome: 'none', retryAfterMs: null }],
    [503, { 'retry-after': '1' }, { kind: 'busy', outcome: 'none', retryAfterMs: 1000 }],
    [500, {}, { kind: 'service-failed', outcome: 'unknown', status: 500 }],
    [501, {}, { kind: 'service-failed', outcome: 'unknown', status: 501 }],
    [502, {}, { kind: 'service-failed', outcome: 'unknown', status: 502 }],
    [504, {}, { kind: 'service-failed', outcome: 'unknown', status: 504 }],
    [599, {}, { kind: 'service-failed', outcome: 'unknown', status: 599 }],
    [600, {}, { kind: 'not-a-service', outcome: 'unknown' }],
    [999, {}, { kind: 'not-a-service', outcome: 'unknown' }],
  ])('%i with %j is told apart, with the words of the service or without', async (status, headers, expected) => {
    const silent = await ask({ status, headers })
    expect(silent).toMatchObject({ ok: false, error: expected })
    const spoken = await ask(failure(status, 'Words of the server.', headers))
    expect(spoken).toMatchObject({ ok: false, error: expected })
    if (!spoken.ok && status !== 401 && status !== 408 && status >= 400 && status < 600)
      expect(spoken.error.message).toContain('Words of the server.')
    if (!silent.ok) expect(silent.error.message).toMatch(/^[^{}<>]{20,}\.$/)
  })

  test('is trusted over the code and the success of the body', async () => {
    expect(await ask(withBody(404, JSON.stringify({ success: true, code: 200, message: 'OK', data: workspace })))).toMatchObject({
      ok: false,
      error: { kind: 'missing' },
    })
    expect(await ask(withBody(200, JSON.stringify({ success: true, code: 503, message: 'OK', data: workspace })))).toMatchObject({
      ok: true,
    })
  })

  test('of 407 is offline where the fetch shows it; Node’s does not, and all that is known is that it failed', async () => {
    const showing: typeof fetch = async () => new Response('', { status: 407 })
    expect(await aRemote(server.url, { fetch: showing }).getWorkspace()).toMatchObject({ error: { kind: 'offline', outcome: 'none' } })
    expect(await ask({ status: 407 })).toMatchObject({ error: { kind: 'interrupted', outcome: 'unknown' } })
  })

  test('of 410 on the change feed speaks of the cursor', async () => {
    server.answer(failure(410, 'Start over.'))
    expect(await aRemote(server.url).changes('old')).toMatchObject({ ok: false, error: { kind: 'cursor-gone', outcome: 'none' } })
  })
})

describe('a body that is not an error of the service', () => {
  test.each<[string, FaultAnswer]>([
    ['nothing', withBody(403, '')],
    ['truncated JSON', withBody(403, '{"success":false,"message":"a')],
    ['an array', withBody(403, '[1,2]')],
    ['null', withBody(403, 'null')],
    ['a wrong shape', withBody(403, '{"message":{"a":1},"error":[]}')],
    ['invalid UTF-8', withBody(403, Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d))],
    ['UTF-16', withBody(403, Buffer.from('{"message":"a"}', 'utf16le'))],
    ['gzip that is none', { status: 403, headers: { 'content-encoding': 'gzip' }, body: 'plain' }],
    ['too much', withBody(403, JSON.stringify({ message: 'x'.repeat(200_000) }))],
    ['a body cut short', { status: 403, body: '{"mess', contentLength: 500, after: 'close' }],
    ['a body reset', { status: 403, body: '{"mess', contentLength: 500, after: 'reset' }],
    ['a body that never ends', { status: 403, body: '{"mess', contentLength: 500, after: 'hang' }],
    ['a drip', { status: 403, body: 'x'.repeat(500), drip: { bytes: 1, everyMs: 20 } }],
  ])('%s costs only the words', async (_name, answer) => {
    expect(await ask(answer)).toEqual({
      ok: false,
      error: {
        kind: 'refused',
        outcome: 'none',
        status: 403,
        message: 'This API key isn’t allowed to do this. Use a key with more permissions, or ask the workspace owner.',
      },
    })
  })

  test('JSON under another content type is read all the same', async () => {
    expect(await ask(withBody(403, '{"message":"No rights."}', 'text/plain'))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('No rights.') },
    })
  })
})

describe('a success that is not the service’s', () => {
  const envelope = (data: unknown) => withBody(200, JSON.stringify({ success: true, code: 200, message: 'OK', data }))
  test.each<[string, FaultAnswer, string]>([
    ['a web page', withBody(200, '<!doctype html><div id="app"></div>', 'text/html'), 'a web page'],
    ['a web page said to be JSON', withBody(200, '\n\n <html>'), 'a web page'],
    ['nothing', withBody(200, ''), 'empty answer'],
    ['blanks', withBody(200, ' \n '), 'empty answer'],
    ['no content', { status: 204 }, 'empty answer'],
    ['truncated JSON', withBody(200, '{"success":true,"data":{"id":"w'), 'isn’t complete JSON'],
    ['plain text', withBody(200, 'OK', 'text/plain'), 'isn’t complete JSON'],
    ['invalid UTF-8', withBody(200, Buffer.from('{"success":true,"data":{"id":"\xff"}}', 'latin1')), 'isn’t complete JSON'],
    ['NaN', withBody(200, '{"success":true,"data":NaN}'), 'isn’t complete JSON'],
    ['a bare record', withBody(200, JSON.stringify(workspace)), 'doesn’t answer like a service'],
    ['an array', withBody(200, '[]'), 'doesn’t answer like a service'],
    ['success as text', withBody(200, '{"success":"true","data":{}}'), 'doesn’t answer like a service'],
    ['success false', failure(200, 'no'), 'contradictory'],
    ['no data', withBody(200, '{"success":true}'), 'without data'],
    ['null data', envelope(null), 'without data'],
    ['data of a wrong type', envelope('w1'), 'missing data'],
    ['no id', envelope({ name: 'Acme' }), '\\(id\\)'],
    ['an empty id', envelope({ id: '', name: 'Acme' }), '\\(id\\)'],
    ['a numeric id', envelope({ id: 1, name: 'Acme' }), '\\(id\\)'],
    ['no name', envelope({ id: 'w1' }), '\\(name\\)'],
    ['a depth that breaks parsers', withBody(200, '['.repeat(50_000) + ']'.repeat(50_000)), 'like a service|isn’t complete JSON'],
    ['too much', envelope({ ...workspace, icon: 'x'.repeat(200_000) }), 'more than'],
    ['a bomb', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(5_000_000, 32)) }, 'more than'],
    ['broken gzip', { headers: { 'content-encoding': 'gzip' }, body: 'plain' }, 'HTTP service'],
    ['no HTTP', { raw: 'SSH-2.0-OpenSSH_9.9\r\n\r\n' }, 'HTTP service'],
    ['endless headers', { raw: `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n` }, 'HTTP service'],
    ['broken chunks', { raw: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n' }, 'HTTP service'],
  ])('%s', async (_name, answer, words) => {
    expect(await ask(answer)).toMatchObject({
      ok: false,
      error: { kind: 'not-a-service', outcome: 'unknown', message: expect.stringMatching(words) },
    })
  })

  test('a compressed one, one with a byte order mark and one with more fields are', async () => {
    const body = JSON.stringify({ success: true, data: { ...workspace, plan: 'gold' }, extra: [] })
    const expected = { id: 'w1', name: 'Acme', slug: 'acme', icon: 'box' }
    expect(await ask({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) })).toEqual({ ok: true, value: expected })
    expect(await ask(withBody(200, '\ufeff' + body, 'text/plain'))).toEqual({ ok: true, value: expected })
  })
})

describe('a connection', () => {
  test.each<[string, FaultAnswer, string]>([
    ['reset before the answer', { nothing: 'reset' }, 'interrupted'],
    ['closed before the answer', { nothing: 'close' }, 'interrupted'],
    ['reset in the middle of the body', { body: '{"success"', contentLength: 100, after: 'reset' }, 'interrupted'],
    ['closed in the middle of the body', { body: '{"success"', contentLength: 100, after: 'close' }, 'interrupted'],
    ['closed in the middle of the headers', { raw: 'HTTP/1.1 200 OK\r\ncontent-le' }, 'interrupted'],
    ['silent', { nothing: 'hang' }, 'timeout'],
    ['silent after the headers', { body: '', contentLength: 100, after: 'hang' }, 'timeout'],
    ['silent in the middle of the body', { body: '{"success"', contentLength: 100, after: 'hang' }, 'timeout'],
    ['slower than the deadline, though never silent', { body: ' '.repeat(1000), drip: { bytes: 1, everyMs: 20 } }, 'timeout'],
  ])('%s leaves the outcome unknown', async (_name, answer, kind) => {
    expect(await ask(answer)).toMatchObject({ ok: false, error: { kind, outcome: 'unknown' } })
  })

  test('to nobody is offline', async () => {
    const gone = await startFaultServer()
    await gone.close()
    expect(await aRemote(gone.url).getWorkspace()).toMatchObject({
      ok: false,
      error: { kind: 'offline', outcome: 'none', message: expect.stringContaining('Can’t reach') },
    })
  })

  test('to a name that does not exist is offline', async () => {
    expect(await aRemote('https://holdfast.invalid').getWorkspace()).toMatchObject({
      ok: false,
      error: { kind: 'offline', outcome: 'none', message: expect.stringContaining('wasn’t found') },
    })
  })

  test('with a certificate nobody trusts sends nothing', async () => {
    let asked = 0
    const secure = createSecureServer(selfSigned, (_request, response) => {
      asked += 1
      response.end()
    })
    secure.listen(0, '127.0.0.1')
    await once(secure, 'listening')
    const result = await aRemote(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`).getWorkspace()
    secure.close()
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'offline', outcome: 'none', message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') },
    })
    expect(asked).toBe(0)
  })

  test('over https to a plain service is offline and says to check the address', async () => {
    const result = await aRemote(server.url.replace('http:', 'https:')).getWorkspace()
    expect(result).toMatchObject({ ok: false, error: { kind: 'offline', message: expect.stringContaining('https://') } })
    expect(server.requests).toEqual([])
  })

  test('is cancelled by the signal: before, while waiting, and while the body comes', async () => {
    const early = AbortSignal.abort()
    expect(await aRemote(server.url, { signal: early }).getWorkspace()).toMatchObject({ ok: false, error: { kind: 'cancelled' } })

    for (const answer of [{ nothing: 'hang' }, { body: '{', contentLength: 9, after: 'hang' }] as const) {
      const controller = new AbortController()
      server.answer(() => {
        setTimeout(() => controller.abort(), 30)
        return answer
      })
      expect(await aRemote(server.url, { signal: controller.signal }).getWorkspace()).toMatchObject({
        ok: false,
        error: { kind: 'cancelled', outcome: 'unknown' },
      })
    }
  })

  test('over a fetch that ignores its signal still ends at the deadline', async () => {
    const deaf: typeof fetch = () => new Promise(() => {})
    expect(await aRemote(server.url, { fetch: deaf, timeoutMs: 50 }).getWorkspace()).toMatchObject({
      ok: false,
      error: { kind: 'timeout' },
    })
    const deafBody: typeof fetch = async () => new Response(new ReadableStream({}))
    expect(await aRemote(server.url, { fetch: deafBody, timeoutMs: 50 }).getWorkspace()).toMatchObject({
      ok: false,
      error: { kind: 'timeout' },
    })
  })

  test('leaves no listener on a signal that lives as long as the app', async () => {
    const controller = new AbortController()
    const counts = { added: 0, removed: 0 }
    const signal = controller.signal
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      counts.added += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      counts.removed += 1
      remove(...args)
    }
    server.answer(success(workspace))
    const remote = aRemote(server.url, { signal })
    for (let run = 0; run < 20; run++) expect((await remote.getWorkspace()).ok).toBe(true)
    expect(counts).toEqual({ added: 20, removed: 20 })
  })
})

describe('the API key', () => {
  test('goes out as a bearer, asked for anew each time', async () => {
    server.answer(success(workspace))
    let count = 0
    const remote = aRemote(server.url, { apiKey: async () => `key-${++count}` })
    await remote.getWorkspace()
    await remote.getWorkspace()
    expect(server.requests.map((request) => request.headers.authorization)).toEqual(['Bearer key-1', 'Bearer key-2'])
    expect(server.requests.map(({ url }) => url)).toEqual(['/workspace', '/workspace'])
  })

  test.each([null, '', 'two words', 'line\nbreak', 'ключ', 'hf_secret\u0000'])('%j is never sent', async (key) => {
    const result = await aRemote(server.url, { apiKey: () => key }).getWorkspace()
    expect(result).toMatchObject({ ok: false, error: { kind: 'unauthorized', outcome: 'none' } })
    if (key !== null && key !== '' && !result.ok) expect(result.error.message).not.toContain(key)
    expect(server.requests).toEqual([])
  })

  test('never follows a redirect, to the same service or another', async () => {
    const other = await startFaultServer()
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of ['/workspace2', `${other.url}/workspace`]) {
        server.forget()
        server.answer({ status, headers: { location } })
        expect(await aRemote(server.url).getWorkspace()).toMatchObject({ ok: false, error: { kind: 'redirected' } })
        expect(server.requests).toHaveLength(1)
      }
    }
    expect(other.requests).toEqual([])
    await other.close()
  })

  test('a refused API key is said once, with the host, without the service’s words for the same', async () => {
    const result = await ask(failure(401, 'This service doesn’t know this API key.'))
    const message = `${new URL(server.url).host} doesn’t accept this API key. It may have expired or been revoked: enter a valid one.`
    expect(result).toMatchObject({ ok: false, error: { kind: 'unauthorized', message } })
  })

  test.each([400, 403, 409, 429, 500])('is cut out of what a service repeats with %i', async (status) => {
    const sealed = 'v1:' + Buffer.from('x'.repeat(40)).toString('base64')
    const result = await ask(failure(status, `Bad key ${apiKey} for ${sealed}`))
    expect(JSON.stringify(result)).not.toContain(apiKey)
    expect(JSON.stringify(result)).not.toContain(sealed)
  })

  test.each(['http://config.example.com', 'no sense', 'https://me:pw@config.example.com'])('never leaves for %s', async (baseUrl) => {
    let called = 0
    const counting: typeof fetch = async () => {
      called += 1
      return new Response()
    }
    expect(await aRemote(baseUrl, { fetch: counting }).getWorkspace()).toMatchObject({
      ok: false,
      error: { kind: 'unsafe', outcome: 'none' },
    })
    expect(called).toBe(0)
  })
})

describe('a base URL with a path', () => {
  test('keeps it before every path', async () => {
    server.answer(success(workspace))
    await aRemote(`${server.url}/team/api/`).getWorkspace()
    expect(server.requests[0]?.url).toBe('/team/api/workspace')
  })
})
