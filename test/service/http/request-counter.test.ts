import { expect, test } from 'vitest'
import { createRequestCounter } from '../../../service/http/request-counter.ts'

const minute = 60_000

test('up to the limit nobody waits, and then until a minute after the first request', () => {
  const count = createRequestCounter(3)
  expect([count('ada', 0), count('ada', 10_000), count('ada', 20_000)]).toEqual([0, 0, 0])
  expect(count('ada', 20_000)).toBe(minute - 20_000)
  expect(count('ada', minute - 1)).toBe(1)
  expect(count('ada', minute)).toBe(0)
})

test('each caller has a minute of their own', () => {
  const count = createRequestCounter(1)
  expect([count('ada', 0), count('bob', 5000)]).toEqual([0, 0])
  expect([count('ada', 5000), count('bob', 5000)]).toEqual([minute - 5000, minute])
  expect([count('ada', minute), count('bob', minute)]).toEqual([0, 5000])
})

test('a clock that is set back locks nobody out', () => {
  const count = createRequestCounter(1)
  expect([count('ada', 10 * minute), count('ada', 10 * minute)]).toEqual([0, minute])
  expect([count('ada', 0), count('ada', 0)]).toEqual([0, minute])
})

test('of very many callers the ones whose minutes began first are forgotten, and no others', () => {
  const count = createRequestCounter(1)
  const callers = Array.from({ length: 10_001 }, (_, index) => `caller ${index}`)
  expect(callers.map((caller) => count(caller, 0))).toEqual(callers.map(() => 0))
  expect(callers.slice(1).map((caller) => count(caller, 0))).toEqual(callers.slice(1).map(() => minute))
  expect(count('caller 0', 0)).toBe(0)
})
