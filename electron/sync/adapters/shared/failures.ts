import type { RemoteError } from '../../../remote/remote.ts'
import type { Failure, Outcome } from '../../port.ts'

const kinds: Record<RemoteError['kind'], Failure['kind']> = {
  offline: 'offline',
  interrupted: 'offline',
  timeout: 'offline',
  cancelled: 'offline',
  busy: 'busy',
  unauthorized: 'unauthorized',
  'not-a-service': 'not-a-service',
  redirected: 'not-a-service',
  'service-failed': 'failed',
  refused: 'refused',
  missing: 'refused',
  'no-route': 'refused',
  taken: 'refused',
  'cursor-gone': 'refused',
  stale: 'refused',
  unsafe: 'refused',
}

/** The failure of the port for a failed request. */
export const failureOf = (error: RemoteError): Failure => ({
  kind: kinds[error.kind],
  message: error.message,
  ...('next' in error && { next: error.next }),
  retryAfterMs: error.kind === 'busy' ? error.retryAfterMs : null,
})

export const failed = (error: RemoteError): { ok: false; error: Failure } => ({ ok: false, error: failureOf(error) })

/** Whether every other request would fail with this error too, because it is not about one record. */
export const stopsAll = (error: RemoteError): boolean => stopping.has(error.kind)

const stopping: ReadonlySet<RemoteError['kind']> = new Set([
  'offline',
  'interrupted',
  'timeout',
  'cancelled',
  'unauthorized',
  'busy',
  'redirected',
  'not-a-service',
])

/** Whether the request was too large for the service, or for a proxy in front of it (413). */
export const isTooLarge = (error: RemoteError): boolean => error.kind === 'refused' && error.status === 413

/** The outcome of an entry that was certainly not done, because of this error. */
export const outcomeOfUnsent = (error: RemoteError): Outcome =>
  error.kind === 'refused' || error.kind === 'unsafe'
    ? { is: 'refused', message: error.message }
    : { is: 'unsent', failure: failureOf(error) }

/** The outcome of a failed write, known by its error alone. */
export function outcomeOf(error: RemoteError): Outcome {
  if (error.outcome === 'unknown') return { is: 'unknown', failure: failureOf(error) }
  switch (error.kind) {
    case 'offline':
    case 'busy':
    case 'unauthorized':
    case 'redirected':
    case 'not-a-service':
      return { is: 'unsent', failure: failureOf(error) }
    case 'missing':
      return { is: 'missing', what: 'record', message: error.message }
    case 'taken':
      return { is: 'taken', holder: null, message: error.message }
    case 'no-route':
      return { is: 'unsupported', message: error.message }
    default:
      return { is: 'refused', message: error.message }
  }
}
