import type { FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from '../store/refusal.ts'
import { createRequestCounter } from './request-counter.ts'

/** Requests a minute without a valid key from one address: guessing and hammering end here. */
const strangerRequests = 600

const refuseMore = (waitMs: number): void => {
  if (waitMs === 0) return
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  throw new Refusal(errorCodes.tooManyRequests, `Too many requests. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds })
}

export interface RateLimits {
  /** Counts a request of a key. Throws a 429 Refusal with Retry-After. */
  countKey(keyId: string): void
  /** Counts a request without a valid key. Throws a 429 Refusal with Retry-After. */
  countStranger(request: FastifyRequest): void
}

/** Limits the requests of each key, and of each address without one; null: no limit. Each process counts for itself. */
export const limitRates = (requestsPerMinute: number | null, now: () => number): RateLimits => {
  if (requestsPerMinute === null) return { countKey: () => {}, countStranger: () => {} }
  const ofKeys = createRequestCounter(requestsPerMinute)
  const ofStrangers = createRequestCounter(strangerRequests)
  return {
    countKey: (keyId) => refuseMore(ofKeys(keyId, now())),
    countStranger: ({ ip }) => refuseMore(ofStrangers(ip, now())),
  }
}
