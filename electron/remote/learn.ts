import type { Result } from '../bridge/result.ts'
import type { Capabilities } from './capabilities.ts'
import { isRouteAbsent } from './is-route-absent.ts'
import type { RemoteError } from './remote.ts'

/**
 * What is known after a try of `capability` answered `result`. `parentExists`: the record that the
 * route stands under was seen just before or after, so that a 404 can only be about the route.
 * A refusal (403, 409, 422 ...) proves the route; failures of the network prove nothing.
 */
export function learn(
  known: Readonly<Capabilities>,
  capability: keyof Capabilities,
  result: Result<unknown, RemoteError>,
  parentExists: boolean,
): Capabilities {
  if (result.ok || routeSpoke.has(result.error.kind)) return { ...known, [capability]: 'offered' }
  return isRouteAbsent(result.error, parentExists) ? { ...known, [capability]: 'absent' } : { ...known }
}

const routeSpoke: ReadonlySet<RemoteError['kind']> = new Set(['refused', 'taken', 'stale', 'cursor-gone'])
