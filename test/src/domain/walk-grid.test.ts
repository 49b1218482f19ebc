import fc from 'fast-check'
import { expect, test } from 'vitest'
import { walkGrid } from '../../../src/domain/walk-grid.ts'

const size = { rows: 100, columns: 5, page: 20 }
const key = (name: string, far = false) => ({ key: name, ctrlKey: far, metaKey: false })

test.each([
  ['ArrowDown', false, [51, 2]],
  ['ArrowUp', false, [49, 2]],
  ['ArrowRight', false, [50, 3]],
  ['ArrowLeft', false, [50, 1]],
  ['PageDown', false, [70, 2]],
  ['PageUp', false, [30, 2]],
  ['Home', false, [50, 0]],
  ['End', false, [50, 4]],
  ['ArrowDown', true, [99, 2]],
  ['ArrowUp', true, [0, 2]],
  ['ArrowRight', true, [50, 4]],
  ['ArrowLeft', true, [50, 0]],
  ['Home', true, [0, 0]],
  ['End', true, [99, 4]],
])('%s with Ctrl %s leads from 50, 2 to %j', (name, far, [row, column]) => {
  expect(walkGrid({ row: 50, column: 2 }, key(name, far), size)).toEqual({ row, column })
})

test('other keys lead nowhere', () => {
  expect(walkGrid({ row: 0, column: 0 }, key('x'), size)).toBeNull()
})

test('no walk leaves the grid', () => {
  const keys = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'Home', 'End']
  fc.assert(
    fc.property(
      fc.record({ rows: fc.integer({ min: 1, max: 50 }), columns: fc.integer({ min: 1, max: 12 }), page: fc.integer({ min: 1, max: 30 }) }),
      fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 30 }),
      (grid, steps) => {
        let at = { row: 0, column: 0 }
        for (const [name, far] of steps) at = walkGrid(at, key(name, far), grid) ?? at
        expect(at.row).toBeGreaterThanOrEqual(0)
        expect(at.row).toBeLessThan(grid.rows)
        expect(at.column).toBeGreaterThanOrEqual(0)
        expect(at.column).toBeLessThan(grid.columns)
      },
    ),
  )
})
