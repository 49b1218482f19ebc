import { advance, entriesIn } from '../../mirror/queue-layer.ts'
import { readQueue } from '../../mirror/reads/read-queue.ts'
import type { RoundEnd } from '../plan/health.ts'
import { earliestRetry, nextPush } from '../plan/next-push.ts'
import type { Failure, SyncPort } from '../port.ts'
import type { EngineDeps } from './engine-deps.ts'
import { fetchNewestVersions } from './newest-versions.ts'
import { pull } from './pull.ts'
import { pushEntries } from './push-entries.ts'
import { reconcile } from './reconcile.ts'
import type { TimesStale } from './write-outcomes.ts'

/** The state that the rounds of one run share. */
export interface RunMemory {
  /** Whether the key is known to open the workspace of this mirror. */
  isIdentified: boolean
  /** The limits that blocked entries were last checked against. */
  limitOf: SyncPort['limitOf'] | null
  timesStale: TimesStale
  /** Versions that could not be read; sync does not request them again. */
  unreadable: Set<string>
}

export const newMemory = (): RunMemory => ({ isIdentified: false, limitOf: null, timesStale: new Map(), unreadable: new Set() })

const failedWith = (failure: Failure): RoundEnd => ({ is: 'failed', failure })

/**
 * Plays one round of sync: identify, reconcile, push, pull, then push the entries that the pull has freed. Sending and pulling never
 * overlap: a pull would otherwise read a record as it was before a write, and apply it after that write.
 */
export async function playRound(deps: EngineDeps, memory: RunMemory, isHalted: () => boolean): Promise<RoundEnd> {
  const { timesStale } = memory
  const wrong = await identify(deps, memory)
  if (wrong !== null) return wrong

  const unreconciled = await reconcile(deps, timesStale, isHalted)
  if (unreconciled !== null) return failedWith(unreconciled)

  let queue = await readQueue(deps.mirror)
  for (let hasPulled = false; ; hasPulled = true) {
    const unpushed = await pushEntries(deps, queue, { timesStale, isHalted, hasPulled })
    if (unpushed !== null) return failedWith(unpushed)

    const unpulled = (await pull(deps, isHalted)) ?? (await fetchNewestVersions(deps, memory.unreadable, isHalted))
    if (unpulled !== null) return failedWith(unpulled)
    if (isHalted()) return { is: 'halted' }
    unblock(deps, memory)

    queue = await readQueue(deps.mirror)
    if (nextPush(queue, deps.now(), deps.port.batch).length === 0) return { is: 'done', due: earliestRetry(queue, deps.now()) }
  }
}

/** Checks, once a run, that the key still opens the workspace of this mirror; null: it does. */
async function identify(deps: EngineDeps, memory: RunMemory): Promise<RoundEnd | null> {
  if (memory.isIdentified) return null
  const identified = await deps.port.identify(deps.remoteWorkspaceId)
  if (!identified.ok) return failedWith(identified.error)
  if (!identified.value) return { is: 'wrong-workspace' }
  memory.isIdentified = true
  unblock(deps, memory)
  return null
}

/** Unblocks the entries that the service can take, when its limits have changed. */
function unblock(deps: EngineDeps, memory: RunMemory): void {
  const { mirror, port } = deps
  const { limitOf } = port
  if (memory.limitOf === limitOf) return
  memory.limitOf = limitOf
  mirror.write((tx) => {
    for (const entry of entriesIn(tx, 'blocked')) {
      if (limitOf(entry) === null) advance(tx, entry, { is: 'unblock', id: deps.newId() })
    }
  })
}
