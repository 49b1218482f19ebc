// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { loadLater } from '../../../src/lib/load-later.ts'

test.each([
  ['with idle callbacks', (run: () => void) => queueMicrotask(run)],
  ['without them', undefined],
])('a browser %s loads one module after the other', async (_, idle) => {
  vi.stubGlobal('requestIdleCallback', idle)
  const loaded: string[] = []
  const load = (name: string) => () => Promise.resolve(loaded.push(name))
  loadLater([load('first'), load('second')])
  expect(loaded).toEqual([])
  await vi.waitFor(() => expect(loaded).toEqual(['first', 'second']), { timeout: 10_000 })
  vi.unstubAllGlobals()
})
