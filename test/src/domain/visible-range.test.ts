import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageWindow } from '../../../src/domain/page-window.ts'
import { scrollToRow } from '../../../src/domain/scroll-to-row.ts'
import { visibleRange } from '../../../src/domain/visible-range.ts'
import { seed, seeded } from '../../cipher/seeded.ts'

describe('the rows in view', () => {
  test.each([
    ['the top of a long list', [0, 340, 34, 10_000, 0], { first: 0, end: 10 }],
    ['half a row scrolled away', [17, 340, 34, 10_000, 0], { first: 0, end: 11 }],
    ['the middle, with rows to spare', [3400, 340, 34, 10_000, 5], { first: 95, end: 115 }],
    ['the very end', [339_660, 340, 34, 10_000, 0], { first: 9990, end: 10_000 }],
    ['fewer rows than fit', [0, 340, 34, 3, 8], { first: 0, end: 3 }],
    ['no rows', [0, 340, 34, 0, 8], { first: 0, end: 0 }],
    ['a list that shrank below the scroll position', [100_000, 340, 34, 20, 0], { first: 10, end: 20 }],
    ['a rubber band above the top', [-50, 340, 34, 100, 0], { first: 0, end: 10 }],
  ] as const)('%s', (_, [scrollTop, height, rowHeight, total, overscan], range) => {
    expect(visibleRange(scrollTop, height, rowHeight, total, overscan)).toEqual(range)
  })

  test(seeded('covers every row that has a pixel in view, and never a row that is not there'), () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400_000 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 0, max: 12_000 }),
        fc.integer({ min: 0, max: 20 }),
        (scrollTop, height, total, overscan) => {
          const rowHeight = 34
          const { first, end } = visibleRange(scrollTop, height, rowHeight, total, overscan)
          expect(first).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(total)
          expect(first).toBeLessThanOrEqual(end)
          for (const row of [Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + height) / rowHeight) - 1]) {
            if (row < total && scrollTop + height <= total * rowHeight) expect(first <= row && row < end).toBe(true)
          }
        },
      ),
      { seed },
    )
  })
})

describe('the window to ask for', () => {
  test.each([
    [{ first: 0, end: 0 }, 100, { offset: 0, limit: 200 }],
    [{ first: 0, end: 30 }, 100, { offset: 0, limit: 200 }],
    [{ first: 80, end: 130 }, 100, { offset: 0, limit: 300 }],
    [{ first: 230, end: 260 }, 100, { offset: 100, limit: 300 }],
  ])('for %j in steps of %i is %j', (range, step, window) => {
    expect(pageWindow(range, step)).toEqual(window)
  })

  test(seeded('holds the range, and starts at whole steps'), () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 100 }), (first, length) => {
        const window = pageWindow({ first, end: first + length }, 100)
        expect(window.offset).toBeLessThanOrEqual(first)
        expect(window.offset + window.limit).toBeGreaterThanOrEqual(first + length)
        expect(window.limit).toBeLessThanOrEqual(500)
        expect(window.offset % 100).toBe(0)
      }),
      { seed },
    )
  })
})

test.each([
  ['in view already: no movement', 5, 0, 0],
  ['above: to its top', 2, 340, 68],
  ['below: just into view', 12, 0, 102],
])('scrolling to a row %s', (_, index, scrollTop, expected) => {
  expect(scrollToRow(index, scrollTop, 340, 34)).toBe(expected)
})
