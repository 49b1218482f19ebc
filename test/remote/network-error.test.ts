import { describe, expect, test } from 'vitest'
import { networkError } from '../../electron/remote/network-error.ts'

/** The shape of what Node's fetch rejects with. */
const fromNode = (code: string, extra: object = {}) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`Bearer secret ${code}`), { code, ...extra }) })
/** The shape of what Electron's net.fetch rejects with. */
const fromChromium = (code: string) => new Error(`net::${code}`)
const manyAddresses = (code: string) =>
  new TypeError('fetch failed', {
    cause: new AggregateError([
      Object.assign(new Error('one'), { code, syscall: 'connect' }),
      Object.assign(new Error('two'), { code, syscall: 'connect' }),
    ]),
  })

describe('a failure of the network', () => {
  test.each([
    ['refused', fromNode('ECONNREFUSED', { syscall: 'connect' }), 'offline', 'cannot reach'],
    ['refused on every address', manyAddresses('ECONNREFUSED'), 'offline', 'cannot reach'],
    ['no route', fromNode('EHOSTUNREACH', { syscall: 'connect' }), 'offline', 'cannot reach'],
    ['no network', fromNode('ENETUNREACH', { syscall: 'connect' }), 'offline', 'cannot reach'],
    ['reset while connecting', fromNode('ECONNRESET', { syscall: 'connect' }), 'offline', 'cannot reach'],
    ['connect timed out in the system', fromNode('ETIMEDOUT', { syscall: 'connect' }), 'offline', 'cannot reach'],
    ['connect timed out', fromNode('UND_ERR_CONNECT_TIMEOUT'), 'offline', 'cannot reach'],
    ['unknown name', fromNode('ENOTFOUND', { syscall: 'getaddrinfo' }), 'offline', 'name .* was not found'],
    ['no name server', fromNode('EAI_AGAIN', { syscall: 'getaddrinfo' }), 'offline', 'name .* was not found'],
    ['self-signed', fromNode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'offline', 'certificate .* not trusted'],
    ['self-signed in chain', fromNode('SELF_SIGNED_CERT_IN_CHAIN'), 'offline', 'certificate .* not trusted'],
    ['unknown issuer', fromNode('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'offline', 'certificate .* not trusted'],
    ['no local issuer', fromNode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'offline', 'certificate .* not trusted'],
    ['expired', fromNode('CERT_HAS_EXPIRED'), 'offline', 'certificate .* out of date'],
    ['other name', fromNode('ERR_TLS_CERT_ALTNAME_INVALID'), 'offline', 'certificate .* another name'],
    ['not TLS', fromNode('ERR_SSL_WRONG_VERSION_NUMBER'), 'offline', 'secure connection'],
    ['handshake refused', fromNode('EPROTO', { syscall: 'write' }), 'offline', 'secure connection'],
    ['reset', fromNode('ECONNRESET', { syscall: 'read' }), 'interrupted', 'broke off'],
    ['host lost midway', fromNode('EHOSTUNREACH', { syscall: 'read' }), 'interrupted', 'broke off'],
    ['pipe closed', fromNode('EPIPE', { syscall: 'write' }), 'interrupted', 'broke off'],
    ['other side closed', fromNode('UND_ERR_SOCKET'), 'interrupted', 'broke off'],
    ['gone silent midway', fromNode('ETIMEDOUT', { syscall: 'read' }), 'timeout', 'in time'],
    ['no headers', fromNode('UND_ERR_HEADERS_TIMEOUT'), 'timeout', 'in time'],
    ['no body', fromNode('UND_ERR_BODY_TIMEOUT'), 'timeout', 'in time'],
    ['headers too large', fromNode('UND_ERR_HEADERS_OVERFLOW'), 'not-a-service', 'another language'],
    [
      'not HTTP',
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { name: 'HTTPParserError' }) }),
      'not-a-service',
      'another language',
    ],
    ['a port nobody may use', new TypeError('fetch failed', { cause: new Error('bad port') }), 'unsafe', 'port'],
    ['Chromium: refused', fromChromium('ERR_CONNECTION_REFUSED'), 'offline', 'cannot reach'],
    ['Chromium: no network', fromChromium('ERR_INTERNET_DISCONNECTED'), 'offline', 'cannot reach'],
    ['Chromium: connect timed out', fromChromium('ERR_CONNECTION_TIMED_OUT'), 'offline', 'cannot reach'],
    ['Chromium: unreachable', fromChromium('ERR_ADDRESS_UNREACHABLE'), 'offline', 'cannot reach'],
    ['Chromium: unknown name', fromChromium('ERR_NAME_NOT_RESOLVED'), 'offline', 'name .* was not found'],
    ['Chromium: unknown issuer', fromChromium('ERR_CERT_AUTHORITY_INVALID'), 'offline', 'certificate .* not trusted'],
    ['Chromium: expired', fromChromium('ERR_CERT_DATE_INVALID'), 'offline', 'certificate .* out of date'],
    ['Chromium: not TLS', fromChromium('ERR_SSL_PROTOCOL_ERROR'), 'offline', 'secure connection'],
    ['Chromium: proxy', fromChromium('ERR_PROXY_CONNECTION_FAILED'), 'offline', 'proxy'],
    ['Chromium: 407', fromChromium('ERR_UNEXPECTED_PROXY_AUTH'), 'offline', 'proxy'],
    ['Chromium: broken compression', fromChromium('ERR_CONTENT_DECODING_FAILED'), 'not-a-service', 'another language'],
    ['Chromium: broken chunks', fromChromium('ERR_INVALID_CHUNKED_ENCODING'), 'not-a-service', 'another language'],
    ['Chromium: headers too large', fromChromium('ERR_RESPONSE_HEADERS_TOO_BIG'), 'not-a-service', 'another language'],
    ['Chromium: reset', fromChromium('ERR_CONNECTION_RESET'), 'interrupted', 'broke off'],
    ['Chromium: closed', fromChromium('ERR_CONNECTION_CLOSED'), 'interrupted', 'broke off'],
    ['Chromium: empty', fromChromium('ERR_EMPTY_RESPONSE'), 'interrupted', 'broke off'],
    ['Chromium: network changed', fromChromium('ERR_NETWORK_CHANGED'), 'interrupted', 'broke off'],
    ['Chromium: cut short', fromChromium('ERR_CONTENT_LENGTH_MISMATCH'), 'interrupted', 'broke off'],
    ['Chromium: timed out', fromChromium('ERR_TIMED_OUT'), 'timeout', 'in time'],
    ['Chromium: not HTTP', fromChromium('ERR_INVALID_HTTP_RESPONSE'), 'not-a-service', 'another language'],
    ['Chromium: unsafe port', fromChromium('ERR_UNSAFE_PORT'), 'unsafe', 'port'],
    ['Electron: redirect', new Error('Redirect was cancelled'), 'redirected', 'another address'],
    ['something never seen', fromNode('E_NEW'), 'interrupted', 'broke off'],
    ['a string', 'secret', 'interrupted', 'broke off'],
    ['nothing', undefined, 'interrupted', 'broke off'],
  ])('%s', (_name, thrown, kind, words) => {
    const error = networkError(thrown, 'config.example.com')
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) })
    expect(error.message).not.toContain('secret')
  })

  test('with causes in a circle still ends', () => {
    const error = new Error('round')
    error.cause = error
    expect(networkError(error, 'h').kind).toBe('interrupted')
  })
})
