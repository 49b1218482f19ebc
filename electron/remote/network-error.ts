import { Stopped } from './deadline.ts'
import type { RemoteError } from './remote.ts'

/** Thrown by a `fetch` of the application itself when nothing was sent. The message is a sentence for the user. */
export class NotSentError extends Error {}

/**
 * Returns the error for a rejected fetch or a body that broke off. Knows the causes of Node's fetch (system codes, `UND_ERR_*`, OpenSSL's
 * certificate codes) and Chromium's (`net::ERR_*`). `offline` only if the request was certainly not sent; an unknown failure is
 * `interrupted`. Only the text of a NotSentError reaches the message: other texts may quote a header.
 */
export function networkError(thrown: unknown, host: string): RemoteError {
  if (thrown instanceof Stopped) return thrown.reason === 'cancelled' ? cancelled : timedOut(host)
  if (thrown instanceof NotSentError) return offline(thrown.message)
  for (const fact of factsOf(thrown)) {
    const error = errorOf(fact, host)
    if (error !== null) return error
  }
  return interrupted(host)
}

interface Fact {
  code: string
  /** The failure came while connecting, before any byte of the request was sent. */
  connecting: boolean
}

function errorOf({ code, connecting }: Fact, host: string): RemoteError | null {
  if (nameCodes.test(code)) return offline(`${host} wasn’t found. Check the address and your network connection.`)
  if (certificateCodes.test(code)) return offline(certificateSentence(code, host))
  if (secureCodes.test(code))
    return offline(`Couldn’t connect securely to ${host}. Check whether its address starts with https:// or http://.`)
  if (portCodes.test(code))
    return {
      kind: 'unsafe',
      outcome: 'none',
      message: `Web clients block the port of ${host}. Run the service on another port.`,
    }
  if (proxyCodes.test(code)) return refusedByProxy(host)
  if (connecting || unreachedCodes.test(code))
    return offline(`Can’t reach ${host}. Check your network connection and that the service is running.`)
  if (timeoutCodes.test(code)) return timedOut(host)
  if (redirectCodes.test(code)) return redirected(host)
  if (notHttpCodes.test(code))
    return {
      kind: 'not-a-service',
      outcome: 'unknown',
      message: `${host} doesn’t respond like an HTTP service. Check the address.`,
    }
  if (brokenCodes.test(code)) return interrupted(host)
  return null
}

/** Returns the sentence for a certificate that was refused. What the user can do depends on what is wrong with it. */
function certificateSentence(code: string, host: string): string {
  if (/EXPIRED|DATE_INVALID|NOT_YET_VALID/.test(code))
    return `The certificate of ${host} is out of date (${code}), so nothing was sent. Check this computer’s clock. If it’s right, ask the service’s administrator to renew the certificate.`
  if (/ALTNAME|HOSTNAME|COMMON_NAME/.test(code))
    return `The certificate of ${host} is for another name (${code}), so nothing was sent. Check the address.`
  return `The certificate of ${host} is not trusted by this computer (${code}), so nothing was sent. If it belongs to your organization, add its authority to the system’s certificates and restart Holdfast.`
}

const nameCodes = /^(ENOTFOUND|EAI_[A-Z]+|ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED|ERR_ICANN_NAME_COLLISION)$/
const certificateCodes =
  /^((ERR_)?CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|ERROR_IN_CERT_[A-Z_]+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_[A-Z_]+|ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN|ERR_CERTIFICATE_[A-Z_]+)$/
const secureCodes =
  /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PROTOCOL_ERROR|VERSION_OR_CIPHER_MISMATCH|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|SSLV3_ALERT_HANDSHAKE_FAILURE|TLSV1_ALERT_PROTOCOL_VERSION|PACKET_LENGTH_TOO_LONG|OBSOLETE_VERSION|UNRECOGNIZED_NAME_ALERT|TLSV1_UNRECOGNIZED_NAME))$/
const portCodes = /^(BAD_PORT|ERR_UNSAFE_PORT)$/
const proxyCodes =
  /^(PROXY_REFUSED|ERR_UNEXPECTED_PROXY_AUTH|ERR_PROXY_[A-Z_]+|ERR_TUNNEL_CONNECTION_FAILED|ERR_MANDATORY_PROXY_CONFIGURATION_FAILED|ERR_SOCKS_[A-Z_]+)$/
const unreachedCodes =
  /^(ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|ENETDOWN|EADDRNOTAVAIL|ERR_CONNECTION_REFUSED|ERR_CONNECTION_FAILED|ERR_CONNECTION_TIMED_OUT|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE|ERR_ADDRESS_INVALID|ERR_NETWORK_ACCESS_DENIED|ERR_BLOCKED_BY_[A-Z_]+)$/
const timeoutCodes = /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT|ERR_TIMED_OUT)$/
const redirectCodes = /^(REDIRECT|ERR_TOO_MANY_REDIRECTS|ERR_INVALID_REDIRECT|ERR_UNSAFE_REDIRECT)$/
const notHttpCodes =
  /^(HTTP_PARSER|HPE_[A-Z_]+|UND_ERR_HEADERS_OVERFLOW|Z_DATA_ERROR|Z_NEED_DICT|ERR__?ERROR_FORMAT[A-Z_0-9]*|ERR_BROTLI[A-Z_0-9]*|ERR_INVALID_HTTP_RESPONSE|ERR_INVALID_RESPONSE|ERR_INVALID_CHUNKED_ENCODING|ERR_RESPONSE_HEADERS_[A-Z_]+|ERR_CONTENT_DECODING_[A-Z_]+)$/
const brokenCodes = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|ERR_CONNECTION_[A-Z_]+|ERR_EMPTY_RESPONSE|ERR_NETWORK_CHANGED)$/

/** Returns the codes and messages of the error and its causes, outermost first. Their number is bounded: causes may loop. */
function factsOf(thrown: unknown): Fact[] {
  const facts: Fact[] = []
  const waiting: unknown[] = [thrown]
  while (waiting.length > 0 && facts.length < 20) {
    const error = waiting.shift()
    if (typeof error !== 'object' || error === null) continue
    const seen = error as { name?: unknown; code?: unknown; syscall?: unknown; message?: unknown; cause?: unknown; errors?: unknown }
    const message = typeof seen.message === 'string' ? seen.message : ''
    facts.push({
      code: codeOf(typeof seen.code === 'string' ? seen.code : '', typeof seen.name === 'string' ? seen.name : '', message),
      connecting: seen.syscall === 'connect' || seen.syscall === 'getaddrinfo',
    })
    waiting.push(seen.cause)
    // Each address of the host has an error of its own. The first few are enough.
    if (Array.isArray(seen.errors)) waiting.push(...(seen.errors as unknown[]).slice(0, 4))
  }
  return facts
}

function codeOf(code: string, name: string, message: string): string {
  const chromium = /net::(ERR_[A-Z0-9_]+)/.exec(message)
  if (chromium?.[1] !== undefined) return chromium[1]
  // The proxy answered CONNECT with another status than 200. The error's code is the same as for our own abort.
  if (/^Proxy response \(\d+\) !== 200/.test(message)) return 'PROXY_REFUSED'
  if (code !== '') return code
  if (name === 'HTTPParserError') return 'HTTP_PARSER'
  if (message === 'bad port') return 'BAD_PORT'
  if (/^Redirect was cancelled|^unexpected redirect/i.test(message)) return 'REDIRECT'
  return ''
}

/** A 3xx answer, however the fetch at hand shows it. */
export const redirected = (host: string): RemoteError => ({
  kind: 'redirected',
  outcome: 'none',
  message: `${host} redirects to another address. Holdfast never sends an API key to a redirect: enter the final address instead.`,
})

const offline = (message: string): RemoteError => ({ kind: 'offline', outcome: 'none', message })

/** The proxy stopped the request: the server never saw it. */
export const refusedByProxy = (host: string): RemoteError => offline(`The network’s proxy blocks ${host}. Check the proxy settings.`)

const checks = 'Holdfast will check the result and try again.'

const interrupted = (host: string): RemoteError => ({
  kind: 'interrupted',
  outcome: 'unknown',
  message: `The connection to ${host} was interrupted.`,
  next: checks,
})

/** 511: the network lets nothing through before its user signs in. */
export const signInFirst = (host: string): RemoteError =>
  offline(`This network asks you to sign in before it lets you reach ${host}. Open any web page to sign in.`)

/** The deadline passed, or the server says that ours took too long (408). */
export const timedOut = (host: string): RemoteError => ({
  kind: 'timeout',
  outcome: 'unknown',
  message: `${host} didn’t respond in time.`,
  next: checks,
})

const cancelled: RemoteError = {
  kind: 'cancelled',
  outcome: 'unknown',
  message: 'Stopped, because Holdfast is closing or was told to stop.',
}
