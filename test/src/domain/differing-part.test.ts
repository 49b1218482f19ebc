import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingPart, markedDifference } from '../../../src/domain/differing-part.ts'

test.each([
  ['postgres://dev:5432/app', 'postgres://prod:5432/app', 'dev', 'prod'],
  ['same', 'same', '', ''],
  ['', 'new', '', 'new'],
  ['aaa', 'aa', 'a', ''],
  ['on 🌊', 'on 🌋', '🌊', '🌋'],
])('of %j and %j, %j and %j differ', (a, b, partA, partB) => {
  const { start, endA, endB } = differingPart(a, b)
  expect([a.slice(start, endA), b.slice(start, endB)]).toEqual([partA, partB])
})

test('what is cut off is the same on both sides, and no character is cut in two', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '🌊', '🌋', '🦊')).map((letters) => letters.join(''))
  fc.assert(
    fc.property(text, text, (a, b) => {
      const { start, endA, endB } = differingPart(a, b)
      expect(a.slice(0, start)).toBe(b.slice(0, start))
      expect(a.slice(endA)).toBe(b.slice(endB))
      for (const part of [a.slice(0, start), a.slice(start, endA), b.slice(start, endB), a.slice(endA)])
        expect(part.isWellFormed()).toBe(true)
    }),
  )
})

test.each([
  ['http://localhost:3000', 'https://shop.example', true],
  ['true', 'false', false],
  ['3000', '8080', false],
  ['same value', 'same value', false],
])('a part of %j and %j is marked: %s', (a, b, marked) => {
  expect(markedDifference(a, b) !== null).toBe(marked)
})
