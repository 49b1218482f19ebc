import { expect, test } from 'vitest'
import { historyOf, historyKeptMs, keepHistory, trimHistory } from '../../electron/mirror/history-layer.ts'
import type { Row } from '../../electron/queue/entry.ts'
import { sealed } from '../queue/a-change.ts'
import { newMirror } from './temp-file.ts'

const day = 24 * 60 * 60 * 1000
const now = 1000 * day

/** Keeps values, written in this order with these ages in days, and returns the ages of those left after a trim. */
const leftOf = (ages: readonly number[]): number[] => {
  const mirror = newMirror()
  return mirror.write((tx) => {
    for (const age of ages) {
      const row: Row = { id: 'KEY', kind: 'variable', parentId: 'prod', fields: { name: 'KEY', value: sealed(String(age)) } }
      keepHistory(tx, row, { whose: 'mine', why: 'changed' }, now - age * day)
    }
    trimHistory(tx, now)
    return historyOf(tx, null, null, 100)
      .map(({ at }) => (now - at) / day)
      .toReversed()
  })
}

test.each([
  ['go after 30 days', [40, 31, 29, 0], [29, 0]],
  ['of a clock that was ahead stay as long as those that were written after them', [40, -29_000, 20], [20, -29_000]],
  ['of a clock that was ahead go with the first that was written after them', [40, -29_000, 31, 20], [20]],
  ['stay while the clock itself is far behind', [-900, -950, -990], [-900, -950, -990]],
  ['stay after the clock was far behind', [20, 900, 10], [20, 10]],
])('kept values %s', (_, ages, left) => {
  expect(historyKeptMs).toBe(30 * day)
  expect(leftOf(ages)).toEqual(left)
})
