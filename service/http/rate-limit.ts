import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from '../store/refusal.ts'
import type { Soon } from '../store/soon.ts'

/** Requests a minute without a valid key from one address: guessing and hammering end here. */
const strangerRequests = 600

const tooMany = (ttlMs: number): Refusal => {
  const seconds = Math.max(1, Math.ceil(ttlMs / 1000))
  return new Refusal(errorCodes.tooManyRequests, `Too many requests. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds })
}

export interface RateLimits {
  /** Counts a request of a key. Throws a 429 Refusal with Retry-After. */
  countKey(request: FastifyRequest): Soon<void>
  /** Counts a request without a valid key. Throws a 429 Refusal with Retry-After. */
  countStranger(request: FastifyRequest): Soon<void>
}

/** Limits the requests of each key, and of each address without one; null: no limit. Each process counts for itself. */
export const limitRates = async (app: FastifyInstance, requestsPerMinute: number | null): Promise<RateLimits> => {
  if (requestsPerMinute === null) return { countKey: () => undefined, countStranger: () => undefined }
  await app.register(rateLimit, { global: false, timeWindow: 60_000 })
  const byKey = app.createRateLimit({ max: requestsPerMinute, keyGenerator: (request) => request.principal?.keyId ?? request.ip })
  const byAddress = app.createRateLimit({ max: strangerRequests, keyGenerator: (request) => request.ip })
  const counter = (limit: typeof byKey) => async (request: FastifyRequest) => {
    const result = await limit(request)
    if (!result.isAllowed && result.isExceeded) throw tooMany(result.ttl)
  }
  return { countKey: counter(byKey), countStranger: counter(byAddress) }
}
