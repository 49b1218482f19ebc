import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { align } from '../../electron/match/align.ts'
import { beginsWord, foldCode, foldQuery } from '../../electron/match/fold.ts'

const packed = (name: string): { codes: Uint16Array; starts: Uint8Array } => ({
  codes: Uint16Array.from(name.split(''), (each) => foldCode(each.charCodeAt(0))),
  starts: Uint8Array.from(name.split(''), (each, at) => (at === 0 || beginsWord(name.charCodeAt(at - 1), each.charCodeAt(0)) ? 1 : 0)),
})
const aligned = (query: string, name: string) => {
  const { codes, starts } = packed(name)
  return align(foldQuery(query), codes, starts)
}
/** The name with what was found in brackets. */
const marked = (query: string, name: string): string | null => {
  const found = aligned(query, name)
  if (found === null) return null
  return found.ranges.toReversed().reduce((text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, name)
}

describe('a query is found where a reader would look for it', () => {
  test.each([
    ['database', 'DATABASE_URL', '[DATABASE]_URL'],
    ['url', 'USER_LOGIN_URL', 'USER_LOGIN_[URL]'],
    ['dburl', 'DATABASE_URL', '[D]ATA[B]ASE_[URL]'],
    ['db url', 'DB_POOL_URL', '[DB]_POOL_[URL]'],
    ['su', 'sessionUrl', '[s]ession[U]rl'],
    ['p8', 'PORT_80', '[P]ORT_[8]0'],
    ['ÄPFEL', 'zahl der äpfel', 'zahl der [äpfel]'],
    ['🔑', 'the🔑key', 'the[🔑]key'],
    ['PORT', 'PORT', '[PORT]'],
    ['PORTS', 'PORT', null],
    ['tp', 'PORT', null],
  ])('%s in %s', (query, name, expected) => {
    expect(marked(query, name)).toBe(expected)
  })

  test.each([
    ['api', ['API', 'API_KEY', 'MY_API_KEY', 'A_LONG_PIN']],
    ['key', ['KEY_ID', 'API_KEY', 'MONKEY', 'KILO_BYTE_YEAR']],
  ])('%s: one piece at a word comes before what is scattered', (query, names) => {
    const scores = names.map((name) => aligned(query, name)?.score ?? -1)
    expect(scores.toSorted((a, b) => b - a)).toEqual(scores)
  })

  test('it is found exactly where its characters stand in order, and the marks spell it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '_', '1', 'ä'), maxLength: 12 })
    fc.assert(
      fc.property(text, text, (query, name) => {
        const folded = [...foldQuery(query)]
        const { codes } = packed(name)
        let row = 0
        for (const code of codes) if (code === folded[row]) row += 1
        const found = aligned(query, name)
        expect(found !== null).toBe(folded.length > 0 && row === folded.length)
        if (found === null) return
        expect(found.ranges.flatMap(([from, to]) => Array.from(codes.subarray(from, to)))).toEqual(folded)
        for (const [index, [from, to]] of found.ranges.entries())
          expect(from < to && from > (found.ranges[index - 1]?.[1] ?? -1)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
