import { expect, test } from 'vitest'
import { walkList } from '../../../src/domain/walk-list.ts'

test.each([
  [0, 'ArrowDown', 1],
  [9, 'ArrowDown', 9],
  [3, 'ArrowUp', 2],
  [0, 'ArrowUp', 0],
  [3, 'PageDown', 7],
  [8, 'PageDown', 9],
  [8, 'PageUp', 4],
  [2, 'PageUp', 0],
  [5, 'Home', 0],
  [5, 'End', 9],
  [5, 'x', null],
])('from row %i of ten, %s leads to %j', (at, key, to) => {
  expect(walkList(at, key, 10, 4)).toBe(to)
})

test.each(['ArrowDown', 'End', 'PageDown'])('%s stays at the beginning of an empty list', (key) => {
  expect(walkList(0, key, 0, 4)).toBe(0)
})
