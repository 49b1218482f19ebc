import { isDeepStrictEqual } from 'node:util'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { newsSince } from '../../mirror/past-layer.ts'
import { advance, changesOfRow, getEntryAt } from '../../mirror/queue-layer.ts'
import { readQueue } from '../../mirror/reads/read-queue.ts'
import type { Tx } from '../../mirror/tx.ts'
import { isChange, isPlaceholder, parentKind, type Entry, type RollbackOperation } from '../../queue/entry.ts'
import { joinPushes, nextPush, type Push } from '../plan/next-push.ts'
import { endOfRound } from '../plan/plan-outcome.ts'
import { startEntry, takesDescendants, type StartFacts } from '../plan/start-entry.ts'
import type { Failure, Outcome, PushItem } from '../port.ts'
import type { EngineDeps } from './engine-deps.ts'
import { pushItemOf, remoteParents, type ParentOf } from './push-item.ts'
import { checkRollback, rollbackNow } from './rollback.ts'
import { writeOutcomes, type TimesStale } from './write-outcomes.ts'

/** How many requests run at once. */
const width = 4

export interface PushOptions {
  timesStale: TimesStale
  isHalted(): boolean
  /**
   * Whether this round has pulled: deletions of projects and environments, which delete everything below, are only sent right after a pull.
   */
  hasPulled: boolean
}

/**
 * Sends the entries that may be sent, a few lanes at once, until the next pull has to come first; returns the failure that ended it.
 * `before`: the present queue.
 */
export async function pushEntries(deps: EngineDeps, before: readonly Entry[], options: PushOptions): Promise<Failure | null> {
  const { mirror, port } = deps
  let queue = before
  let isWhole = true
  while (!options.isHalted()) {
    const ready = nextPush(queue, deps.now(), port.batch)
    const going = ready.filter(([first]) => options.hasPulled || !takesDescendants(first))
    const lanes = going.filter(([first]) => first.kind !== 'rollback')
    const together = joinPushes(lanes, port.batch).slice(0, width)
    // A rollback is sent alone. It reads its environment again, and during another request that could show a row as it was before the
    // answer.
    const pushes = together.length > 0 ? together : going.slice(0, 1)
    if (pushes.length === 0) return null
    // A barrier may not be chosen from a list that may be incomplete.
    if (!isWhole && pushes.some(([first]) => first.rowKind !== 'variable')) {
      queue = await readQueue(mirror)
      isWhole = true
      continue
    }
    const inLine = waitInLine()
    // Waits for all, even when one throws: no request may run into a pull or the next round.
    const settled = await Promise.allSettled(pushes.map((push) => sendPush(deps, push, options, inLine)))
    const ends = settled.map((each) => {
      if (each.status === 'rejected') throw each.reason
      return each.value
    })
    const stopped = ends.find((each) => each.do === 'stop')
    if (stopped !== undefined) return stopped.failure
    if (ends.some((each) => each.do === 'pull')) return null
    // A rollback reads its environment again, which can change every entry in it.
    isWhole = pushes.some(([first]) => first.kind === 'rollback') || ends.some((each) => each.do === 'again')
    if (isWhole) queue = await readQueue(mirror)
    else {
      // Reads only the sent entries again: a long queue would otherwise be read at every step. An edit made in the meantime requests
      // another round.
      const sent = new Set(pushes.flat().map(({ seq }) => seq))
      queue = mirror.snapshot((tx) => queue.flatMap((entry) => (sent.has(entry.seq) ? (getEntryAt(tx, entry.seq) ?? []) : [entry])))
    }
  }
  return null
}

/** again: an entry has changed since it was chosen. pull: the answer names a record that is unknown here. stop: nothing can be sent now. */
type Sent = { do: 'next' } | { do: 'again' } | { do: 'pull' } | { do: 'stop'; failure: Failure }

/** Runs a piece of work in a turn of its own, when those before it are done. */
type InLine = <T>(work: () => T | Promise<T>) => Promise<T>

function waitInLine(): InLine {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(() => yieldToOthers()).then(work)
    last = done.catch(() => null)
    return done
  }
}

/** Sends a push and writes its answer. Its writes and its request each have a turn of their own: together they take too long. */
async function sendPush(deps: EngineDeps, push: Push, { timesStale, isHalted }: PushOptions, inLine: InLine): Promise<Sent> {
  const { mirror, port } = deps
  const [first] = push
  if (first.kind === 'rollback') {
    const checked = await checkRollback(deps, first, isHalted)
    if (checked.do !== 'go') return checked.do === 'stop' ? checked : { do: 'again' }
  }
  const items = await inLine(() =>
    mirror.write((tx) => {
      const parents = remoteParents(tx)
      return push.flatMap((chosen) => start(tx, chosen, parents, deps) ?? [])
    }),
  )
  deps.onChange(['queue', 'sync'])
  if (items.length === 0) return { do: 'again' }
  await yieldToOthers()
  const outcomes = await port.push(items)
  await inLine(() => writeOutcomes(deps, answersOf(items, outcomes), timesStale))
  await yieldToOthers()
  const failure = outcomes.map(endOfRound).find((each) => each !== null)
  if (failure !== undefined) return { do: 'stop', failure }
  if (first.kind === 'rollback') return finishRollback(deps, first, isHalted)
  if (outcomes.some((outcome) => needsPull(deps, outcome))) return { do: 'pull' }
  return items.length < push.length ? { do: 'again' } : { do: 'next' }
}

const answersOf = (items: readonly PushItem[], outcomes: readonly Outcome[]) =>
  items.flatMap(({ entry }, index) => {
    const outcome = outcomes[index]
    return outcome === undefined ? [] : [{ entry, outcome }]
  })

const needsPull = (deps: EngineDeps, outcome: Outcome): boolean =>
  outcome.is === 'changed-below' || (outcome.is === 'missing' && outcome.what === 'parent') || isElsewhere(deps, outcome)

/** Whether others moved the record to a project or environment that nothing here knows yet. */
function isElsewhere({ mirror }: EngineDeps, outcome: Outcome): boolean {
  const current = outcome.is === 'stale' ? outcome.current : null
  const kind = current && parentKind[current.kind]
  const parentRemoteId = current?.parentRemoteId ?? null
  return kind !== null && parentRemoteId !== null && mirror.snapshot((tx) => getBaseByRemote(tx, kind, parentRemoteId)) === null
}

/** Ends a rollback that the service has done: reads the environment, then compares the service's counts with the preview. */
async function finishRollback(deps: EngineDeps, rollback: RollbackOperation, isHalted: () => boolean): Promise<Sent> {
  const entry = deps.mirror.snapshot((tx) => rollbackNow(tx, rollback))
  if (entry === null) return { do: 'again' }
  if (entry.detail.said === undefined) return entry.state === 'queued' ? { do: 'pull' } : { do: 'again' }
  const checked = await checkRollback(deps, entry, isHalted)
  return checked.do === 'stop' ? checked : { do: 'again' }
}

/** Marks an entry as `sending`, and returns it with its facts. Null: it changed since it was chosen, or may not be sent. */
function start(tx: Tx, chosen: Entry, parents: ParentOf, { port, now, newId }: EngineDeps): PushItem | null {
  const entry = getEntryAt(tx, chosen.seq)
  if (entry === null || entry.state !== 'queued' || !isDeepStrictEqual(entry, chosen)) return null
  const item = pushItemOf(tx, entry, parents)
  const event = startEntry(entry, {
    hasNews: takesDescendants(entry) && hasNews(tx, entry),
    limit: port.limitOf(entry),
    parent: parentOf(tx, item),
    isUnguarded: port.hasFeed && item.seen === null,
    now: now(),
    newId,
  })
  const after = event && advance(tx, entry, event)
  return event?.is === 'send' && after !== null ? { ...item, entry: after } : null
}

function parentOf(tx: Tx, { entry, parent }: PushItem): StartFacts['parent'] {
  const { ancestors } = entry
  if (parent !== null || ancestors.length === 0) return 'known'
  if (ancestors.some((id) => isPlaceholder(getBase(tx, id)))) return 'unread'
  return ancestors.some((id) => changesOfRow(tx, id).some(({ kind }) => kind === 'create')) ? 'queued' : 'deleted'
}

/** Whether others added or changed something below a row since the user chose to delete it. */
function hasNews(tx: Tx, entry: Entry): boolean {
  if (!isChange(entry) || entry.seen === null || getBase(tx, entry.rowId) === null) return false
  const { added, changed } = newsSince(tx, entry.rowId, entry.seen)
  return [...Object.values(added), ...Object.values(changed)].some((count) => count > 0)
}
