import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { getChange, putChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { BulkAnswer, BulkVariable, RemoteError } from '../../remote/remote.ts'
import { retryDelay } from '../plan/backoff.ts'
import type { BaseRow, Change, WirePlace } from '../../queue/entry.ts'
import { verdictOn } from '../plan/verdict.ts'
import { applyContext } from './apply-context.ts'
import { applyGone, applyUpsert, settle, stampsOf } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { checkAbove } from './find-record.ts'
import { lookUp } from './look-up.ts'
import { wirePlace } from './places.ts'
import { lookAfter, pushChange, recoverChange, type Pushed } from './push-change.ts'
import { variableRow, type RemoteRow } from './remote-row.ts'
import { takeBack } from './take-back.ts'

/**
 * So often a request that the server fails at is repeated; then each of its changes is looked for by itself. What the network does to it
 * does not count: looked for alone, a new variable that somebody renamed since would not be found, and would be made again.
 */
const maxRepeats = 5

const done: Pushed = { do: 'done' }
const allRows = ['projects', 'environments', 'variables', 'queue', 'sync'] as const

/** noBulk: this server takes one variable at a time. `forGood`: it takes several, and does not heed that a name must be free. */
export type BatchPushed = Pushed | { do: 'noBulk'; forGood: boolean }

/**
 * Sends several changes of one lane (`eligibleBatches`) in one request, answered one by one. Each item says what it was made on: a create
 * that its name is free, an update the ETag it is to change, so that the server refuses what a single request would be refused for. Until
 * the outcome is known, all of them stay `sending` under the mark of the request, and nothing but the same request goes out for them: the
 * server answers it as the first time, however late that one arrives.
 */
export async function pushBatch(deps: EngineDeps, chosen: readonly [Change, ...Change[]]): Promise<BatchPushed> {
  const id = deps.newId()
  const members = deps.mirror.write((tx): Change[] => {
    const place = wirePlace(tx, chosen[0])
    const ready = place === null ? [] : chosen.slice(0, lengthReady(tx, chosen, deps.heedsEtags?.() === false))
    if (place === null || ready.length < 2) return []
    return ready.map((change) => {
      const sentTo = change.kind === 'create' ? place : null
      const batch = { id, size: ready.length, ...place }
      const sending: Change = { ...change, sentTo, batch, state: 'sending', attempts: 1, nextAttemptAt: null, reason: null }
      putChange(tx, sending)
      return sending
    })
  })
  if (members.length === 0) return pushChange(deps, chosen[0])
  deps.onChange(['queue'])
  return sendBatch(deps, members)
}

/** How many of the first are still what they were when they were chosen, and can say what they were made on. */
function lengthReady(tx: Tx, chosen: readonly Change[], isUnheeded: boolean): number {
  const first = chosen.findIndex((each) => {
    const change = getChange(tx, each.id)
    const isSame = change?.state === 'queued' && JSON.stringify(change.patch) === JSON.stringify(each.patch)
    return !isSame || (each.kind === 'update' && (isUnheeded || getBase(tx, each.rowId)?.etag == null))
  })
  return first < 0 ? chosen.length : first
}

/** Settles a request for several changes whose outcome is unknown: repeats it, or looks for each when that does not help. */
export async function recoverBatch(deps: EngineDeps, members: readonly Change[]): Promise<BatchPushed> {
  const [first] = members
  // One that is missing went away with its environment; without it the request is another one.
  if (first === undefined || members.length !== first.batch?.size || first.attempts > maxRepeats) return lookForEach(deps, members)
  const repeated = deps.mirror.write((tx) =>
    members.map((change) => {
      const sending: Change = { ...change, attempts: change.attempts + 1, nextAttemptAt: null, reason: null }
      putChange(tx, sending)
      return sending
    }),
  )
  return sendBatch(deps, repeated)
}

async function lookForEach(deps: EngineDeps, members: readonly Change[]): Promise<Pushed> {
  const alone = deps.mirror.write((tx) =>
    members.map((change) => {
      const single: Change = { ...change, batch: null }
      putChange(tx, single)
      return single
    }),
  )
  for (const change of alone) {
    const looked = await recoverChange(deps, change)
    if (looked.do === 'wait' || looked.do === 'pause') return looked
  }
  return done
}

async function sendBatch(deps: EngineDeps, members: readonly Change[]): Promise<BatchPushed> {
  const batch = members[0]?.batch
  if (batch == null) return done
  const place = { project: batch.project, environment: batch.environment }
  const items = deps.mirror.snapshot((tx) => members.map((change) => itemOf(change, getBase(tx, change.rowId))))
  const sent = await deps.remote.upsertVariables(place.project, place.environment, items, { idempotencyKey: batch.id })
  return sent.ok ? answered(deps, members, sent.value, place) : failed(deps, members, sent.error)
}

function itemOf({ kind, patch }: Change, base: BaseRow | null): BulkVariable {
  const { value, type, isSecret } = patch
  return {
    name: patch.name ?? base?.fields.name ?? '',
    value: value?.sealed ?? '',
    ...(type === undefined ? {} : { type }),
    ...(isSecret === undefined ? {} : { isSecret }),
    ...(kind === 'create' ? { ifNoneMatch: '*' as const } : { ifMatch: base?.etag ?? '' }),
  }
}

/** The request as a whole was not answered as one. */
async function failed(deps: EngineDeps, members: readonly Change[], error: RemoteError): Promise<BatchPushed> {
  const [first] = members
  if (first === undefined) return done
  const isRepeat = first.attempts > 1
  if (error.outcome === 'unknown') return waits(deps, members, error, true)
  if (error.kind === 'offline' || error.kind === 'busy' || error.kind === 'redirected' || error.kind === 'unauthorized') {
    store(deps, members, (change) => (isRepeat ? { ...change, attempts: change.attempts - 1 } : neverSent(change)))
    return error.kind === 'unauthorized' ? { do: 'pause', error } : { do: 'wait', error }
  }
  // Refused, though the first time nobody knows: another request than the first to this server, or one it has forgotten.
  if (isRepeat) return lookForEach(deps, members)
  store(deps, members, neverSent)
  if (error.kind !== 'missing') return { do: 'noBulk', forGood: false }
  const above = await checkAbove(deps, first.ancestors)
  // Not the route is missing then, but the environment under this slug: each change finds out by itself.
  return above.ok && above.value === 'there' ? { do: 'noBulk', forGood: false } : pushChange(deps, neverSent(first))
}

/** Nothing tells what became of it: the same request again, later. `isAnswer`: the error is of that request, not of a look after it. */
function waits(deps: EngineDeps, members: readonly Change[], error: RemoteError, isAnswer: boolean): Pushed {
  if (error.kind === 'unauthorized') return { do: 'pause', error }
  const nextAttemptAt = deps.now() + retryDelay(members[0]?.attempts ?? 1, deps.random(), null)
  const counts = isAnswer && (error.kind === 'server-failed' || error.kind === 'not-a-service')
  const back = counts ? 0 : 1
  store(deps, members, (change) => ({ ...change, attempts: Math.max(1, change.attempts - back), nextAttemptAt, reason: error.message }))
  return error.kind === 'server-failed' ? done : { do: 'wait', error }
}

const neverSent = (change: Change): Change => ({
  ...change,
  state: 'queued',
  attempts: 0,
  sentTo: null,
  batch: null,
  nextAttemptAt: null,
  reason: null,
})

function store(deps: EngineDeps, members: readonly Change[], become: (change: Change) => Change): void {
  deps.mirror.write((tx) => {
    for (const change of members) if (isSending(tx, change)) putChange(tx, become(change))
  })
  deps.onChange(['queue'])
}

const isSending = (tx: Tx, change: Change): boolean => getChange(tx, change.id)?.state === 'sending'

/** One change with what the server said about it. */
interface Item {
  change: Change
  /** The record as the server shows it, and as it is now where the answer may be an old one; null: gone since. */
  row: RemoteRow | null
  now: RemoteRow | null
  isStray: boolean
  error: RemoteError | null
}

/** The server answered for each: everything it did is stored in one transaction, and what it refused is looked at after that. */
async function answered(
  deps: EngineDeps,
  members: readonly Change[],
  answers: readonly BulkAnswer[],
  place: WirePlace,
): Promise<BatchPushed> {
  const items = await readItems(deps, members, answers, place)
  if (!items.ok) return waits(deps, members, items.error, false)
  const refused: { change: Change; error: RemoteError }[] = []
  deps.mirror.write((tx) => {
    for (const item of items.value.items) {
      const left = storeItem(deps, tx, item)
      if (left !== null && item.error !== null) refused.push({ change: left, error: item.error })
    }
    // What has its slug by now is another's: sent there again, it would be taken back again, for ever.
    const { gone } = items.value
    if (gone !== null && getBase(tx, gone.id) !== null) applyGone(tx, gone, null, applyContext(deps))
  })
  deps.onChange(allRows)
  for (const { change, error } of refused) {
    const looked = await lookAfter(deps, change, place, error)
    if (looked.do === 'wait' || looked.do === 'pause') return looked
  }
  // Only a name that is free was to be taken. A server that says it changed what was there would do so with the next one too.
  const isUnheeded = members.some((change, index) => change.kind === 'create' && overwrites.has(answers[index]?.status ?? 'failed'))
  return isUnheeded ? { do: 'noBulk', forGood: true } : done
}

const overwrites = new Set<BulkAnswer['status']>(['updated', 'unchanged'])

/**
 * What the answers mean now. What was made in another's place, because the slug is another's by now, is taken back before anything is
 * stored: until then the request is the one thing that knows of it. `gone`: what is not there any more above them. An answer to a repeated request may be older than it looks.
 */
async function readItems(
  deps: EngineDeps,
  members: readonly Change[],
  answers: readonly BulkAnswer[],
  place: WirePlace,
): Promise<Result<{ items: Item[]; gone: BaseRow | null }, RemoteError>> {
  const items: Item[] = []
  for (const [index, change] of members.entries()) {
    const answer = answers[index]
    if (answer === undefined) continue
    if (answer.status === 'failed') {
      items.push({ change, row: null, now: null, isStray: false, error: answer.error })
      continue
    }
    const row = variableRow(answer.record, deps.cipher)
    const { parent, base, here } = deps.mirror.snapshot((tx) => ({
      parent: getBase(tx, change.ancestors[0] ?? ''),
      base: getBase(tx, change.rowId),
      here: wirePlace(tx, change) ?? place,
    }))
    const isStray = parent !== null && row.parentRemoteId !== parent.remoteId
    // Only what this request made is taken back: an update that met another's variable must not take that one away too.
    if (isStray && change.kind === 'create' && answer.status === 'created') {
      const taken = await takeBack(deps, change, row, place)
      if (!taken.ok) return taken
    }
    let now: RemoteRow | null = row
    if (!isStray && change.attempts > 1) {
      const asBase: BaseRow = { id: change.rowId, kind: 'variable', parentId: null, fields: row.fields, ...stampsOf(row) }
      const looked = await lookUp(deps.remote, deps.cipher, change, base ?? asBase, here)
      if (!looked.ok) return err(looked.error)
      now = looked.value
    }
    items.push({ change, row, now, isStray, error: null })
  }
  const [first] = members
  if (first === undefined || !items.some(({ isStray }) => isStray)) return ok({ items, gone: null })
  const above = await checkAbove(deps, first.ancestors)
  if (!above.ok) return above
  return ok({ items, gone: typeof above.value === 'string' ? null : above.value })
}

/** Stores one of them; gives the change back when the server did not act and the record has to be looked at. */
function storeItem(deps: EngineDeps, tx: Tx, { change, row, now, isStray, error }: Item): Change | null {
  const context = applyContext(deps)
  if (!isSending(tx, change)) {
    // Gone while it was under way: with its parent, or taken over by a new one. Then what it made comes like anybody's.
    const isPlaced = change.ancestors.every((id) => getBase(tx, id) !== null)
    if (now !== null && !isStray && isPlaced) applyUpsert(tx, now, change.ancestors[0] ?? null, context)
    return null
  }
  if (isStray) {
    putChange(tx, { ...neverSent(change), id: context.newId() })
    return null
  }
  if (row !== null) {
    settle(tx, change, now ?? row, context)
    const base = now === null ? getBase(tx, change.rowId) : null
    if (base !== null) applyGone(tx, base, null, context)
    return null
  }
  const isKnown = error?.outcome === 'none'
  const alone: Change = { ...change, batch: null, ...(isKnown ? { sentTo: null } : {}) }
  const isRefused = error !== null && verdictOn(change, error).do === 'fail' && error.kind !== 'taken'
  putChange(tx, isRefused ? { ...alone, state: 'failed', reason: error.message, nextAttemptAt: null } : alone)
  return isRefused ? null : alone
}
