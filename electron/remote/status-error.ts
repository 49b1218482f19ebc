import { redirected, refusedByProxy, timedOut } from './network-error.ts'
import type { RemoteError } from './remote.ts'

export interface Refusal {
  /** The HTTP status; it is trusted over the `code` of the envelope. */
  status: number
  /** The server's words, see `serverWords`. */
  words: string | null
  retryAfterMs: number | null
  host: string
  /** 410 speaks of a cursor on the change feed, of a record everywhere else. */
  isFeed: boolean
}

/** The error that a status outside 200 to 299 stands for. */
export function statusError({ status, words, retryAfterMs, host, isFeed }: Refusal): RemoteError {
  if (status >= 300 && status < 400) return redirected(host)
  if (status === 407) return refusedByProxy(host)
  if (status === 408) return timedOut(host)
  if (status === 429 || status === 503)
    return { kind: 'busy', outcome: 'none', retryAfterMs, message: sentence(words, `${host} is busy. Holdfast will try again later.`) }
  if (status >= 500 && status < 600)
    return {
      kind: 'server-failed',
      outcome: 'unknown',
      status,
      message: sentence(words, `${host} failed (${status}). Holdfast will try again; if it stays so, tell whoever runs the service.`),
    }
  if (status === 410) return isFeed ? cursorGone : missing(words)
  const known = plain[status]
  if (known !== undefined) return { kind: known.kind, outcome: 'none', message: sentence(words, known.message) }
  if (status >= 400 && status < 500)
    return { kind: 'refused', outcome: 'none', status, message: sentence(words, refusals[status] ?? `${host} refused this (${status}).`) }
  return {
    kind: 'not-a-service',
    outcome: 'unknown',
    message: `${host} answered with the status ${status}, which the service never uses. Check the address.`,
  }
}

const plain: Readonly<Record<number, { kind: 'unauthorized' | 'missing' | 'no-route' | 'taken' | 'stale'; message: string }>> = {
  401: { kind: 'unauthorized', message: 'The server does not accept this API key. Enter a valid one.' },
  404: { kind: 'missing', message: 'The server has no such record. It may have been deleted or renamed there.' },
  405: { kind: 'no-route', message: 'This server does not offer this operation.' },
  409: { kind: 'taken', message: 'The server already has something of this name. Use another name.' },
  412: { kind: 'stale', message: 'This was changed on the server in the meantime. Look at both versions and choose.' },
}

const refusals: Readonly<Record<number, string>> = {
  400: 'The server did not understand this change. Check what it contains.',
  403: 'This API key is not allowed to do this. Use a key with more rights, or ask the owner of the workspace.',
  413: 'This is larger than the server takes. Make it smaller.',
  415: 'The server does not take this kind of data.',
  422: 'The server does not accept what this change contains. Check its name and value.',
}

const missing = (words: string | null): RemoteError => ({
  kind: 'missing',
  outcome: 'none',
  message: sentence(words, 'The server has no such record any more.'),
})

const cursorGone: RemoteError = {
  kind: 'cursor-gone',
  outcome: 'none',
  message: 'The server starts its history anew. Holdfast will read everything again.',
}

/** The server's words lead when there are any, quoted, so that it is clear who speaks. */
const sentence = (words: string | null, own: string): string => (words === null ? own : `${own} The server says: “${words}”`)
