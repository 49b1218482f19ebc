import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { revealFor, Reveals } from '../../../src/features/variables/reveals.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a revealed value hides itself after half a minute', () => {
  const reveals = new Reveals()
  reveals.show('a')
  vi.advanceTimersByTime(revealFor - 1)
  expect([...reveals.ids]).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect([...reveals.ids]).toEqual([])
})

test('revealing again starts the time anew', () => {
  const reveals = new Reveals()
  reveals.show('a')
  vi.advanceTimersByTime(revealFor - 1)
  reveals.show('a')
  vi.advanceTimersByTime(revealFor - 1)
  expect(reveals.ids.has('a')).toBe(true)
})

test('what scrolled away is hidden, what is in view stays', () => {
  const reveals = new Reveals()
  for (const id of ['a', 'b', 'c']) reveals.show(id)
  reveals.keepOnly(['b', undefined])
  expect([...reveals.ids]).toEqual(['b'])
})

test('hiding all leaves nothing that a timer could bring back', () => {
  const reveals = new Reveals()
  reveals.show('a')
  reveals.toggle('b')
  reveals.hideAll()
  expect(reveals.ids.size).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
