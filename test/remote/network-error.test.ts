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
    ['refused', fromNode('ECONNREFUSED', { syscall: 'connect' }), 'offline', 'Can’t reach'],
    ['refused on every address', manyAddresses('ECONNREFUSED'), 'offline', 'Can’t reach'],
    ['no route', fromNode('EHOSTUNREACH', { syscall: 'connect' }), 'offline', 'Can’t reach'],
    ['no network', fromNode('ENETUNREACH', { syscall: 'connect' }), 'offline', 'Can’t reach'],
    ['reset while connecting', fromNode('ECONNRESET', { syscall: 'connect' }), 'offline', 'Can’t reach'],
    ['connect timed out in the system', fromNode('ETIMEDOUT', { syscall: 'connect' }), 'offline', 'Can’t reach'],
    ['connect timed out', fromNode('UND_ERR_CONNECT_TIMEOUT'), 'offline', 'Can’t reach'],
    ['unknown name', fromNode('ENOTFOUND', { syscall: 'getaddrinfo' }), 'offline', 'wasn’t found'],
    ['no name server', fromNode('EAI_AGAIN', { syscall: 'getaddrinfo' }), 'offline', 'wasn’t found'],
    ['self-signed', fromNode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'offline', 'certificate .* not trusted'],
    ['self-signed in chain', fromNode('SELF_SIGNED_CERT_IN_CHAIN'), 'offline', 'certificate .* not trusted'],
    ['unknown issuer', fromNode('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'offline', 'certificate .* not trusted'],
    ['no local issuer', fromNode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'offline', 'certificate .* not trusted'],
    ['expired', fromNode('CERT_HAS_EXPIRED'), 'offline', 'certificate .* out of date'],
    ['other name', fromNode('ERR_TLS_CERT_ALTNAME_INVALID'), 'offline', 'certificate .* another name'],
    ['not TLS', fromNode('ERR_SSL_WRONG_VERSION_NUMBER'), 'offline', 'connect securely'],
    ['handshake refused', fromNode('EPROTO', { syscall: 'write' }), 'offline', 'connect securely'],
    ['reset', fromNode('ECONNRESET', { syscall: 'read' }), 'interrupted', 'interrupted'],
    ['host lost midway', fromNode('EHOSTUNREACH', { syscall: 'read' }), 'interrupted', 'interrupted'],
    ['pipe closed', fromNode('EPIPE', { syscall: 'write' }), 'interrupted', 'interrupted'],
    ['other side closed', fromNode('UND_ERR_SOCKET'), 'interrupted', 'interrupted'],
    ['gone silent midway', fromNode('ETIMEDOUT', { syscall: 'read' }), 'timeout', 'in time'],
    ['no headers', fromNode('UND_ERR_HEADERS_TIMEOUT'), 'timeout', 'in time'],
    ['no body', fromNode('UND_ERR_BODY_TIMEOUT'), 'timeout', 'in time'],
    ['headers too large', fromNode('UND_ERR_HEADERS_OVERFLOW'), 'not-a-service', 'HTTP service'],
    [
      'not HTTP',
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { name: 'HTTPParserError' }) }),
      'not-a-service',
      'HTTP service',
    ],
    ['a port nobody may use', new TypeError('fetch failed', { cause: new Error('bad port') }), 'unsafe', 'port'],
    ['Chromium: refused', fromChromium('ERR_CONNECTION_REFUSED'), 'offline', 'Can’t reach'],
    ['Chromium: no network', fromChromium('ERR_INTERNET_DISCONNECTED'), 'offline', 'Can’t reach'],
    ['Chromium: connect timed out', fromChromium('ERR_CONNECTION_TIMED_OUT'), 'offline', 'Can’t reach'],
    ['Chromium: unreachable', fromChromium('ERR_ADDRESS_UNREACHABLE'), 'offline', 'Can’t reach'],
    ['Chromium: unknown name', fromChromium('ERR_NAME_NOT_RESOLVED'), 'offline', 'wasn’t found'],
    ['Chromium: unknown issuer', fromChromium('ERR_CERT_AUTHORITY_INVALID'), 'offline', 'certificate .* not trusted'],
    ['Chromium: expired', fromChromium('ERR_CERT_DATE_INVALID'), 'offline', 'certificate .* out of date'],
    ['Chromium: not TLS', fromChromium('ERR_SSL_PROTOCOL_ERROR'), 'offline', 'connect securely'],
    ['Chromium: proxy', fromChromium('ERR_PROXY_CONNECTION_FAILED'), 'offline', 'proxy'],
    ['Chromium: 407', fromChromium('ERR_UNEXPECTED_PROXY_AUTH'), 'offline', 'proxy'],
    ['Chromium: broken compression', fromChromium('ERR_CONTENT_DECODING_FAILED'), 'not-a-service', 'HTTP service'],
    ['Chromium: broken chunks', fromChromium('ERR_INVALID_CHUNKED_ENCODING'), 'not-a-service', 'HTTP service'],
    ['Chromium: headers too large', fromChromium('ERR_RESPONSE_HEADERS_TOO_BIG'), 'not-a-service', 'HTTP service'],
    ['Chromium: reset', fromChromium('ERR_CONNECTION_RESET'), 'interrupted', 'interrupted'],
    ['Chromium: closed', fromChromium('ERR_CONNECTION_CLOSED'), 'interrupted', 'interrupted'],
    ['Chromium: empty', fromChromium('ERR_EMPTY_RESPONSE'), 'interrupted', 'interrupted'],
    ['Chromium: network changed', fromChromium('ERR_NETWORK_CHANGED'), 'interrupted', 'interrupted'],
    ['Chromium: cut short', fromChromium('ERR_CONTENT_LENGTH_MISMATCH'), 'interrupted', 'interrupted'],
    ['Chromium: timed out', fromChromium('ERR_TIMED_OUT'), 'timeout', 'in time'],
    ['Chromium: not HTTP', fromChromium('ERR_INVALID_HTTP_RESPONSE'), 'not-a-service', 'HTTP service'],
    ['Chromium: unsafe port', fromChromium('ERR_UNSAFE_PORT'), 'unsafe', 'port'],
    ['Electron: redirect', new Error('Redirect was cancelled'), 'redirected', 'another address'],
    ['something never seen', fromNode('E_NEW'), 'interrupted', 'interrupted'],
    ['a string', 'secret', 'interrupted', 'interrupted'],
    ['nothing', undefined, 'interrupted', 'interrupted'],
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
