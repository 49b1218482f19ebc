import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { bodyLimit } from '../protocol/limits.ts'

/** What is smaller is handled at once. */
export const largeBytes = 65_536
/** Bytes of large bodies and answers that are handled at a time; in memory each is several copies. */
const bytesAtOnce = 16 * 1024 * 1024
/** How many of these one key takes at most. */
const bytesOfKey = 6 * 1024 * 1024

interface Waiting {
  who: string
  bytes: number
  enter: () => void
}

/** Lets large bodies and answers in a few at a time, each key its share; the others wait, and small requests pass between them. */
export interface LargeRequests {
  /** Waits until there is room for the body of a request: no byte of it is read before. For routes that take one. */
  beforeBody: preParsingHookHandler
  /** Waits until an answer of so many bytes may be made. Its room is free again when the answer is sent or given up. */
  admit(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> | undefined
}

/** Makes room for large requests. `who` owns the bytes; a function that gives them back follows. */
const createRoom = () => {
  const taken = new Map<string, number>()
  const waiting: Waiting[] = []
  let used = 0
  let isWaking = false
  // What is larger than all there is goes alone.
  const fitsAll = (bytes: number) => used === 0 || used + bytes <= bytesAtOnce
  const fitsKey = (who: string, bytes: number) => {
    const own = taken.get(who) ?? 0
    return own === 0 || own + bytes <= bytesOfKey
  }
  const take = (who: string, bytes: number) => {
    used += bytes
    taken.set(who, (taken.get(who) ?? 0) + bytes)
  }
  /** Lets the next one in, and those after it in turns of their own, so that small requests are answered in between. */
  const wake = () => {
    isWaking = false
    const index = waiting.findIndex(({ who, bytes }) => fitsKey(who, bytes))
    const next = waiting[index]
    // Who is first and fits its share waits for all others: nobody passes it.
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

/** How many bytes the body of a request has, as far as it says; as many as are allowed where it does not. */
export const announcedBytes = ({ headers }: FastifyRequest): number => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length !== undefined) return Number(length)
  return encoding === undefined ? 0 : bodyLimit
}

/** Makes the limits that the requests of one service share. */
export const createLargeRequests = (): LargeRequests => {
  const room = createRoom()
  const enter = async (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> => {
    const leave = await room.enter(request.principal?.keyId ?? '', bytes)
    // Who went away while waiting is told nothing, and will be no more.
    if (reply.raw.destroyed) leave()
    else for (const event of ['finish', 'close']) reply.raw.once(event, leave)
  }
  return {
    beforeBody: (request, reply, payload, done) => {
      const bytes = announcedBytes(request)
      const goOn = () => done(null, payload)
      // What is above the limit is refused unread.
      if (bytes < largeBytes || bytes > bodyLimit) goOn()
      else void enter(request, reply, bytes).then(goOn)
    },
    admit: (request, reply, bytes) => (bytes < largeBytes ? undefined : enter(request, reply, bytes)),
  }
}
