import { describe, expect, test } from 'vitest'
import { healthAfter, healthy, isQuiet, isWorthProbing, restOf, type Health } from '../../../electron/sync/plan/health.ts'
import type { Failure } from '../../../electron/sync/port.ts'

const now = 1_000_000
const pollMs = 15_000
const probeMs = 3_000
const sources = { now, random: 0.5 }

const failure = (kind: Failure['kind'], retryAfterMs: number | null = null): Failure => ({ kind, message: `It is ${kind}.`, retryAfterMs })
const afterFailures = (kind: Failure['kind'], times: number, retryAfterMs: number | null = null): Health => {
  let health = healthy
  for (let n = 0; n < times; n += 1) health = healthAfter(health, { is: 'failed', failure: failure(kind, retryAfterMs) }, sources)
  return health
}

describe('after a round that went well', () => {
  test('the next one comes after the usual rest', () => {
    expect(restOf(healthAfter(healthy, { is: 'done', due: null }, sources), now, pollMs, probeMs)).toBe(pollMs)
  })

  test('or when an entry comes due before that', () => {
    expect(restOf(healthAfter(healthy, { is: 'done', due: now + 400 }, sources), now, pollMs, probeMs)).toBe(400)
  })
})

describe('an outage', () => {
  test.each(['offline', 'failed', 'not-a-service'] as const)('of the kind %s is probed, however long the next attempt is away', (kind) => {
    expect(isWorthProbing(afterFailures(kind, 12), now)).toBe(true)
  })

  test('that is over makes the engine look every few seconds for a while, and then as before', () => {
    const back = healthAfter(afterFailures('offline', 12), { is: 'done', due: null }, sources)
    expect(restOf(back, now, pollMs, probeMs)).toBe(probeMs)
    expect(restOf(back, now + 60_000, pollMs, probeMs)).toBe(pollMs)
  })

  test('makes attempts rarer the longer it lasts', () => {
    const rests = [1, 3, 6].map((times) => restOf(afterFailures('offline', times), now, pollMs, probeMs) ?? 0)
    expect(rests.toSorted((a, b) => a - b)).toEqual(rests)
    expect(new Set(rests).size).toBe(3)
  })
})

test('a service that asks for quiet is neither probed nor asked before its time', () => {
  const health = afterFailures('busy', 1, 60_000)
  expect(isQuiet(health, now)).toBe(true)
  expect(isWorthProbing(health, now)).toBe(false)
  expect(isQuiet(health, now + 60_001)).toBe(false)
})

test.each([
  ['a refused key', { is: 'failed', failure: failure('unauthorized') }],
  ['the key of another workspace', { is: 'wrong-workspace' }],
] as const)('%s stops sync until its user does something', (_what, end) => {
  const health = healthAfter(healthy, end, sources)
  expect(health.phase).toBe('paused')
  expect(restOf(health, now, pollMs, probeMs)).toBeNull()
  expect(isWorthProbing(health, now)).toBe(false)
})
