import { getBase, putBase } from '../../mirror/base-layer.ts'
import { getChange, putChange, changesOfRow } from '../../mirror/queue-layer.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import type { RemoteError } from '../../remote/remote.ts'
import { retryDelay } from '../backoff.ts'
import type { BaseRow, Change } from '../change.ts'
import { verdictOn } from '../verdict.ts'
import { applyGone, applyUpsert, conflictReason, rebaseRow, settle, stampsOf } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { lookUp } from './look-up.ts'
import { wirePlace, type WirePlace } from './places.ts'
import type { RemoteRow } from './remote-row.ts'
import { sendChange } from './send-change.ts'

/** After this many tries that ended in a server's own failure, a change waits for the user. */
const maxAttempts = 8

/**
 * How sending one change ended for the rest of the workspace. done: go on. again: the change is not what it
 * was when it was chosen, choose anew. wait: nothing can be sent now. pause: the API key is refused.
 */
export type Pushed = { do: 'done' } | { do: 'again' } | { do: 'wait'; error: RemoteError } | { do: 'pause'; error: RemoteError }

const done: Pushed = { do: 'done' }

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
    const sending: Change = { ...change, state: 'sending', attempts: change.attempts + 1, nextAttemptAt: null, reason: null }
    putChange(tx, sending)
    return { change: sending, base: getBase(tx, change.rowId), place }
  })
  deps.onChange(['queue'])
  if ('do' in started) return started
  // A delete goes by name, and a server without ETags cannot refuse a stale write: see that the record is ours and unchanged first.
  const lookFirst = started.change.kind === 'delete' || (started.change.kind === 'update' && started.base?.etag == null)
  if (lookFirst) {
    const looked = await lookAndDecide(deps, started)
    if (looked.do !== 'send') return looked
    return send(deps, looked.chosen)
  }
  return send(deps, started)
}

/** Settles a change whose outcome a crash or a lost answer left unknown: looks, and requeues it if the server never acted. */
export async function recoverChange(deps: EngineDeps, change: Change): Promise<Pushed> {
  const found = deps.mirror.snapshot((tx) => ({ base: getBase(tx, change.rowId), place: wirePlace(tx, change) }))
  if (found.place === null) {
    requeue(deps, change, null)
    return done
  }
  const looked = await lookAndDecide(deps, { change, base: found.base, place: found.place })
  if (looked.do !== 'send') return looked
  requeue(deps, looked.chosen.change, null)
  return done
}

async function send(deps: EngineDeps, chosen: Chosen): Promise<Pushed> {
  const { change } = chosen
  const sent = await sendChange(deps.remote, deps.cipher, change, chosen.base, chosen.place)
  if (sent.ok) {
    deps.mirror.write((tx) => settle(tx, change, sent.value, applyContext(deps)))
    deps.onChange(['projects', 'environments', 'variables', 'queue', 'sync'])
    return done
  }
  const { error } = sent
  switch (verdictOn(change, error).do) {
    case 'wait':
      requeue(deps, { ...change, attempts: change.attempts - 1 }, null)
      return { do: 'wait', error }
    case 'pause':
      requeue(deps, { ...change, attempts: change.attempts - 1 }, null)
      return { do: 'pause', error }
    case 'block':
      park(deps, change, 'blocked', blockedReason(change))
      return done
    case 'fail':
      if (error.kind === 'taken') parkTaken(deps, change)
      else park(deps, change, 'failed', error.message)
      return done
    case 'look': {
      const looked = await lookAndDecide(deps, chosen)
      if (looked.do !== 'send') return looked
      // The server never acted, and nothing stands in the way: the failure itself decides when to try again.
      return retryLater(deps, looked.chosen.change, error)
    }
  }
}

type Looked = Pushed | { do: 'send'; chosen: Chosen }

/**
 * Reads the record now and moves the change onto it, in one transaction with base. `send` when the change still has to be sent.
 */
async function lookAndDecide(deps: EngineDeps, { change, base, place }: Chosen): Promise<Looked> {
  const looked = await lookUp(deps.remote, deps.cipher, change, base, place)
  if (!looked.ok) return lookFailed(deps, change, looked.error)
  if (looked.value === null && change.kind !== 'delete') {
    const parent = await missingParent(deps, change)
    if (parent !== null) return parent
  }
  const context = applyContext(deps)
  const kept = deps.mirror.write((tx): Chosen | null => {
    const found = looked.value
    const now: Change = { ...change, state: 'queued' }
    putChange(tx, now)
    if (found === null) {
      if (change.kind === 'delete') settle(tx, change, null, context)
      else if (base !== null) applyGone(tx, base, null, context)
    } else if (base === null) applyUpsert(tx, found, change.ancestors[0] ?? null, context)
    else moveBase(tx, base, found)
    const after = getChange(tx, change.id)
    if (after?.state !== 'queued') return null
    const sending: Change = { ...after, state: 'sending' }
    putChange(tx, sending)
    return { change: sending, base: getBase(tx, change.rowId), place }
  })
  deps.onChange(['projects', 'environments', 'variables', 'queue', 'sync'])
  return kept === null ? done : { do: 'send', chosen: kept }
}

type Tx = Parameters<Parameters<EngineDeps['mirror']['write']>[0]>[0]

/** Writes what was read as base, and moves the row's changes onto it. */
function moveBase(tx: Tx, base: BaseRow, found: RemoteRow): void {
  const fields = { ...base.fields, ...found.fields }
  putBase(tx, { ...base, ...stampsOf(found), fields })
  rebaseRow(tx, changesOfRow(tx, base.id), { fields, by: found.updatedBy })
  refreshRow(tx, base.id)
}

/** A look that failed leaves the outcome unknown: the change stays `sending`, and is looked at again. */
function lookFailed(deps: EngineDeps, change: Change, error: RemoteError): Pushed {
  if (error.kind === 'unauthorized') return { do: 'pause', error }
  const nextAttemptAt = deps.now() + retryDelay(change.attempts, deps.random(), null)
  deps.mirror.write((tx) => putChange(tx, { ...change, nextAttemptAt, reason: error.message }))
  deps.onChange(['queue'])
  return { do: 'wait', error }
}

/** When a row's parent is gone from the server, that is the finding, and the row's changes wait with it. */
async function missingParent(deps: EngineDeps, change: Change): Promise<Pushed | null> {
  const [parentId, ...above] = change.ancestors
  if (parentId === undefined) return null
  const parent = deps.mirror.snapshot((tx) => getBase(tx, parentId))
  if (parent === null) return null
  const asChange: Change = {
    ...change,
    kind: 'update',
    rowKind: parent.kind,
    rowId: parentId,
    ancestors: above,
    patch: {},
    base: parent.fields,
  }
  const place = deps.mirror.snapshot((tx) => wirePlace(tx, asChange))
  if (place === null) return null
  const looked = await lookUp(deps.remote, deps.cipher, asChange, parent, place)
  if (!looked.ok) return lookFailed(deps, change, looked.error)
  if (looked.value !== null) return null
  deps.mirror.write((tx) => {
    putChange(tx, { ...change, state: 'queued' })
    applyGone(tx, parent, null, applyContext(deps))
  })
  deps.onChange(['projects', 'environments', 'variables', 'queue', 'sync'])
  return done
}

function retryLater(deps: EngineDeps, change: Change, error: RemoteError): Pushed {
  // After a failed If-Match or a taken name the look has brought what is new: send at once on the new base.
  if (error.kind === 'stale') {
    requeue(deps, change, null)
    return done
  }
  if (error.kind === 'missing' || error.kind === 'taken') {
    if (error.kind === 'missing') park(deps, change, 'blocked', blockedReason(change))
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

function requeue(deps: EngineDeps, change: Change, nextAttemptAt: number | null, reason: string | null = null): void {
  deps.mirror.write((tx) => putChange(tx, { ...change, state: 'queued', nextAttemptAt, reason }))
  deps.onChange(['queue'])
}

function park(deps: EngineDeps, change: Change, state: 'blocked' | 'failed', reason: string): void {
  deps.mirror.write((tx) => putChange(tx, { ...change, state, reason, nextAttemptAt: null }))
  deps.onChange(['queue', 'sync'])
}

function parkTaken(deps: EngineDeps, change: Change): void {
  const conflict = { kind: 'name-taken' as const, theirs: null, by: null }
  deps.mirror.write((tx) =>
    putChange(tx, { ...change, state: 'conflict', conflict, reason: conflictReason('name-taken'), nextAttemptAt: null }),
  )
  deps.onChange(['queue', 'sync'])
}

const verbs = { create: 'creating', update: 'changing', delete: 'deleting' }

const blockedReason = (change: Change): string =>
  `This service offers no way of ${verbs[change.kind]} a ${change.rowKind}. The change is kept here until it does.`

export const applyContext = (deps: EngineDeps) => ({ now: deps.now(), newId: deps.newId })
