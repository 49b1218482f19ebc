import { isOperation, type Entry } from '../../queue/entry.ts'
import { isDue } from './backoff.ts'
import { Gate, inOrderOfSending, lanesOf } from './gate.ts'

/** Entries of one lane that go out in one request, in order. */
export type Push = [Entry, ...Entry[]]

export interface PushLimits {
  /** So many entries go in one request. */
  entries: number
  /** Entries at the beginning of the queue that are looked at first. */
  window?: number
}

/** Characters of sealed text in one request: proxies often refuse more than a megabyte. */
const mostCharacters = 500_000
/** Enough to keep some lanes busy, short enough to be looked at after every request. */
const defaultWindow = 600

/**
 * The entries that may be sent now: at most one request a lane, none of which could hurt another. Pure, so that the order of sending
 * can be proven. `queue` holds every unsent entry in order of `seq`; `now` is milliseconds since the epoch.
 *
 * An entry waits for an earlier one that waits in one of its lanes, on its row, on its names, or on its parents; and, wherever in the queue
 * that is, for the creation of its parents. A parked one holds back only its row, its children, claimants of its names, and barriers.
 * Several entries of a lane go together as long as none of them waits for the answer to another.
 */
export function nextPush(queue: readonly Entry[], now: number, { entries, window = defaultWindow }: PushLimits): Push[] {
  // Whether an entry may go depends on those before it and on parents to be created; without such parents the beginning of the queue tells.
  const hasLateParent = queue.slice(window).some((entry) => entry.rowKind !== 'variable' && mayMakeParent(entry))
  const first = hasLateParent ? [] : readyOf(queue.slice(0, window), now, entries)
  return first.length > 0 ? first : readyOf(queue, now, entries)
}

/**
 * Requests of different lanes put together as far as one request takes them, for a service that answers each change of a request by itself: an import
 * into a hundred environments is then a few requests.
 */
export function joinPushes(pushes: readonly Push[], { entries }: Pick<PushLimits, 'entries'>): Push[] {
  const joined: Push[] = []
  let open: Open | null = null
  for (const push of pushes) {
    const sizes = push.map(sizeOf)
    const characters = sizes.reduce<number>((sum, size) => sum + (size ?? Number.POSITIVE_INFINITY), 0)
    if (open !== null && open.push.length + push.length <= entries && open.characters + characters <= mostCharacters) {
      open.push.push(...push)
      open.characters += characters
    } else {
      const [first, ...rest] = push
      const request: Open = { push: [first, ...rest], characters }
      joined.push(request.push)
      if (characters <= mostCharacters) open = request
    }
  }
  return joined
}

const mayMakeParent = ({ kind, conflict }: Entry): boolean => kind === 'create' || conflict?.kind === 'name-taken'

/** A request that may still grow. */
interface Open {
  push: Push
  characters: number
}

function readyOf(queue: readonly Entry[], now: number, limit: number): Push[] {
  const gate = new Gate(queue)
  const pushes: Push[] = []
  /** Who goes out in each lane: a request that may grow, or one that nothing may join. */
  const lanes = new Map<string, Open | 'closed'>()
  for (const entry of inOrderOfSending(queue)) {
    const ownLanes = lanesOf(entry)
    const [open, ...elsewhere] = ownLanes.map((lane) => lanes.get(lane))
    const isReady = entry.state === 'queued' && isDue(entry.nextAttemptAt, now) && gate.holds(entry) === null
    const size = sizeOf(entry)
    if (isReady && open === undefined && elsewhere.every((other) => other === undefined)) {
      const push: Push = [entry]
      pushes.push(push)
      const grows = size === null ? ('closed' as const) : { push, characters: size }
      for (const lane of ownLanes) lanes.set(lane, grows)
      gate.add(entry)
    } else if (isReady && canJoin(open, elsewhere, size, limit)) {
      open.push.push(entry)
      open.characters += size ?? 0
      for (const lane of ownLanes) lanes.set(lane, open)
      gate.add(entry)
    } else if (gate.add(entry) === 'moves on') {
      for (const lane of ownLanes) lanes.set(lane, 'closed')
    }
  }
  return pushes
}

/** Whether an entry may go along: nothing but the same request is on its way in any of its lanes. */
const canJoin = (
  open: Open | 'closed' | undefined,
  others: readonly (Open | 'closed' | undefined)[],
  size: number | null,
  limit: number,
): open is Open =>
  open !== undefined &&
  open !== 'closed' &&
  size !== null &&
  others.every((other) => other === undefined || other === open) &&
  open.push.length < limit &&
  open.characters + size <= mostCharacters

/** How much of a request an entry takes; null for one that goes alone. */
function sizeOf(entry: Entry): number | null {
  // One that failed before may be the one that the service fails at.
  if (isOperation(entry) || entry.rowKind !== 'variable' || entry.attempts > 1) return null
  return (entry.patch.value?.sealed.length ?? 0) + 500
}
