import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createIdleLock, type IdleLock } from '../../../electron/app/settings/idle-lock.ts'

const minute = 60_000
let minutes = 0
let locked = 0
let idle: IdleLock

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  minutes = 5
  locked = 0
  idle = createIdleLock({
    now: Date.now,
    minutes: () => minutes,
    lock: async () => {
      locked += 1
    },
  })
})
afterEach(() => {
  idle.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

describe('keys are locked', () => {
  test('once, when nothing was done for the time set', () => {
    pass(5 * minute - 1)
    expect(locked).toBe(0)
    pass(1)
    expect(locked).toBe(1)
    pass(60 * minute)
    expect(locked).toBe(1)
  })

  test('again, after something was done', () => {
    pass(5 * minute)
    idle.acted()
    pass(5 * minute)
    expect(locked).toBe(2)
  })

  test('later, when something was done meanwhile', () => {
    pass(4 * minute)
    idle.acted()
    pass(4 * minute)
    idle.acted()
    pass(5 * minute - 1)
    expect(locked).toBe(0)
    pass(1)
    expect(locked).toBe(1)
  })

  test('at once when the computer slept longer', () => {
    vi.setSystemTime(60 * minute)
    idle.check()
    expect(locked).toBe(1)
  })

  test('a minute later at most, when the clock was set back meanwhile', () => {
    pass(2 * minute)
    vi.setSystemTime(Date.now() - 24 * 60 * minute)
    pass(6 * minute)
    expect(locked).toBe(1)
  })

  test('never when it is set so, and soon when it is set anew', () => {
    minutes = 0
    pass(24 * 60 * minute)
    expect(locked).toBe(0)
    minutes = 1
    idle.check()
    expect(locked).toBe(1)
  })
})
