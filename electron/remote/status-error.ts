import { redirected, refusedByProxy, signInFirst, timedOut } from './network-error.ts'
import { notAService } from './not-a-service.ts'
import type { RemoteError } from './remote.ts'

export interface Refusal {
  /** The HTTP status. It counts, not the `code` of the envelope. */
  status: number
  /** The service's words, see `serviceWords`. */
  words: string | null
  retryAfterMs: number | null
  host: string
  /** 410 is about the cursor on the change feed, and about a record everywhere else. */
  isFeed: boolean
  /** Whether the service rejects the cursor only because it has forgotten deletions after it. */
  isPruned: boolean
}

/** The error for a status outside 200 to 299. */
export function statusError({ status, words, retryAfterMs, host, isFeed, isPruned }: Refusal): RemoteError {
  if (status >= 300 && status < 400) return redirected(host)
  if (status === 511) return signInFirst(host)
  // The service's message for this status only repeats ours.
  if (status === 401)
    return {
      kind: 'unauthorized',
      outcome: 'none',
      message: `${host} doesn’t accept this API key. It may have expired or been revoked: enter a valid one.`,
    }
  if (status === 407) return refusedByProxy(host)
  if (status === 408) return timedOut(host)
  if (status === 429 || status === 503)
    return {
      kind: 'busy',
      outcome: 'none',
      retryAfterMs,
      message: sentence(words, `${host} is busy.`),
      next: 'Holdfast will try again later.',
    }
  if (status >= 500 && status < 600)
    return {
      kind: 'service-failed',
      outcome: 'unknown',
      status,
      message: sentence(words, `${host} failed (${status}).`),
      next: 'Holdfast will try again. If it keeps failing, tell the service’s administrator.',
    }
  if (status === 410) return isFeed ? cursorGone(isPruned) : missing(words)
  const known = plain[status]
  if (known !== undefined) return { kind: known.kind, outcome: 'none', message: sentence(words, known.message) }
  if (status >= 400 && status < 500)
    return { kind: 'refused', outcome: 'none', status, message: sentence(words, refusals[status] ?? `${host} refused this (${status}).`) }
  return {
    kind: 'not-a-service',
    outcome: 'unknown',
    message: `${host} answered with the unexpected status ${status}. Check the address.`,
  }
}

/** The meaning of a web page with this status if something between this computer and the service sent it; undefined: what any body means. */
export const pageError = (status: number, host: string): RemoteError | undefined =>
  status >= 400 && status < 500 && !meantAlike.has(status) ? notAService(host, `answered with a web page (${status})`, 'none') : undefined

/** 413, 414 and 431 are about the size of what was sent, whoever says so. */
const meantAlike: ReadonlySet<number> = new Set([407, 408, 413, 414, 429, 431])

const plain: Readonly<Record<number, { kind: 'missing' | 'no-route' | 'taken' | 'stale'; message: string }>> = {
  404: { kind: 'missing', message: 'The service has no such record. It may have been deleted or renamed there.' },
  405: { kind: 'no-route', message: 'This service doesn’t offer this operation.' },
  409: { kind: 'taken', message: 'This name is already taken on the service. Use another name.' },
  412: { kind: 'stale', message: 'This was changed on the service in the meantime. Review both and choose one.' },
}

const refusals: Readonly<Record<number, string>> = {
  400: 'The service couldn’t read this change. Check its content.',
  403: 'This API key isn’t allowed to do this. Use a key with more permissions, or ask the workspace owner.',
  413: 'This is too large for the service or a proxy in front of it. Make it smaller, or ask the service’s administrator to raise the limit.',
  415: 'The service doesn’t accept this kind of data.',
  422: 'The service doesn’t accept this change. Check its name and value.',
}

const missing = (words: string | null): RemoteError => ({
  kind: 'missing',
  outcome: 'none',
  message: sentence(words, 'The record no longer exists on the service.'),
})

const cursorGone = (isPruned: boolean): RemoteError => ({
  kind: 'cursor-gone',
  outcome: 'none',
  isPruned,
  message: 'The service restarted its change history. Holdfast will read everything again.',
})

/** The message begins with the service's words, if there are any. They are in quotes, to show whose words they are. */
const sentence = (words: string | null, own: string): string => (words === null ? own : `${own} The service says: “${words}”`)
