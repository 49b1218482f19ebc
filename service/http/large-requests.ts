import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { bodyLimit } from '../protocol/limits.ts'
import { Refusal } from '../store/refusal.ts'
import type { Soon } from '../store/soon.ts'
import { principalOf } from './authenticate.ts'

/** Smaller requests are handled at once. */
export const largeBytes = 65_536
/** Total bytes of large bodies and answers in progress; each takes several copies in memory. */
const bytesAtOnce = 16 * 1024 * 1024
/**
 * How many of these bytes one key may use. A larger answer, such as a whole version, counts as this many: while its client does not read it,
 * there is room for others.
 */
const bytesOfKey = 6 * 1024 * 1024
/** A longer body or answer gets a turn of its own, so that its memory is free before the next. A page of 1,000 short records is shorter. */
const bytesInTurn = 2 * 1024 * 1024

/**
 * Admits a few large bodies and answers at a time, each key its share; the others wait while small requests pass. One that waits too long is
 * refused with 503.
 */
export interface LargeRequests {
  /**
   * Waits, before anything of the request is handled, while the unread answers of this key take more than its share. Those are answers that
   * were not weighed before they were made.
   */
  beforeRequest(request: FastifyRequest): Soon<void>
  /** Waits until there is room for the body of a request, before reading any of it. For routes with a body. */
  beforeBody: preParsingHookHandler
  /** Waits until there is room for an answer of so many bytes. The room is freed when the answer is sent or aborted. */
  admit(request: FastifyRequest, reply: FastifyReply, bytes: number): Soon<void>
  /** The same for a write, which would hold up the others if it waited: throws a 503 Refusal where there is no room. */
  admitNow(request: FastifyRequest, reply: FastifyReply, bytes: number): void
  /** Counts the actual length of an answer in place of the estimate, even if there is no room for it. */
  count(request: FastifyRequest, reply: FastifyReply, bytes: number): void
}

/** The room that one request takes. */
interface Share {
  readonly who: string
  bytes: number
}

interface Waiting {
  who: string
  bytes: number
  enter: () => void
}

const noRoom = (): Refusal =>
  new Refusal(
    errorCodes.unavailable,
    'Other large requests are under way, so this one was not done. Read their answers, then send it again.',
    {
      retryAfterSeconds: 1,
    },
  )

/** A budget of bytes for large requests. */
const createRoom = () => {
  const taken = new Map<string, number>()
  const waiting: Waiting[] = []
  let used = 0
  let isWaking = false
  const takenBy = (who: string) => taken.get(who) ?? 0
  const fitsAll = (bytes: number) => used + bytes <= bytesAtOnce
  const fitsKey = (who: string, bytes: number) => takenBy(who) + bytes <= bytesOfKey
  const take = (who: string, bytes: number) => {
    used += bytes
    const all = takenBy(who) + bytes
    if (all > 0) taken.set(who, all)
    else taken.delete(who)
  }
  /** Lets the next one in, and those after it in turns of their own, so that small requests are answered in between. */
  const wake = () => {
    isWaking = false
    const index = waiting.findIndex(({ who, bytes }) => fitsKey(who, bytes))
    const next = waiting[index]
    // The first one that fits its key's share waits for the others to finish: none overtakes it.
    if (next === undefined || !fitsAll(next.bytes)) return
    waiting.splice(index, 1)
    take(next.who, next.bytes)
    next.enter()
    wakeSoon()
  }
  const wakeSoon = () => {
    if (isWaking || waiting.length === 0) return
    isWaking = true
    setImmediate(wake)
  }
  return {
    isOverdrawn: (who: string): boolean => !fitsKey(who, 0) || (!fitsAll(0) && takenBy(who) > 0),
    /** Waits until `who` can take so many bytes, and takes them. Rejects with a 503 Refusal after `ms`. */
    enter: (who: string, bytes: number, ms: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.splice(waiting.indexOf(one), 1)
          // It may have been the one that the others waited behind.
          wakeSoon()
          reject(noRoom())
        }
        const timer = setTimeout(giveUp, Math.max(0, ms)).unref()
        const enter = () => {
          clearTimeout(timer)
          resolve()
        }
        const one = { who, bytes, enter }
        waiting.push(one)
        wakeSoon()
      }),
    /** Whether `who` can take so many bytes at once, without overtaking others. */
    isFree: (who: string, bytes: number): boolean => bytes <= bytesInTurn && waiting.length === 0 && fitsKey(who, bytes) && fitsAll(bytes),
    fits: (who: string, bytes: number): boolean => fitsKey(who, bytes) && fitsAll(bytes),
    take,
    free: (who: string, bytes: number): void => {
      take(who, -bytes)
      wakeSoon()
    },
  }
}

/** The announced size of a request's body in bytes; the limit when it announces none. */
export const announcedBytes = ({ headers }: FastifyRequest): number => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length !== undefined) return Number(length)
  return encoding === undefined ? 0 : bodyLimit
}

/** Makes the limits that the requests of one service share. `waitMs`: how long one may wait for room, before it is refused with 503. */
export const createLargeRequests = (waitMs: number): LargeRequests => {
  const room = createRoom()
  const shares = new WeakMap<FastifyRequest, Share>()
  const shareOf = (request: FastifyRequest, reply: FastifyReply): Share => {
    const known = shares.get(request)
    if (known !== undefined) return known
    const share: Share = { who: principalOf(request).keyId, bytes: 0 }
    shares.set(request, share)
    for (const event of ['finish', 'close']) reply.raw.once(event, () => change(reply, share, 0))
    return share
  }
  /** Gives a share so many bytes; none if the client has disconnected, because then nothing would free them. */
  const change = (reply: FastifyReply, share: Share, bytes: number) => {
    const next = reply.raw.destroyed ? 0 : bytes
    if (next > share.bytes) room.take(share.who, next - share.bytes)
    else if (next < share.bytes) room.free(share.who, share.bytes - next)
    share.bytes = next
  }
  /** What a request counts as: at most a key's share, so that a key without other large requests is always admitted. */
  const counted = (bytes: number): number => Math.min(bytes, bytesOfKey)
  const enter = (request: FastifyRequest, reply: FastifyReply, bytes: number): Soon<void> => {
    const share = shareOf(request, reply)
    const wanted = Math.max(share.bytes, counted(bytes))
    if (room.isFree(share.who, wanted - share.bytes)) return change(reply, share, wanted)
    return room.enter(share.who, wanted - share.bytes, waitMs - reply.elapsedTime).then(() => {
      share.bytes = wanted
      // The client may have disconnected while it waited.
      change(reply, share, wanted)
    })
  }
  return {
    beforeRequest: (request) => {
      const who = principalOf(request).keyId
      return room.isOverdrawn(who) ? room.enter(who, 0, waitMs) : undefined
    },
    beforeBody: (request, reply, payload, done) => {
      const bytes = announcedBytes(request)
      const goOn = () => done(null, payload)
      // Bodies above the limit are refused unread.
      const entered = bytes < largeBytes || bytes > bodyLimit ? undefined : enter(request, reply, bytes)
      if (entered instanceof Promise) entered.then(goOn, done)
      else goOn()
    },
    admit: (request, reply, bytes) => (bytes < largeBytes ? undefined : enter(request, reply, bytes)),
    admitNow: (request, reply, bytes) => {
      if (bytes < largeBytes) return
      const share = shareOf(request, reply)
      const wanted = counted(bytes)
      if (wanted > share.bytes && !room.fits(share.who, wanted - share.bytes)) throw noRoom()
      change(reply, share, Math.max(share.bytes, wanted))
    },
    count: (request, reply, bytes) => {
      if (bytes >= largeBytes || shares.has(request)) change(reply, shareOf(request, reply), counted(bytes))
    },
  }
}
