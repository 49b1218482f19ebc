import { getBase } from '../../../mirror/base-layer.ts'
import { getQueued, putChange } from '../../../mirror/queue-layer.ts'
import { getVersion, putRollback, variablesOfVersion } from '../../../mirror/versions-layer.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import type { Counts, Foreseen, RollbackAct } from '../../../queue/entry.ts'
import { countsAgree } from '../../plan/plan-rollback.ts'
import { conflictReason } from '../../plan/conflict-reason.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { foreseeFromBase, foreseenOf } from '../foresee-rollback.ts'
import type { Pushed } from '../push-change.ts'
import {
  blockActs,
  done,
  endFailed,
  isNoList,
  isSending,
  lookAgainLater,
  parkAct,
  parkConflict,
  requeueAct,
  retryActLater,
  settleAct,
} from './act-ends.ts'
import { sealVersion } from './keep-version.ts'
import { reReadEnvironment } from './re-read-environment.ts'

const versionGone = 'The service does not have this version any more, so there is nothing to roll back to. Discard this rollback.'
const ofAnother =
  'This version is of an environment that was made again since, or of another one. Discard this rollback, and choose a version from the list.'
const environmentGone = 'The environment is not on the service any more, and its versions went with it. Discard this rollback.'

/**
 * How the environment stands to a rollback, as read just now. agreed: it is what the preview showed. equal: it holds what the version
 * does already. stale: somebody else has changed it.
 */
type Stand = { is: 'agreed' } | { is: 'equal' } | { is: 'stale'; now: Foreseen }

/**
 * Sends a rollback that is under way: only on the environment that the user saw in the preview. What others did since is read first, and
 * a rollback that would undo it waits for the user with a new preview.
 */
export async function pushRollback(deps: EngineDeps, act: RollbackAct): Promise<Pushed> {
  const stand = await standNow(deps, act)
  if ('do' in stand) return stand
  if (stand.is === 'stale') return parkStale(deps, act, stand.now)
  if (stand.is === 'equal') return settleAct(deps, act, outcomeOf(deps, act, null, null))
  const remoteId = deps.mirror.snapshot((tx) => getVersion(tx, act.rowId))?.remote_id
  if (remoteId === undefined) return parkAct(deps, act, versionGone)
  const sent = await deps.remote.rollback(remoteId, { idempotencyKey: act.id })
  if (!sent.ok) {
    if (sent.error.kind === 'missing') return versionMissing(deps, act, remoteId)
    return endFailed(deps, act, sent.error, () => lookAtRollback(deps, act, sent.error))
  }
  const { versionLabel: _label, ...said } = sent.value
  return finish(deps, act, said)
}

/** Settles a rollback whose outcome is unknown: looks at the environment before anything is sent again. `error`: what hid the outcome. */
export async function lookAtRollback(deps: EngineDeps, act: RollbackAct, error: RemoteError | null): Promise<Pushed> {
  const read = await readEnvironment(deps, act)
  if (read !== null) return read
  const stand = deps.mirror.snapshot((tx) => standOf(foreseeFromBase(tx, act.ancestors[0] ?? '', act.rowId), act, 'equal first'))
  if (stand.is === 'equal') return settleAct(deps, act, outcomeOf(deps, act, null, null))
  if (stand.is === 'stale') return parkStale(deps, act, stand.now)
  return error === null ? requeueAct(deps, act, null) : retryActLater(deps, act, error)
}

async function standNow(deps: EngineDeps, act: RollbackAct): Promise<Stand | Pushed> {
  const read = await readEnvironment(deps, act)
  if (read !== null) return read
  return deps.mirror.snapshot((tx) => standOf(foreseeFromBase(tx, act.ancestors[0] ?? '', act.rowId), act, 'agreed first'))
}

function standOf(now: Foreseen, act: RollbackAct, order: 'agreed first' | 'equal first'): Stand {
  const { added, updated, removed } = now.counts
  const isEqual = added + updated + removed === 0
  const isAgreed = now.fingerprint === act.detail.agreed.fingerprint
  if (isEqual && (order === 'equal first' || !isAgreed)) return { is: 'equal' }
  return isAgreed ? { is: 'agreed' } : { is: 'stale', now: foreseenOf(now) }
}

/** Reads the environment anew; null when that went well, else how the act ended. */
async function readEnvironment(deps: EngineDeps, act: RollbackAct): Promise<Pushed | null> {
  const unread = await readVersion(deps, act)
  if (unread !== null) return unread
  const names = deps.mirror.snapshot((tx) => variablesOfVersion(tx, act.rowId)).map(({ name }) => name)
  const read = await reReadEnvironment(deps, act.ancestors, names)
  if (!read.ok) return lookAgainLater(deps, act, read.error)
  if (read.value === 'gone') return parkAct(deps, act, environmentGone)
  return isOfItsEnvironment(deps, act) ? null : parkAct(deps, act, ofAnother)
}

/** A row that was made again is another environment on the service: its old versions would roll back what nobody looked at here. */
const isOfItsEnvironment = (deps: EngineDeps, { rowId, ancestors }: RollbackAct): boolean =>
  deps.mirror.snapshot((tx) => getVersion(tx, rowId)?.environment_remote_id === getBase(tx, ancestors[0] ?? '')?.remoteId)

/** Fetches what the version holds where that is not here, as after a repair: against nothing, everything would count as removed. */
async function readVersion(deps: EngineDeps, act: RollbackAct): Promise<Pushed | null> {
  const version = deps.mirror.snapshot((tx) => getVersion(tx, act.rowId))
  if (version === null) return parkAct(deps, act, versionGone)
  if (version.is_mirrored === 1) return null
  const read = await deps.remote.getVersion(version.remote_id)
  if (!read.ok) return isNoList(read.error) ? parkAct(deps, act, versionGone) : lookAgainLater(deps, act, read.error)
  const keep = sealVersion(deps.cipher, read.value)
  deps.mirror.write((tx) => keep(tx, () => deps.newId()))
  deps.onChange(['versions'])
  return null
}

function parkStale(deps: EngineDeps, act: RollbackAct, now: Foreseen): Pushed {
  const parked: RollbackAct = { ...act, detail: { ...act.detail, offered: now } }
  return parkConflict(deps, parked, { kind: 'stale-rollback', theirs: null, by: null }, conflictReason('stale-rollback'))
}

/** The version, or the whole route, is not there: reading the version says which. */
async function versionMissing(deps: EngineDeps, act: RollbackAct, remoteId: string): Promise<Pushed> {
  const read = await deps.remote.getVersion(remoteId)
  if (read.ok) return blockActs(deps, act)
  return isNoList(read.error) ? parkAct(deps, act, versionGone) : lookAgainLater(deps, act, read.error)
}

/** The server rolled back: reads what came of it, and holds its counts against the preview. */
async function finish(deps: EngineDeps, act: RollbackAct, said: Counts): Promise<Pushed> {
  const kept = deps.mirror.write((tx): RollbackAct | null => {
    const now = getQueued(tx, act.id)
    if (now?.kind !== 'rollback' || !isSending(tx, act)) return null
    const answered: RollbackAct = { ...now, detail: { ...now.detail, said } }
    putChange(tx, answered)
    return answered
  })
  return kept === null ? done : finishRollback(deps, kept, said)
}

/** The same for one whose answer was kept and whose environment could not be read then. */
export async function finishRollback(deps: EngineDeps, act: RollbackAct, said: Counts): Promise<Pushed> {
  const read = await readEnvironment(deps, act)
  if (read !== null) return read
  const { counts } = deps.mirror.snapshot((tx) => foreseeFromBase(tx, act.ancestors[0] ?? '', act.rowId))
  deps.onChange(['environments', 'variables'])
  return settleAct(deps, act, outcomeOf(deps, act, said, counts.added + counts.updated + counts.removed))
}

/** Writes how it ended. `said`: the server's counts, null when nobody heard them; `apart`: variables that are not as the version has them. */
const outcomeOf =
  (deps: EngineDeps, act: RollbackAct, said: Counts | null, apart: number | null) => (tx: Parameters<typeof getBase>[0]) => {
    const { label, agreed } = act.detail
    const environment = getBase(tx, act.ancestors[0] ?? '')
    if (environment === null) return
    putRollback(tx, {
      environment_remote_id: environment.remoteId,
      version_id: act.rowId,
      label,
      at: deps.now(),
      counts: said && JSON.stringify(said),
      previewed: JSON.stringify(agreed.counts),
      difference: differenceOf(agreed, said, apart),
    })
  }

function differenceOf(agreed: Foreseen, said: Counts | null, apart: number | null): string | null {
  const counts =
    said === null || countsAgree(said, agreed.counts, agreed.resealed)
      ? null
      : `The service counted ${inWords(said)}; the preview had shown ${inWords(agreed.counts)}. Types and secrecy are no part of a preview.`
  const rest =
    apart === null || apart === 0
      ? null
      : `${apart === 1 ? 'One variable is' : `${apart} variables are`} not as the version has ${apart === 1 ? 'it' : 'them'}: look at the comparison.`
  return [counts, rest].filter((sentence) => sentence !== null).join(' ') || null
}

const inWords = ({ added, updated, removed }: Counts): string => `${added} added, ${updated} updated and ${removed} removed`
