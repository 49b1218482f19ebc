// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { tellActivity } from '../../../src/lib/tell-activity.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** What the application was told. */
const setUp = () => {
  const told: string[] = []
  const bridge = { command: async (name: string) => (told.push(name), { ok: true, value: null }) } as unknown as Bridge
  return { told, stop: tellActivity(bridge) }
}

test.each(['keydown', 'input', 'pointerdown', 'wheel'])('the application is told of a %s, whoever takes it', (event) => {
  const { told, stop } = setUp()
  const field = document.body.appendChild(document.createElement('input'))
  field.addEventListener(event, (taken) => taken.stopPropagation())
  field.dispatchEvent(new Event(event, { bubbles: true }))
  expect(told).toEqual(['app.stay-unlocked'])
  stop()
  field.remove()
})

test('someone who types on is told of again, but not at every key', () => {
  const { told, stop } = setUp()
  for (let passed = 0; passed < 60_000; passed += 100) {
    dispatchEvent(new Event('keydown'))
    vi.advanceTimersByTime(100)
  }
  expect(told).toHaveLength(12)
  stop()
  vi.advanceTimersByTime(60_000)
  dispatchEvent(new Event('keydown'))
  expect(told).toHaveLength(12)
})
