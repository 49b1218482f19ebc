import type { RemoteError } from './remote.ts'

/**
 * Whether `error`, the answer of a list, feed or POST route, means that the server does not offer
 * that route at all: 405, or 404 while the record it stands under is known to exist. A 404 of an
 * unknown parent says nothing: perhaps it is the parent that is gone.
 */
export const isRouteAbsent = (error: RemoteError, parentExists: boolean): boolean =>
  error.kind === 'no-route' || (error.kind === 'missing' && parentExists)
