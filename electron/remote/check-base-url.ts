import { err, ok, type Result } from '../bridge/result.ts'

/** The user can allow an `insecure-url` (`allowInsecure`). An `invalid-url` needs another address. */
export type BaseUrlError = { kind: 'invalid-url' | 'insecure-url'; message: string }

/**
 * Checks the address of a service as a person typed it. Returns its normal form: without a trailing slash, with its path prefix. An address
 * without a scheme gets https://, on loopback http://. Plain http is accepted on loopback, or if `allowInsecure` is set.
 */
export function checkBaseUrl(text: string, options: { allowInsecure?: boolean | undefined } = {}): Result<string, BaseUrlError> {
  const typed = text.trim()
  if (typed === '') return invalid('The address is empty. Enter one such as https://config.example.com.')
  const trimmed = completed(typed)
  // URL parsers drop tabs and line breaks without an error: the address used would not be the one that the user sees.
  if (/[\s\p{Cc}]/u.test(trimmed)) return invalid('The address contains a space or an invisible character. Remove it and try again.')
  if (trimmed.includes('\\')) return invalid('The address contains a backslash. Use "/" instead.')
  if (!URL.canParse(trimmed)) return invalid('Enter a valid web address, such as https://config.example.com.')
  const url = new URL(trimmed)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || !/^https?:\/\//i.test(trimmed))
    return invalid('The address must begin with https:// (or http:// for a service on this computer).')
  if (url.username !== '' || url.password !== '')
    return invalid('The address contains a user name or password. Remove it; enter the API key in its own field.')
  if (/[?#]/.test(trimmed)) return invalid('The address contains "?" or "#". Remove it and everything after it.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && options.allowInsecure !== true)
    return err({
      kind: 'insecure-url',
      message: `The connection to ${url.host} wouldn’t be encrypted, so anyone on the network could read the API key. Use https://, or confirm below.`,
    })
  return ok(url.origin + url.pathname.replace(/\/+$/, ''))
}

/** Adds a scheme to an address without one. Such an address is a host, perhaps with a port and a path. */
function completed(text: string): string {
  if (/^([a-z][a-z0-9+.-]*:)?\/|^\\/i.test(text)) return text
  const isLocal = URL.canParse(`http://${text}`) && isLoopback(new URL(`http://${text}`).hostname)
  return `${isLocal ? 'http' : 'https'}://${text}`
}

const invalid = (message: string) => err<BaseUrlError>({ kind: 'invalid-url', message })

/**
 * Returns whether a host name, in the form of `URL.hostname`, can only be this computer. Names under `.localhost` do not count: system
 * resolvers may ask a name server for them.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
