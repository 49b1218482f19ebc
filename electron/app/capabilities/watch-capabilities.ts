import { baseChildren } from '../../mirror/base-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { hasBlockedCreate } from '../../mirror/queue-layer.ts'
import { nothingKnown, type Capabilities } from '../../remote/capabilities.ts'
import { describeLimits } from '../../remote/describe-limits.ts'
import { probeCapabilities, type KnownPlace } from '../../remote/probe-capabilities.ts'
import type { Remote } from '../../remote/remote.ts'
import type { Engine } from '../../sync/effects/engine.ts'

export interface CapabilitiesDeps {
  remote: Remote
  mirror: Mirror
  engine: Pick<Engine, 'status'>
  /** Milliseconds since the epoch. */
  now(): number
  /** Called when the limits may be others. */
  onChange(): void
}

export interface CapabilitiesWatch {
  /** To be called when sync has news; asks the server when it is time to. */
  consider(): void
  /** What this server cannot do, one sentence each. */
  limits(): string[]
  /** No request is begun afterwards. */
  stop(): void
}

/** A server is asked again after this time: it may have been upgraded, or put behind something that takes away. */
export const askAgainMs = 30 * 60 * 1000

/** A probe that failed is not repeated at every round. */
const retryMs = 60 * 1000

/**
 * Keeps what a server offers beyond the 14 operations: asked once a sync has gone well, again every half an hour, as soon as there is a
 * first project or environment to ask in, and whenever sync itself meets a change feed or lists where there were none, or none
 * where there were. Of these two the engine learns at every round; what it says counts.
 */
export function watchCapabilities({ remote, mirror, engine, now, onChange }: CapabilitiesDeps): CapabilitiesWatch {
  let known: Capabilities = nothingKnown
  let nextAt = 0
  /** What the last probe was made on: another place, or other limits of the engine, make it old. */
  let askedOn = ''
  let isAsking = false
  let stopped = false

  const ask = async (place: KnownPlace | null): Promise<void> => {
    isAsking = true
    const probed = await probeCapabilities(remote, place)
    isAsking = false
    if (stopped) return
    nextAt = now() + (probed.ok ? askAgainMs : retryMs)
    if (probed.ok) {
      known = probed.value
      onChange()
    }
    // A first record may have come meanwhile.
    consider()
  }

  const consider = (): void => {
    const { phase, problem, hasSynced, limits } = engine.status()
    if (stopped || isAsking || !hasSynced || phase !== 'idle' || problem !== null) return
    const place = placeIn(mirror)
    const on = JSON.stringify([limits, place === null, place?.environment === null])
    if (on === askedOn && now() < nextAt) return
    askedOn = on
    void ask(place)
  }

  return {
    consider,
    limits() {
      const creates = mirror.snapshot(hasBlockedCreate) ? 'absent' : known.creates
      const said = engine.status().limits
      const others = describeLimits({ ...known, creates, changes: 'unknown', lists: 'unknown' })
      return [...said, ...others]
    },
    stop() {
      stopped = true
    },
  }
}

/** A project that the server has shown, and an environment in it where there is one. */
function placeIn(mirror: Mirror): KnownPlace | null {
  return mirror.snapshot((tx) => {
    const projects = baseChildren(tx, null).filter((row) => row.fields.slug !== undefined)
    const places = projects.map((row): KnownPlace => {
      const environment = baseChildren(tx, row.id).find((child) => child.fields.slug !== undefined)
      return { project: row.fields.slug ?? '', environment: environment?.fields.slug ?? null }
    })
    return places.find((place) => place.environment !== null) ?? places[0] ?? null
  })
}
