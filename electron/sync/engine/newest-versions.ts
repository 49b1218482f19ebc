import { unmirroredVersions } from '../../mirror/versions-layer.ts'
import { stopsRound } from '../plan/plan-outcome.ts'
import type { Failure } from '../port.ts'
import type { EngineDeps } from './engine-deps.ts'
import { keepVersion } from './keep-version.ts'

/** How many of the newest versions of each environment are kept with their variables, to compare them offline. */
const newestKept = 3
/** Versions with more variables are fetched only when they are opened. */
const largestKept = 5_000
/** How many are fetched in one round at the most: a first sync must not wait for all of them. */
const mostFetched = 12

/**
 * Fetches the variables of the newest versions that the mirror lacks. `unreadable`: versions that could not be read; they are not requested
 * again.
 */
export async function fetchNewestVersions(deps: EngineDeps, unreadable: Set<string>, isHalted: () => boolean): Promise<Failure | null> {
  const { mirror, port } = deps
  const wanted = mirror.snapshot((tx) => unmirroredVersions(tx, newestKept, largestKept)).filter((id) => !unreadable.has(id))
  for (const remoteId of wanted.slice(0, mostFetched)) {
    if (isHalted()) return null
    const read = await port.readVersion(remoteId)
    if (!read.ok) {
      if (stopsRound(read.error)) return read.error
      unreadable.add(remoteId)
      continue
    }
    const version = read.value
    // A version that came without its variables, or larger than the service had said, is not kept: do not request it again with every pull.
    const isTooLarge = (version?.variables?.length ?? 0) > largestKept
    if (version?.variables == null || isTooLarge) unreadable.add(remoteId)
    if (version === null || isTooLarge) continue
    await keepVersion(deps, version)
    deps.onChange(['versions'])
  }
  return null
}
