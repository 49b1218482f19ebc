import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { getBase } from '../../mirror/base-layer.ts'
import { planFromBase, toPreview } from '../../mirror/preview-rollback.ts'
import { advance, getEntryAt } from '../../mirror/queue-layer.ts'
import { reseal } from '../../mirror/reseal.ts'
import { broughtBack, noteReplaced } from '../../mirror/superseded-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getVersion, putRollback, variablesOfVersion } from '../../mirror/versions-layer.ts'
import type { Counts, RollbackOperation } from '../../queue/entry.ts'
import type { EntryEvent } from '../../queue/transition.ts'
import { retryDelay } from '../plan/backoff.ts'
import { afterUnread, decideRollback } from '../plan/decide-rollback.ts'
import { stopsRound } from '../plan/plan-outcome.ts'
import { differenceOf } from '../plan/plan-rollback.ts'
import type { Failure } from '../port.ts'
import { slicesOf } from '../slices.ts'
import type { EngineDeps } from './engine-deps.ts'
import { pull } from './pull.ts'
import { remoteParent } from './push-item.ts'
import { keepVersion } from './keep-version.ts'

/** go: it may be sent. waits: it is done, parked or delayed. stop: the service can't be reached now. */
export type Checked = { do: 'go' } | { do: 'waits' } | { do: 'stop'; failure: Failure }

const waits: Checked = { do: 'waits' }

/** How many values are queued to be sealed again in one transaction. */
const mostResealed = 100

/** Reads the environment again, then decides whether a rollback may be sent, is done or has to wait; see `decideRollback`. */
export async function checkRollback(deps: EngineDeps, rollback: RollbackOperation, isHalted: () => boolean): Promise<Checked> {
  const read = await readForRollback(deps, rollback, isHalted)
  if (read !== null) return read
  const checked = decide(deps, rollback)
  return checked.do === 'end' ? endRollback(deps, rollback, checked, isHalted) : checked
}

/** The environment equals the version except for `apart` variables; `broughtBack`: the variables that got an earlier value. */
interface Done {
  do: 'end'
  apart: number
  broughtBack: readonly { id: string; length: number }[]
}

/** Returns a rollback as it is now, also under another id; null: it left its place in the queue. */
export function rollbackNow(tx: Tx, { seq, rowId }: RollbackOperation): RollbackOperation | null {
  const entry = getEntryAt(tx, seq)
  return entry?.kind === 'rollback' && entry.rowId === rowId ? entry : null
}

function decide(deps: EngineDeps, rollback: RollbackOperation): Checked | Done {
  return deps.mirror.write((tx): Checked | Done => {
    const entry = rollbackNow(tx, rollback)
    if (entry === null) return waits
    const { rowId, ancestors } = entry
    const [environmentId] = ancestors
    const version = getVersion(tx, rowId)
    const decision = decideRollback(entry, {
      environment: getBase(tx, environmentId),
      version: version && { environmentRemoteId: version.environment_remote_id, isMirrored: version.is_mirrored === 1 },
      now: toPreview(planFromBase(tx, environmentId, rowId)),
    })
    if (decision.do === 'advance') return after(deps, tx, entry, decision.event)
    if (decision.do === 'end') return { ...decision, broughtBack: broughtBack(tx, environmentId, rowId) }
    noteReplaced(tx, environmentId, rowId)
    return decision
  })
}

/**
 * Queues the restored values to be sealed again: other computers can't tell this rollback from a service that brings old values back. The
 * rollback leaves the queue only afterwards, so that an interrupted end is continued here.
 */
async function endRollback(deps: EngineDeps, rollback: RollbackOperation, done: Done, isHalted: () => boolean): Promise<Checked> {
  const { mirror } = deps
  for (const slice of slicesOf(done.broughtBack, mostResealed, ({ length }) => length)) {
    mirror.write((tx) => slice.forEach(({ id }) => reseal(tx, id, { now: deps.now(), newId: deps.newId })))
    await yieldToOthers()
    if (isHalted()) return waits
  }
  return mirror.write((tx) => {
    const entry = rollbackNow(tx, rollback)
    if (entry === null) return waits
    writeOutcome(tx, entry, entry.detail.said ?? null, done.apart, deps.now())
    return after(deps, tx, entry, { is: 'confirm' })
  })
}

function after(deps: EngineDeps, tx: Tx, entry: RollbackOperation, event: EntryEvent): Checked {
  advance(tx, entry, event)
  deps.onChange(['queue', 'sync', 'versions', 'environments', 'variables'])
  return waits
}

/** Reads the version if its variables are not mirrored, then the environment. Null: both are read. */
async function readForRollback(deps: EngineDeps, rollback: RollbackOperation, isHalted: () => boolean): Promise<Checked | null> {
  const { mirror, port } = deps
  const { version, environment } = mirror.snapshot((tx) => ({
    version: getVersion(tx, rollback.rowId),
    environment: remoteParent(tx, rollback.ancestors),
  }))
  // Compared with an unread version, all variables would count as removed.
  if (version?.is_mirrored === 0) {
    const read = await port.readVersion(version.remote_id)
    if (!read.ok) return failed(deps, rollback, read.error)
    const { value } = read
    if (value !== null) await keepVersion(deps, value)
    deps.onChange(['versions'])
  }
  if (environment === null) return null
  const names = mirror.snapshot((tx) => variablesOfVersion(tx, rollback.rowId).map(({ name }) => name))
  const failure = await pull(deps, isHalted, { environment, names })
  if (failure !== null) return failed(deps, rollback, failure)
  return isHalted() ? waits : null
}

function failed(deps: EngineDeps, rollback: RollbackOperation, failure: Failure): Checked {
  if (stopsRound(failure)) return { do: 'stop', failure }
  return deps.mirror.write((tx) => {
    const entry = rollbackNow(tx, rollback)
    if (entry === null) return waits
    const nextAttemptAt = deps.now() + retryDelay(entry.attempts + 1, deps.random(), null)
    return after(deps, tx, entry, afterUnread(entry, failure, nextAttemptAt))
  })
}

/**
 * Stores the outcome of a rollback for the user. `said`: the service's counts, null if the answer was lost; `apart`: how many variables
 * differ from the version.
 */
function writeOutcome(tx: Tx, { rowId, ancestors, detail }: RollbackOperation, said: Counts | null, apart: number, now: number): void {
  const environment = getBase(tx, ancestors[0])
  if (environment === null) return
  putRollback(tx, {
    environment_remote_id: environment.remoteId,
    version_id: rowId,
    label: detail.label,
    at: now,
    counts: said && JSON.stringify(said),
    previewed: JSON.stringify(detail.agreed.counts),
    difference: differenceOf(detail.agreed, said, apart),
  })
}
