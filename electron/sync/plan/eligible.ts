import { isDue } from './backoff.ts'
import { isAct, isParked, type Queued } from '../../queue/entry.ts'
import { touchedKeys } from '../../queue/natural-key.ts'

/**
 * The lane of a change, first in, first out: one for the variables and versions of an environment, one for the members, one for each
 * project and environment itself. What ties these to each other are creations and barriers, not the lane: an environment that
 * has to be created again comes later in the queue than the edits below it, and must still go first.
 */
export function laneOf(change: Queued): string {
  if (change.rowKind === 'member') return 'members'
  return change.rowKind === 'variable' || change.rowKind === 'version' ? (change.ancestors[0] ?? '') : `row:${change.rowId}`
}

/** The row below which everything has to be settled before this change, and must wait for it; null: it is no barrier. */
function barrierAt(change: Queued): string | null {
  if (change.rowKind === 'version') return change.ancestors[0] ?? null
  if (isAct(change) || change.rowKind === 'variable') return null
  const isBarrier =
    change.kind === 'delete' || (change.kind === 'update' && change.patch.slug !== undefined) || change.conflict?.kind === 'name-taken'
  return isBarrier ? change.rowId : null
}

/** Met another's project or environment under its name: whether what was queued below belongs there, also before, is the user's choice. */
const isUndecided = ({ conflict, kind, rowKind, ...change }: Queued): boolean =>
  conflict?.kind === 'name-taken' && kind === 'update' && rowKind !== 'variable' && 'base' in change && change.base === null

/** Whether what is below a row waits for this change, wherever in the queue it stands. */
const isNotThere = (change: Queued): boolean => change.kind === 'create' || isUndecided(change)

/** Whether later changes below the barrier wait for it. A snapshot or rollback that waits for the user holds up nobody's edits. */
const holdsBelow = (change: Queued): boolean => !(isAct(change) && isParked(change))

/**
 * The changes that may be sent now, at most one a lane, none of which could hurt another: pure, so that the order of
 * sending can be proven. `queue` holds every unsent change in order of `seq`; `now` is milliseconds since the epoch.
 *
 * A change waits for an earlier one that is in flight or waiting in its lane, on its row, on its names, or
 * on its parents; and, whatever the order, for the creation of its parents, and for the copy it is to be deleted after. A parked change holds back
 * only its row, its children, claimants of its names, and barriers.
 */
export const eligibleChanges = (queue: readonly Queued[], now: number): Queued[] => eligibleBatches(queue, now).map(([first]) => first)

/** What goes out in one request: one change, or the first of several of its lane that may follow it in the same. */
export type EligibleBatch = [Queued, ...Queued[]]

/** So many variables the service takes at once. */
const batchLimit = 200
/** Characters of sealed text in one request: what stands before a service often refuses more than a megabyte. */
const batchCharacters = 500_000

/**
 * The same with what may go along: new variables and new values of one environment, as long as nothing but these stands between them in
 * their lane. Of one row or name there is never more than one in a batch, since the second depends on the answer to the first.
 */
export function eligibleBatches(queue: readonly Queued[], now: number): EligibleBatch[] {
  const notThere = new Set(queue.filter(isNotThere).map((change) => change.rowId))
  /** The first unsettled change of each row. */
  const firstOf = new Map<string, number>()
  for (const { rowId, seq } of queue) firstOf.set(rowId, Math.min(firstOf.get(rowId) ?? seq, seq))
  const waiting = new Gate()
  const eligible: EligibleBatch[] = []
  /** Batches that may still grow, by lane. */
  const growing = new Map<string, { batch: EligibleBatch; characters: number }>()
  for (const change of inOrderOfSending(queue)) {
    const lane = laneOf(change)
    // What is done to the copy later is none of the move's: it may be waiting for this very delete.
    const copiedAt = isAct(change) || change.after == null ? undefined : firstOf.get(change.after)
    const isMoved = copiedAt !== undefined && copiedAt < change.seq
    const isReady =
      change.state === 'queued' && isDue(change.nextAttemptAt, now) && !isMoved && !change.ancestors.some((id) => notThere.has(id))
    const characters = charactersOf(change)
    const open = growing.get(lane)
    if (isReady && !waiting.holds(change)) {
      const batch: EligibleBatch = [change]
      eligible.push(batch)
      if (characters !== null) growing.set(lane, { batch, characters })
      waiting.add(change)
    } else if (open !== undefined && isReady && characters !== null && !waiting.holdsBesidesItsLane(change) && fits(open, characters)) {
      open.batch.push(change)
      open.characters += characters
      waiting.add(change)
    } else if (waiting.add(change) === 'holdsLane') growing.delete(lane)
  }
  return eligible
}

/** Enough to keep some lanes busy, short enough to be looked at after every change sent. */
const windowSize = 600

/**
 * What to send next, not all that may be. Whether a change may go depends only on those before it and on places that are not there yet, so of a
 * long queue without such places its beginning (`size` changes) tells; all of it is looked at when nothing there may go.
 */
export function nextBatches(queue: readonly Queued[], now: number, size: number = windowSize): EligibleBatch[] {
  const waitsForLater = queue.slice(size).some((change) => change.rowKind !== 'variable' && isNotThere(change))
  const first = waitsForLater ? [] : eligibleBatches(queue.slice(0, size), now)
  return first.length > 0 ? first : eligibleBatches(queue, now)
}

const fits = ({ batch, characters }: { batch: EligibleBatch; characters: number }, more: number): boolean =>
  batch.length < batchLimit && characters + more <= batchCharacters

/** How much of a batch a change takes; null for one that goes alone, as what was ever sent alone does: that request is frozen. */
function charactersOf(change: Queued): number | null {
  if (isAct(change) || change.rowKind !== 'variable' || change.attempts > 0) return null
  const { value, name } = change.patch
  const isNew = change.kind === 'create' && name !== undefined
  const isNewValue = change.kind === 'update' && name === undefined
  return value !== undefined && (isNew || isNewValue) ? value.sealed.length + 500 : null
}

/**
 * The order of `seq`, but a creation comes before everything below it. A place that somebody deleted is queued to be created
 * again after the edits it is for; at its own time it would wait for a barrier that waits for them.
 */
function inOrderOfSending(queue: readonly Queued[]): Queued[] {
  const earliest = new Map<string, number>()
  for (const change of queue) {
    for (const id of change.ancestors) earliest.set(id, Math.min(earliest.get(id) ?? change.seq, change.seq))
  }
  // Ties: the one with fewer rows above it is the one that the others are below.
  const place = (change: Queued): number =>
    change.kind === 'create' ? Math.min(change.seq, earliest.get(change.rowId) ?? change.seq) : change.seq
  const isInOrder = queue.every((change) => place(change) === change.seq)
  return isInOrder ? [...queue] : queue.toSorted((a, b) => place(a) - place(b) || a.ancestors.length - b.ancestors.length || a.seq - b.seq)
}

/** What the unsettled changes seen so far hold back. Sets, so that a queue of 100,000 is one pass. */
class Gate {
  readonly #lanes = new Set<string>()
  readonly #rows = new Set<string>()
  readonly #keys = new Set<string>()
  readonly #barriers = new Set<string>()
  /** Every row below which something is unsettled. */
  readonly #busyAbove = new Set<string>()
  /** Rows and keys of what is parked, or waits for something that is: it may wait for ever, and must not hold its lane. */
  readonly #stuck = new Set<string>()

  holds(change: Queued): boolean {
    return this.#lanes.has(laneOf(change)) || this.holdsBesidesItsLane(change)
  }

  holdsBesidesItsLane(change: Queued): boolean {
    const barrier = barrierAt(change)
    return (
      this.#rows.has(change.rowId) ||
      change.ancestors.some((id) => this.#barriers.has(id)) ||
      keysOf(change).some((key) => this.#keys.has(key)) ||
      (barrier !== null && this.#busyAbove.has(barrier))
    )
  }

  /** Says whether what comes after it in its lane waits for it. */
  add(change: Queued): 'holdsLane' | 'lets by' {
    const barrier = barrierAt(change)
    const marks = [`row:${change.rowId}`, ...keysOf(change)]
    this.#rows.add(change.rowId)
    for (const key of keysOf(change)) this.#keys.add(key)
    for (const id of change.ancestors) this.#busyAbove.add(id)
    if (barrier !== null && holdsBelow(change)) this.#barriers.add(barrier)
    if (isParked(change) || marks.some((mark) => this.#stuck.has(mark))) {
      for (const mark of marks) this.#stuck.add(mark)
      return 'lets by'
    }
    this.#lanes.add(laneOf(change))
    return 'holdsLane'
  }
}

function keysOf(change: Queued): string[] {
  if (change.rowKind === 'version') return []
  if (isAct(change)) return [`member//${change.detail.email.toLowerCase()}`]
  return touchedKeys(change).map((key) => `${change.rowKind}/${change.ancestors[0] ?? ''}/${key}`)
}
