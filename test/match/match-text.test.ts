import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchText } from '../../electron/match/match-text.ts'

const spelled = (text: string, ranges: readonly (readonly [number, number])[]) =>
  ranges.map(([start, end]) => text.slice(start, end)).join('')

describe('letters are looked for in order', () => {
  test.each([
    ['comp env', 'Compare environments', [[0, 4], [8, 11]]], // prettier-ignore
    ['SN', 'Sync now', [[0, 1], [5, 6]]], // prettier-ignore
    ['url', 'DATABASE_URL', [[9, 12]]],
    ['dburl', 'databaseUrl', [[0, 1], [4, 5], [8, 11]]], // prettier-ignore
    ['', 'anything', []],
  ])('%j in %j marks %j', (query, text, ranges) => {
    expect(matchText(query, text)?.ranges).toEqual(ranges)
  })

  test.each([
    ['xyz', 'Compare'],
    ['ba', 'ab'],
    ['aa', 'a'],
    ['a', ''],
  ])('%j is not in %j', (query, text) => {
    expect(matchText(query, text)).toBeNull()
  })

  test.each([
    ['new', 'New project', 'Renew the key'],
    ['lock', 'Lock keys', 'Clock'],
    ['cd', 'Copy down', 'Comrade'],
  ])('%j is better found in %j than in %j', (query, better, worse) => {
    expect(matchText(query, better)?.score ?? 0).toBeGreaterThan(matchText(query, worse)?.score ?? Infinity)
  })

  test('what is marked spells the query, and every subsequence is found', () => {
    const word = fc.string({ maxLength: 30 })
    fc.assert(
      fc.property(word, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (text, taken) => {
        const query = [...text.toLowerCase()].filter((letter, at) => taken[at] === true && !/\s/.test(letter)).join('')
        const match = matchText(query, text)
        expect(spelled(text, match?.ranges ?? [[0, 99]]).toLowerCase()).toBe(query)
      }),
    )
  })
})
