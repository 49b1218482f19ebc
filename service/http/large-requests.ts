import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { bodyLimit } from '../protocol/limits.ts'
import { principalOf } from './authenticate.ts'

/** Smaller requests are handled at once. */
export const largeBytes = 65_536
/** Total bytes of large bodies and answers in progress; each takes several copies in memory. */
const bytesAtOnce = 16 * 1024 * 1024
/**
 * The most of these that one key may use. A larger answer, a whole version, counts as so many: as long as its client does not read it, there
 * is room for others.
 */
const bytesOfKey = 6 * 1024 * 1024

interface Waiting {
  who: string
  bytes: number
  enter: () => void
}

/** Admits a few large bodies and answers at a time, each key its share; the others wait while small requests pass. */
export interface LargeRequests {
  /** Waits until there is room for the body of a request, before reading any of it. For routes with a body. */
  beforeBody: preParsingHookHandler
  /** Waits until an answer of so many bytes may be made. Its room is freed when the answer is sent or aborted. */
  admit(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> | undefined
}

/** A budget of bytes for large requests. `enter` resolves with a function that returns the bytes of `who`. */
const createRoom = () => {
  const taken = new Map<string, number>()
  const waiting: Waiting[] = []
  let used = 0
  let isWaking = false
  const fitsAll = (bytes: number) => used + bytes <= bytesAtOnce
  const fitsKey = (who: string, bytes: number) => (taken.get(who) ?? 0) + bytes <= bytesOfKey
  const take = (who: string, bytes: number) => {
    used += bytes
    taken.set(who, (taken.get(who) ?? 0) + bytes)
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
  const free = (who: string, bytes: number) => {
    used -= bytes
    const rest = (taken.get(who) ?? 0) - bytes
    if (rest > 0) taken.set(who, rest)
    else taken.delete(who)
    wakeSoon()
  }
  return {
    enter: (who: string, bytes: number): Promise<() => void> =>
      new Promise((resolve) => {
        let isFree = false
        const leave = () => {
          if (!isFree) free(who, bytes)
          isFree = true
        }
        waiting.push({ who, bytes, enter: () => resolve(leave) })
        wakeSoon()
      }),
  }
}

/** The announced size of a request's body in bytes; the limit when it announces none. */
export const announcedBytes = ({ headers }: FastifyRequest): number => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length !== undefined) return Number(length)
  return encoding === undefined ? 0 : bodyLimit
}

/** Makes the limits that the requests of one service share. */
export const createLargeRequests = (): LargeRequests => {
  const room = createRoom()
  const enter = async (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> => {
    const leave = await room.enter(principalOf(request).keyId, Math.min(bytes, bytesOfKey))
    // The client disconnected while waiting: there is no answer to send.
    if (reply.raw.destroyed) leave()
    else for (const event of ['finish', 'close']) reply.raw.once(event, leave)
  }
  return {
    beforeBody: (request, reply, payload, done) => {
      const bytes = announcedBytes(request)
      const goOn = () => done(null, payload)
      // Bodies above the limit are refused unread.
      if (bytes < largeBytes || bytes > bodyLimit) goOn()
      else void enter(request, reply, bytes).then(goOn)
    },
    admit: (request, reply, bytes) => (bytes < largeBytes ? undefined : enter(request, reply, bytes)),
  }
}
