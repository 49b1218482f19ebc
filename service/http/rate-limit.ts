import type { FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from '../store/refusal.ts'

const windowMs = 60_000
/** Callers told apart in one window; those above share one count, so that a flood of addresses needs no memory. */
const callersKept = 10_000
const allOthers = ''

const tooMany = (waitMs: number): Refusal => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Refusal(errorCodes.tooManyRequests, `Too many requests. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds })
}

/** Counts requests of each caller in windows of a minute; `most` is how many of one pass, null: all. Throws a 429 Refusal. */
const createCounter = (most: number | null, now: () => number): ((caller: string) => void) => {
  if (most === null) return () => undefined
  const counts = new Map<string, number>()
  let began = Number.NEGATIVE_INFINITY
  return (caller) => {
    const at = now()
    // Also when the system's clock was set back.
    if (at - began >= windowMs || at < began) {
      began = at
      counts.clear()
    }
    const who = counts.has(caller) || counts.size < callersKept ? caller : allOthers
    const count = (counts.get(who) ?? 0) + 1
    counts.set(who, count)
    if (count > most) throw tooMany(began + windowMs - at)
  }
}

/** Some proxies forward the port of a connection with its address. */
const withPort = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/

/** The /64 prefix of an IPv6 address, which one household or machine owns whole, or another address; both without a port. */
export const networkOf = (forwarded: string): string => {
  const { v4, v6 } = withPort.exec(forwarded)?.groups ?? {}
  const address = v4 ?? v6 ?? forwarded
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

export interface RateLimits {
  /** Counts a request of a key. Throws a 429 Refusal with Retry-After. */
  countKey(keyId: string): void
  /** Counts a request without a valid key by the network it comes from. Throws a 429 Refusal with Retry-After. */
  countStranger(request: FastifyRequest): void
}

/** Limits the requests a minute of each key, and of each address without one; null: no limit. Each process counts for itself. */
export const createRateLimits = (most: { ofKey: number | null; ofStranger: number | null }, now: () => number): RateLimits => {
  const countKey = createCounter(most.ofKey, now)
  const countNetwork = createCounter(most.ofStranger, now)
  return { countKey, countStranger: (request) => countNetwork(networkOf(request.ip)) }
}
