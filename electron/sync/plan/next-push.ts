import { isOperation, isParked, type Entry } from '../../queue/entry.ts'
import { valueLength } from '../../queue/fields.ts'
import type { Batch } from '../port.ts'
import { isDue } from './backoff.ts'
import { Gate, inOrderOfSending, lanesOf } from './gate.ts'

/** The entries of one request, in order. They are of one lane, or of several after `joinPushes`. */
export type Push = [Entry, ...Entry[]]

export interface PushLimits extends Pick<Batch, 'entries'> {
  /** How many entries at the beginning of the queue are considered first. */
  window?: number
}

/** Characters of sealed text in one request: proxies often refuse more than a megabyte. */
const mostCharacters = 500_000
/** Enough to keep a few lanes busy, and few enough to consider after every request. */
const defaultWindow = 600

/**
 * Returns the requests that may be sent now, at most one per lane, all safe to send at once. An entry waits for earlier entries of its
 * lanes, its row, its names and its parents, and for the creates of its parents wherever they are in the queue. A parked entry holds back
 * only its row, its children, entries that claim its names, and barriers. Entries of a lane share a request if none waits for the answer to
 * another. `queue`: every unsent entry, in order of `seq`. `now`: milliseconds since the epoch.
 */
export function nextPush(queue: readonly Entry[], now: number, { entries, window = defaultWindow }: PushLimits): Push[] {
  // Whether an entry may be sent depends only on earlier entries and on the creates of its parents. If the rest of the queue has no such
  // create, its beginning is enough.
  const hasLateParent = queue.slice(window).some((entry) => entry.rowKind !== 'variable' && mayMakeParent(entry))
  const first = hasLateParent ? [] : readyOf(queue.slice(0, window), now, entries)
  return first.length > 0 ? first : readyOf(queue, now, entries)
}

/**
 * Joins requests of different lanes up to the limits of one request, if the service can take them together: an import into a hundred
 * environments is then a few requests.
 */
export function joinPushes(pushes: readonly Push[], { entries, joinsLanes }: Batch): readonly Push[] {
  if (!joinsLanes) return pushes
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

/** When the next delayed entry is due; null: none is delayed. */
export function earliestRetry(queue: readonly Entry[], now: number): number | null {
  const times = queue.flatMap((entry) => {
    const { nextAttemptAt } = entry
    return isParked(entry) || nextAttemptAt === null || isDue(nextAttemptAt, now) ? [] : [nextAttemptAt]
  })
  return times.length === 0 ? null : Math.min(...times)
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
  /** The request of each lane: open to more entries, or closed. */
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

/** Whether an entry may join the request `open`: none of its lanes has another one, and the request has room. */
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

/** The size of an entry in a request; null for one that is sent alone. */
function sizeOf(entry: Entry): number | null {
  // An entry that failed before may be the one that makes a whole request fail.
  if (isOperation(entry) || entry.rowKind !== 'variable' || entry.attempts > 1) return null
  // A value that an edit doesn't change travels with it: the answer repeats it, and so does the request if the value is bound.
  const isWithValue = entry.kind === 'update' && entry.patch.value === undefined
  return valueLength(isWithValue ? entry.base : entry.patch) + 500
}
