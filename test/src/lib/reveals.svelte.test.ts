import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { revealFor, Reveals } from '../../../src/lib/reveals.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const makeReveals = () => {
  let made: Reveals | undefined
  onTestFinished(
    $effect.root(() => {
      made = new Reveals()
    }),
  )
  flushSync()
  if (made === undefined) throw new Error('none was made')
  return made
}

test('a revealed value hides itself after half a minute', () => {
  const reveals = makeReveals()
  reveals.show('a')
  vi.advanceTimersByTime(revealFor - 1)
  expect([...reveals.ids]).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect([...reveals.ids]).toEqual([])
})

test('revealing again starts the time anew', () => {
  const reveals = makeReveals()
  reveals.show('a')
  vi.advanceTimersByTime(revealFor - 1)
  reveals.show('a')
  vi.advanceTimersByTime(revealFor - 1)
  expect(reveals.ids.has('a')).toBe(true)
})

test('what scrolled away is hidden, what is in view stays', () => {
  const reveals = makeReveals()
  for (const id of ['a', 'b', 'c']) reveals.show(id)
  reveals.keepOnly(['b', undefined])
  expect([...reveals.ids]).toEqual(['b'])
})

test('all are hidden when the window loses the focus', () => {
  const reveals = makeReveals()
  reveals.show('a')
  reveals.show('b')
  window.dispatchEvent(new FocusEvent('blur'))
  expect(reveals.ids.size).toBe(0)
})

test('hiding all leaves nothing that a timer could bring back', () => {
  const reveals = makeReveals()
  reveals.show('a')
  reveals.toggle('b')
  reveals.hideAll()
  expect(reveals.ids.size).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
