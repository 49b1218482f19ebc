import { getBase } from '../../mirror/base-layer.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { expectedOf, putTheirs } from '../../mirror/past-layer.ts'
import { changesOfRow, dropChange, getChange, putChange, queuedOfSort } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import type { RemoteError } from '../../remote/remote.ts'
import { retryDelay } from '../plan/backoff.ts'
import type { BaseRow, Change } from '../../queue/entry.ts'
import { conflictReason } from '../plan/conflict-reason.ts'
import { sameField } from '../../queue/fields.ts'
import { verdictOn } from '../plan/verdict.ts'
import { applyContext } from './apply-context.ts'
import { applyGone, applyUpsert, rebaseRow, settle, stampsOf } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { checkAbove, findRecord, isGone } from './find-record.ts'
import { lookUp } from './look-up.ts'
import { wirePlace, type WirePlace } from './places.ts'
import type { RemoteRow } from './remote-row.ts'
import { sendChange } from './send-change.ts'
import { takeBack } from './take-back.ts'
import { writeGone } from './write-gone.ts'

/** After this many tries that ended in a server's own failure, a change waits for the user. */
export const maxAttempts = 8

/**
 * How sending one change ended for the rest of the workspace. done: go on. again: the change is not what it
 * was when it was chosen, choose anew. wait: nothing can be sent now. pause: the API key is refused.
 */
export type Pushed = { do: 'done' } | { do: 'again' } | { do: 'wait'; error: RemoteError } | { do: 'pause'; error: RemoteError }

const done: Pushed = { do: 'done' }
const allRows = ['projects', 'environments', 'variables', 'queue', 'sync'] as const

interface Chosen {
  change: Change
  base: BaseRow | null
  place: WirePlace
}

/**
 * Sends one eligible change and records how it ended. Each commit here is a point where a crash may
 * fall: before `sending` is stored nothing was sent; from then on, until the answer is stored, the
 * outcome counts as unknown and is looked up before anything is sent again.
 */
export async function pushChange(deps: EngineDeps, chosen: Change): Promise<Pushed> {
  const { mirror } = deps
  const started = mirror.write((tx): Chosen | Pushed => {
    const change = getChange(tx, chosen.id)
    if (change?.state !== 'queued' || JSON.stringify(change.patch) !== JSON.stringify(chosen.patch)) return { do: 'again' }
    if (change.kind === 'delete' && change.after != null && !sameField(getBase(tx, change.after)?.fields.value, change.base?.value)) {
      // The copy was given up, or is not what was moved: then the original stays where it is.
      dropChange(tx, change.id)
      refreshRow(tx, change.rowId)
      return done
    }
    const place = wirePlace(tx, change)
    if (place === null) {
      // A parent that went away meanwhile and waits to be created again: then this is not its turn.
      if (change.ancestors.some((id) => changesOfRow(tx, id).some((above) => above.kind === 'create'))) return { do: 'again' }
      putChange(tx, {
        ...change,
        state: 'failed',
        reason: 'What it belongs to is not on the server any more. Copy what you need, then discard it.',
      })
      return done
    }
    const sentTo = change.kind === 'create' ? (change.sentTo ?? place) : null
    const sending: Change = { ...change, sentTo, state: 'sending', attempts: change.attempts + 1, nextAttemptAt: null, reason: null }
    putChange(tx, sending)
    return { change: sending, base: getBase(tx, change.rowId), place: sentTo ?? place }
  })
  deps.onChange(['queue'])
  if ('do' in started) return started
  // A delete goes by name, and a server without ETags cannot refuse a stale write: see that the record is ours and unchanged first.
  const isGuarded = started.base?.etag != null && deps.heedsEtags?.() !== false
  const lookFirst = started.change.kind === 'delete' || (started.change.kind === 'update' && !isGuarded)
  if (!lookFirst) return send(deps, started)
  const looked = await lookAndDecide(deps, started.change)
  return looked.do === 'send' ? send(deps, looked.chosen) : looked
}

/** Settles a change whose outcome a crash or a lost answer left unknown: looks, and requeues it if the server never acted. */
export async function recoverChange(deps: EngineDeps, change: Change): Promise<Pushed> {
  const looked = await lookAndDecide(deps, change)
  if (looked.do !== 'send') return looked
  requeue(deps, looked.chosen.change, null)
  return done
}

async function send(deps: EngineDeps, chosen: Chosen): Promise<Pushed> {
  const { change } = chosen
  const sent = await sendChange(deps.remote, deps.cipher, change, chosen.base, chosen.place)
  if (sent.ok) return change.kind === 'create' && sent.value !== null ? created(deps, chosen, sent.value) : acted(deps, change, sent.value)
  const { error } = sent
  switch (verdictOn(change, error).do) {
    case 'wait':
      requeue(deps, unsent(change), null)
      return { do: 'wait', error }
    case 'pause':
      requeue(deps, unsent(change), null)
      return { do: 'pause', error }
    case 'block':
      blockSort(deps, change)
      return done
    case 'fail':
      if (error.kind === 'taken') parkTaken(deps, change)
      else park(deps, { ...change, sentTo: null }, 'failed', error.message)
      return done
    case 'look':
      return lookAfter(deps, change, chosen.place, error)
  }
}

/** Reads what a send that failed was about, and moves the change onto it. `sentTo`: where it was sent. */
export async function lookAfter(deps: EngineDeps, change: Change, sentTo: WirePlace, error: RemoteError): Promise<Pushed> {
  const looked = await lookAndDecide(deps, change)
  if (looked.do !== 'send') return looked
  // The server never acted, and nothing stands in the way: the failure itself decides when to try again.
  return retryLater(deps, looked.chosen, sentTo, error)
}

/** What was surely not sent has not been attempted. */
const unsent = (change: Change): Change => {
  const attempts = change.attempts - 1
  return { ...change, attempts, ...(attempts === 0 ? { sentTo: null } : {}) }
}

/** Stores what the server did, as its answer says it. */
function acted(deps: EngineDeps, change: Change, answer: RemoteRow | null): Pushed {
  deps.mirror.write((tx) => {
    // Gone while it was under way: with its parent, or taken over by a new one. Then what it made comes like anybody's.
    if (isSending(tx, change)) settle(tx, change, answer, applyContext(deps))
    else if (answer !== null && change.ancestors.every((id) => getBase(tx, id) !== null)) {
      applyUpsert(tx, answer, change.ancestors[0] ?? null, applyContext(deps))
    }
  })
  deps.onChange(allRows)
  return done
}

/**
 * A create goes by the slugs above it, and its answer may be older than it looks: a server repeats the first answer for an
 * Idempotency-Key it has seen, whatever became of the record since.
 */
async function created(deps: EngineDeps, { change, place }: Chosen, answer: RemoteRow): Promise<Pushed> {
  const [parentId] = change.ancestors
  const parent = parentId === undefined ? null : deps.mirror.snapshot((tx) => getBase(tx, parentId))
  if (parent !== null && answer.parentRemoteId !== parent.remoteId) {
    // The slug is another's by now: what was made in the wrong place is taken back, and made again in the right one. Until that is done,
    // the change stays under way, and the same request at the same place is answered with the same record again.
    const taken = await takeBack(deps, change, answer, place)
    if (!taken.ok) return lookFailed(deps, change, taken.error)
    const above = await checkAbove(deps, change.ancestors)
    if (!above.ok) return lookFailed(deps, change, above.error)
    const { value: stand } = above
    sendElsewhere(deps, change)
    if (isGone(stand)) writeGone(deps, stand)
    return { do: 'again' }
  }
  if (change.attempts === 1) return acted(deps, change, answer)
  const asBase: BaseRow = { id: change.rowId, kind: change.rowKind, parentId: parentId ?? null, fields: answer.fields, ...stampsOf(answer) }
  const here = deps.mirror.snapshot((tx) => wirePlace(tx, change)) ?? place
  const now = await lookUp(deps.remote, deps.cipher, change, asBase, here)
  if (!now.ok) return lookFailed(deps, change, now.error)
  acted(deps, change, now.value ?? answer)
  if (now.value !== null) return done
  // It was made, and somebody deleted it before this answer came.
  const made = deps.mirror.snapshot((tx) => getBase(tx, change.rowId))
  if (made !== null) writeGone(deps, made)
  return done
}

const isSending = (tx: Tx, change: Change): boolean => getChange(tx, change.id)?.state === 'sending'

type Looked = Pushed | { do: 'send'; chosen: Chosen }

/**
 * Reads the record now and moves the change onto it, in one transaction with base. `send` when the change still has to be sent.
 */
async function lookAndDecide(deps: EngineDeps, change: Change): Promise<Looked> {
  const found = await findRecord(deps, change)
  if (!found.ok) return lookFailed(deps, change, found.error)
  const context = applyContext(deps)
  const kept = deps.mirror.write((tx): Chosen | null => {
    if (!isSending(tx, change)) return null
    putChange(tx, { ...change, state: 'queued' })
    if (found.value.do === 'parentGone') {
      if (getBase(tx, found.value.parent.id) !== null) applyGone(tx, found.value.parent, null, context)
      return null
    }
    if (found.value.do === 'unplaced') return null
    const { row, base, place } = found.value
    if (row === null) {
      if (change.kind === 'delete') settle(tx, change, null, context)
      else if (base !== null) applyGone(tx, base, null, context)
    } else if (base === null) applyUpsert(tx, row, change.ancestors[0] ?? null, context)
    else moveBase(tx, base, row, context.now)
    const after = getChange(tx, change.id)
    if (after?.state !== 'queued') return null
    const sending: Change = { ...after, state: 'sending' }
    putChange(tx, sending)
    return { change: sending, base: getBase(tx, change.rowId), place: wirePlace(tx, sending) ?? place }
  })
  deps.onChange(allRows)
  return kept === null ? done : { do: 'send', chosen: kept }
}

/** Writes what was read as base, and moves the row's changes onto it. */
function moveBase(tx: Tx, base: BaseRow, found: RemoteRow, now: number): void {
  const fields = { ...base.fields, ...found.fields }
  putTheirs(tx, { ...base, ...stampsOf(found), fields }, expectedOf(tx, base, fields), now)
  if (base.fields.value && !sameField(base.fields.value, fields.value)) {
    keepHistory(tx, base, { whose: 'theirs', why: 'changed', by: found.updatedBy }, now)
  }
  rebaseRow(tx, changesOfRow(tx, base.id), { fields, by: found.updatedBy })
  refreshRow(tx, base.id)
}

/**
 * A look that failed leaves the outcome unknown: the change stays `sending`, and is looked at again. Only what says that the
 * server cannot be reached, or asks for time, stops the round: a record that alone cannot be read must not hold up the others.
 */
function lookFailed(deps: EngineDeps, change: Change, error: RemoteError): Pushed {
  if (error.kind === 'unauthorized') return { do: 'pause', error }
  if (error.kind === 'refused' || error.kind === 'unsafe' || error.kind === 'no-route' || change.attempts >= maxAttempts) {
    park(deps, change, 'failed', error.message)
    return done
  }
  const isAlone = error.kind === 'server-failed'
  const nextAttemptAt = deps.now() + retryDelay(change.attempts, deps.random(), null)
  const attempts = change.attempts + Number(isAlone)
  deps.mirror.write((tx) => {
    if (isSending(tx, change)) putChange(tx, { ...change, attempts, nextAttemptAt, reason: error.message })
  })
  deps.onChange(['queue'])
  return isAlone ? done : { do: 'wait', error }
}

function retryLater(deps: EngineDeps, { change, place }: Chosen, sentTo: WirePlace, error: RemoteError): Pushed {
  const hasMoved = place.project !== sentTo.project || place.environment !== sentTo.environment
  // After a failed If-Match, or a request to a slug of the past, the look has brought what is new: send at once on the new base.
  if (error.kind === 'stale' || (error.kind === 'missing' && hasMoved)) {
    if (change.kind === 'create') sendElsewhere(deps, change)
    // A server that says so whatever the look brings would be asked for ever.
    else if (change.attempts >= maxAttempts) park(deps, change, 'failed', error.message)
    else requeue(deps, change, null)
    return done
  }
  if (error.kind === 'taken' && hasMoved && change.kind === 'create') {
    // Somebody's name in the place that had the slug then: nothing was made there, and here the name is free.
    sendElsewhere(deps, change)
    return done
  }
  if (error.kind === 'missing' || error.kind === 'taken') {
    if (error.kind === 'missing') blockSort(deps, change)
    else parkTaken(deps, change)
    return done
  }
  if (change.attempts >= maxAttempts) {
    park(deps, change, 'failed', error.message)
    return done
  }
  requeue(deps, change, deps.now() + retryDelay(change.attempts, deps.random(), null), error.message)
  return error.kind === 'server-failed' ? done : { do: 'wait', error }
}

/** Writes a change as it stands now, unless it left the queue while it was under way. `id`: the one it had, when it gets a new one. */
function store(deps: EngineDeps, change: Change, id: string = change.id): void {
  deps.mirror.write((tx) => {
    if (getChange(tx, id)?.state === 'sending') putChange(tx, change)
  })
}

function requeue(
  deps: EngineDeps,
  change: Change,
  nextAttemptAt: number | null,
  reason: string | null = null,
  id: string = change.id,
): void {
  store(deps, { ...change, state: 'queued', nextAttemptAt, reason }, id)
  deps.onChange(['queue'])
}

/** A create that is known to have made nothing where it was sent goes to where its parent is now: another request, under a key of its own. */
const sendElsewhere = (deps: EngineDeps, change: Change): void =>
  requeue(deps, { ...change, id: deps.newId(), attempts: 0, sentTo: null }, null, null, change.id)

function park(deps: EngineDeps, change: Change, state: 'blocked' | 'failed', reason: string): void {
  store(deps, { ...change, state, reason, nextAttemptAt: null })
  deps.onChange(['queue', 'sync'])
}

/** This server has no way to take a change of this sort: all of the sort wait, and none is sent only to hear it again. */
function blockSort(deps: EngineDeps, change: Change): void {
  const reason = blockedReason(change)
  deps.mirror.write((tx) => {
    if (isSending(tx, change)) putChange(tx, { ...change, state: 'blocked', reason, nextAttemptAt: null, sentTo: null })
    for (const other of queuedOfSort(tx, change.kind, change.rowKind)) {
      if (other.state === 'queued') putChange(tx, { ...other, state: 'blocked', reason, nextAttemptAt: null })
    }
  })
  deps.onChange(['queue', 'sync'])
}

function parkTaken(deps: EngineDeps, change: Change): void {
  const conflict = { kind: 'name-taken' as const, theirs: null, by: null }
  store(deps, { ...change, state: 'conflict', conflict, reason: conflictReason('name-taken'), nextAttemptAt: null })
  deps.onChange(['queue', 'sync'])
}

const verbs = { create: 'creating', update: 'changing', delete: 'deleting' }

const blockedReason = (change: Change): string =>
  `This service offers no way of ${verbs[change.kind]} a ${change.rowKind}. The change is kept here until it does.`
