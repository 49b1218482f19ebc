import { err, ok, type Result } from '../../../bridge/result.ts'
import { getBase } from '../../../mirror/base-layer.ts'
import { getQueued, putChange } from '../../../mirror/queue-layer.ts'
import { getVersionByRemote, rebindVersion } from '../../../mirror/versions-layer.ts'
import type { Tx } from '../../../mirror/tx.ts'
import type { RemoteError, RemoteVersion } from '../../../remote/remote.ts'
import { retryDelay } from '../../plan/backoff.ts'
import type { BaseRow, SnapshotAct } from '../../../queue/entry.ts'
import { applyVersion } from '../apply-version.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { everyPage } from '../every-page.ts'
import { checkAbove, isGone } from '../find-record.ts'
import { isStillAt, wirePlace, type WirePlace } from '../places.ts'
import { maxAttempts, type Pushed } from '../push-change.ts'
import { writeGone } from '../write-gone.ts'
import { blockActs, done, endFailed, isNoList, lookAgainLater, parkAct, requeueAct, retryActLater, settleAct } from './act-ends.ts'
import { sealVersion } from './keep-version.ts'

const unknown =
  'Whether this snapshot was taken is not known: the answer was lost, and this service lists no versions to look in. Look there, then try again or discard it.'

/** The same where a list came up only after it was sent. */
const unmarked =
  'Whether this snapshot was taken is not known: the answer was lost, and versions like it are on the service. Look at the list, then try again or discard it.'

const takenElsewhere =
  'The service says that this snapshot was taken of another environment, each time it was asked for. Look at the list there, then discard it.'

/** So often a snapshot may be taken of another environment, because slugs were being given to others on the way. */
const mostStrays = 3

/** Stops everything, and not only the look at one list. */
const stops = new Set<RemoteError['kind']>(['offline', 'interrupted', 'cancelled', 'busy', 'redirected'])

/** Says that this server shows no list to this key, today and tomorrow. */
const hasNoList = (error: RemoteError): boolean => isNoList(error) || error.kind === 'refused' || error.kind === 'unsafe'

/**
 * What the server lists before a snapshot is sent, each time it is, to know a new version by: what is mirrored may be older than what
 * others took since. Read while the act still waits, so that it can be taken back for as long as nothing was sent.
 */
export async function noteVersions(deps: EngineDeps, act: SnapshotAct): Promise<Result<SnapshotAct['detail'], RemoteError>> {
  const { after: _after, beside: _beside, looks: _looks, ...detail } = act.detail
  const above = await checkAbove(deps, act.ancestors)
  if (!above.ok) return hasNoList(above.error) ? ok(detail) : above
  if (isGone(above.value)) {
    // What stands under its slug by now is another environment, which no version of ours belongs in.
    writeGone(deps, above.value)
    return ok(detail)
  }
  const listed = await listOf(deps, act)
  if (!listed.ok) return hasNoList(listed.error) ? ok(detail) : listed
  return ok({ ...detail, ...marksOf(listed.value) })
}

/** The list could not be read before it was sent: it waits as if the server had failed at the snapshot itself. Without the list a lost answer could not be settled. */
export function lookAtListLater(deps: EngineDeps, { id }: SnapshotAct, error: RemoteError): Pushed {
  if (error.kind === 'unauthorized') return { do: 'pause', error }
  if (stops.has(error.kind)) return { do: 'wait', error }
  deps.mirror.write((tx) => {
    const act = getQueued(tx, id)
    if (act?.kind !== 'snapshot' || act.state !== 'queued') return
    const { looks: before = 0, ...detail } = act.detail
    const looks = before + 1
    if (looks >= maxAttempts) putChange(tx, { ...act, detail, state: 'failed', reason: error.message, nextAttemptAt: null })
    else {
      const nextAttemptAt = deps.now() + retryDelay(looks, deps.random(), null)
      putChange(tx, { ...act, detail: { ...detail, looks }, reason: error.message, nextAttemptAt })
    }
  })
  deps.onChange(['queue', 'sync', 'versions'])
  return done
}

function marksOf(versions: readonly RemoteVersion[]): { after: string | null; beside: string[] } {
  const after =
    versions
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .at(-1) ?? null
  return { after, beside: versions.filter(({ createdAt }) => createdAt === after).map(({ id }) => id) }
}

/** Sends a snapshot that is under way. */
export async function pushSnapshot(deps: EngineDeps, act: SnapshotAct): Promise<Pushed> {
  const place = deps.mirror.snapshot((tx) => wirePlace(tx, inside(act)))
  if (place === null) return requeueAct(deps, act, null)
  const { label, note } = act.detail
  const body = { ...(label === undefined ? {} : { label }), ...(note === undefined ? {} : { note }) }
  const sent = await deps.remote.createVersion(place.project, place.environment, body, { idempotencyKey: act.id })
  if (sent.ok) return taken(deps, act, sent.value)
  const { error } = sent
  if (error.kind === 'missing') return missing(deps, act, place)
  // The first request of all cannot have met what it made itself.
  if (error.kind === 'taken' && act.attempts === 1) return parkAct(deps, act, error.message)
  return endFailed(deps, act, error, () => lookForSnapshot(deps, act, error))
}

/** Settles a snapshot whose outcome is unknown: looks for it in the list before it is sent again. `error`: what hid the outcome. */
export async function lookForSnapshot(deps: EngineDeps, act: SnapshotAct, error: RemoteError | null): Promise<Pushed> {
  const above = await checkAbove(deps, act.ancestors)
  if (!above.ok) return lookAgainLater(deps, act, above.error)
  if (isGone(above.value)) return gone(deps, act, above.value)
  const listed = await listOf(deps, act)
  if (!listed.ok) {
    if (!isNoList(listed.error)) return lookAgainLater(deps, act, listed.error)
    return error?.kind === 'taken' ? parkAct(deps, act, error.message) : parkAct(deps, act, unknown)
  }
  const { label, note = '', after, beside } = act.detail
  const isNew = ({ id, createdAt }: RemoteVersion): boolean =>
    after == null || createdAt > after || (createdAt === after && beside?.includes(id) === false)
  const found = listed.value.filter(
    (version) => isNew(version) && version.note === note && (label === undefined || version.label === label),
  )
  const [first] = found
  if (first !== undefined && after === undefined) return parkAct(deps, act, unmarked)
  if (first !== undefined && found.length === 1) return taken(deps, act, first)
  if (first !== undefined) {
    return parkAct(
      deps,
      act,
      'Several snapshots were taken at this moment, and which one is this is not known. Look at the list, then discard it.',
    )
  }
  if (error?.kind === 'taken') return parkAct(deps, act, error.message)
  return error === null ? requeueAct(deps, act, null) : retryActLater(deps, act, error)
}

/** What says where the environment of a snapshot is on the server. */
const inside = ({ ancestors }: SnapshotAct) => ({ rowKind: 'variable' as const, ancestors })

/** The versions that the server lists of the environment. */
async function listOf(deps: EngineDeps, act: SnapshotAct): Promise<Result<RemoteVersion[], RemoteError>> {
  const place = deps.mirror.snapshot((tx) => wirePlace(tx, inside(act)))
  if (place === null) return ok([])
  const listed = await everyPage((cursor) => deps.remote.listVersions(place.project, place.environment, cursor))
  return listed.ok ? listed : err(listed.error)
}

/** The snapshot is on the server: the version takes the local id that the user knows it by, and its variables are fetched. */
async function taken(deps: EngineDeps, act: SnapshotAct, version: RemoteVersion): Promise<Pushed> {
  const environment = deps.mirror.snapshot((tx) => getBase(tx, act.ancestors[0] ?? ''))
  if (environment !== null && version.environmentId !== environment.remoteId) {
    // The slug was another's when the request came: what was taken is a version of that one, and ours is still to be taken.
    deps.mirror.write((tx) => applyVersion(tx, version, () => deps.newId()))
    const above = await checkAbove(deps, act.ancestors)
    if (!above.ok) return lookAgainLater(deps, act, above.error)
    // Asked for again there, it would be taken of that one without end.
    return isGone(above.value) ? gone(deps, act, above.value) : requeueElsewhere(deps, act)
  }
  settleAct(deps, act, (tx) => bind(tx, act, version))
  const read = await deps.remote.getVersion(version.id)
  // Not now: it is fetched with the newest versions of the next pull, or when it is opened.
  if (!read.ok) return done
  const keep = sealVersion(deps.cipher, { ...read.value, updatedBy: version.updatedBy })
  deps.mirror.write((tx) => keep(tx, () => deps.newId()))
  deps.onChange(['versions'])
  return done
}

function bind(tx: Tx, act: SnapshotAct, version: RemoteVersion): void {
  const known = getVersionByRemote(tx, version.id)
  if (known !== null && known.id !== act.rowId) rebindVersion(tx, known.id, act.rowId)
  applyVersion(tx, version, () => act.rowId)
}

/** Under a key of its own: the first one was answered with another environment's version. A server that always answers so is not asked for ever. */
function requeueElsewhere(deps: EngineDeps, act: SnapshotAct): Pushed {
  if (act.attempts >= mostStrays) return parkAct(deps, act, takenElsewhere)
  deps.mirror.write((tx) => {
    const now = getQueued(tx, act.id)
    if (now?.state === 'sending') putChange(tx, { ...act, id: deps.newId(), state: 'queued', nextAttemptAt: null, reason: null })
  })
  deps.onChange(['queue', 'versions'])
  return { do: 'again' }
}

/** 404: the environment is not there any more, or has another slug, or there is no such route. */
async function missing(deps: EngineDeps, act: SnapshotAct, place: WirePlace): Promise<Pushed> {
  const above = await checkAbove(deps, act.ancestors)
  if (!above.ok) return lookAgainLater(deps, act, above.error)
  const { value: stand } = above
  if (stand === 'there' && deps.mirror.snapshot((tx) => isStillAt(tx, inside(act), place))) return blockActs(deps, act)
  return isGone(stand) ? gone(deps, act, stand) : requeueAct(deps, act, null)
}

/** A place above is not on the server any more. */
function gone(deps: EngineDeps, act: SnapshotAct, place: BaseRow): Pushed {
  writeGone(deps, place)
  return parkAct(deps, act, 'The environment is not on the service any more. Discard this snapshot.')
}
