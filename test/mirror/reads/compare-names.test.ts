import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareNames } from '../../../electron/mirror/reads/compare-names.ts'

describe('names in the order of people', () => {
  test.each([
    ['numbers by their size', ['Project 1', 'Project 2', 'Project 10', 'Project 20']],
    ['numbers within', ['eu-2-west', 'eu-10-east', 'eu-10-west']],
    ['letters whatever their case', ['api', 'Billing', 'shop', 'Zebra']],
    ['letters with marks beside those without', ['Anker', 'Äpfel', 'Zug']],
  ])('%s', (_, names) => {
    expect(names.toReversed().toSorted(compareNames)).toEqual(names)
  })

  test('equal are only names that are the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(compareNames(a, b) === 0).toBe(a === b)
        expect(Math.sign(compareNames(a, b))).toBe(0 - Math.sign(compareNames(b, a)))
      }),
    )
  })
})
