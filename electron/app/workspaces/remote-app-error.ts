import type { AppError } from '../../bridge/app-error.ts'
import type { RemoteError } from '../../remote/remote.ts'

/** Whether a service lacks the operation, or the record: these two can't be told apart. */
export const isNotOffered = ({ kind }: RemoteError): boolean => kind === 'no-route' || kind === 'missing'

/** Returns a failure of a user's request for the page. Its message quotes the service if that gave a reason. */
export const remoteAppError = (error: RemoteError): AppError => {
  const message = 'next' in error ? tryAgain(error.message, error.kind === 'busy' ? error.retryAfterMs : null) : error.message
  switch (error.kind) {
    case 'offline':
    case 'interrupted':
    case 'cancelled':
      return { kind: 'offline', message }
    case 'timeout':
      return { kind: 'timeout', message }
    case 'unauthorized':
      return { kind: 'unauthorized', message }
    case 'refused':
      return { kind: 'refused', message, status: error.status }
    case 'taken':
      return { kind: 'refused', message, status: 409 }
    case 'stale':
      return { kind: 'refused', message, status: 412 }
    case 'cursor-gone':
      return { kind: 'refused', message, status: 410 }
    case 'busy':
      return { kind: 'service-failed', message, status: 503 }
    case 'service-failed':
      return { kind: 'service-failed', message, status: error.status }
    case 'missing':
    case 'no-route':
    case 'not-a-service':
    case 'redirected':
      return { kind: 'not-a-service', message }
    case 'unsafe':
      return { kind: 'invalid-input', message, field: 'baseUrl' }
  }
}

/** A shorter wait than this is over once the user has read of it. */
const momentMs = 20_000

/**
 * Returns the words for a failed request that nothing but its user repeats, and when to: not before the time that the service named. Null: it
 * named none.
 */
export function tryAgain(message: string, retryAfterMs: number | null): string {
  const waitMs = retryAfterMs ?? 0
  const minutes = Math.ceil(waitMs / 60_000)
  if (waitMs <= momentMs) return `${message} Try again in a moment.`
  return `${message} Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
