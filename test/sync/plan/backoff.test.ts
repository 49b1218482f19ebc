import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryDelay } from '../../../electron/sync/plan/backoff.ts'

describe('retryDelay', () => {
  test.each([
    { failures: 1, random: 0, after: null, delay: 0 },
    { failures: 1, random: 0.5, after: null, delay: 500 },
    { failures: 4, random: 0.5, after: null, delay: 4_000 },
    { failures: 9, random: 0.5, after: null, delay: 128_000 },
    { failures: 10, random: 0.5, after: null, delay: 150_000 },
    { failures: 1_000, random: 0.999, after: null, delay: 299_700 },
    { failures: 1, random: 0, after: 60_000, delay: 60_000 },
    { failures: 10, random: 0.9, after: 1_000, delay: 270_000 },
  ])('after $failures failures, drawing $random, asked for $after, waits $delay ms', ({ failures, random, after, delay }) => {
    expect(retryDelay(failures, random, after)).toBe(delay)
  })

  test('a wait is never shorter than the service asked for, never longer than five minutes beyond it', () => {
    const any = fc.tuple(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), fc.option(fc.nat(3_600_000)))
    fc.assert(
      fc.property(any, ([failures, random, after]) => {
        const delay = retryDelay(failures, random, after)
        expect(delay).toBeGreaterThanOrEqual(after ?? 0)
        expect(delay).toBeLessThanOrEqual(Math.max(after ?? 0, 300_000))
        expect(Number.isInteger(delay)).toBe(true)
      }),
    )
  })
})
