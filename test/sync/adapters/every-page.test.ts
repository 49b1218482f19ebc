import { describe, expect, test } from 'vitest'
import { ok } from '../../../electron/bridge/result.ts'
import { everyPage, longestList } from '../../../electron/sync/adapters/shared/every-page.ts'

/** A list whose pages are chained by `next`; counts how often it is asked. */
function chained(next: (cursor: string | null) => string | null) {
  let asked = 0
  const pages = everyPage(async (cursor) => {
    asked += 1
    return ok({ items: [cursor ?? 'start'], nextCursor: next(cursor) })
  })
  return pages.then((result) => ({ result, asked }))
}

describe('reading every page of a list', () => {
  test('gives all items in order', async () => {
    const { result } = await chained((cursor) => ({ start: 'a', a: 'b', b: null })[cursor ?? 'start'] ?? null)
    expect(result).toEqual({ ok: true, value: ['start', 'a', 'b'] })
  })

  test.each<[string, Record<string, string>, number]>([
    ['the cursor just used', { start: 'a', a: 'a' }, 2],
    ['the one before', { start: 'a', a: 'b', b: 'a' }, 3],
    ['an early one, after many', { start: 'a', a: 'b', b: 'c', c: 'd', d: 'e', e: 'b' }, 6],
  ])('ends when the service comes back to %s', async (_what, next, requests) => {
    const { result, asked } = await chained((cursor) => next[cursor ?? 'start'] ?? null)
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-a-service', message: expect.stringContaining('never ends') } })
    expect(asked).toBe(requests)
  })

  test('ends when there are more pages than any workspace has', async () => {
    const { result, asked } = await chained((cursor) => String(Number(cursor ?? 0) + 1))
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-a-service' } })
    expect(asked).toBe(longestList + 1)
  })

  test('ends when its texts are more than memory may hold', async () => {
    const value = 'x'.repeat(8 * 1024 * 1024)
    let asked = 0
    const result = await everyPage(async () => ok({ items: [{ id: 'a', value }], nextCursor: String((asked += 1)) }))
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-a-service' } })
    expect(asked).toBe(64)
  })
})
