import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { iconLimit, labelLimit, noteLimit } from '../../../service/protocol/limits.ts'
import { iconProblem, labelProblem, noteProblem, slugProblem, variableNameProblem } from '../../../service/protocol/names.ts'

describe('names', () => {
  test.each(['API_KEY', 'ODD.name-1', '...', 'ключ', '🔑', ' ', 'a b', 'x'.repeat(255), '🔑'.repeat(255), '%2e%2e', '\\'])(
    'a variable may be named %j',
    (name) => {
      expect(variableNameProblem(name)).toBeNull()
    },
  )

  test.each(['', '.', '..', 'a/b', 'a\tb', '\u007f', '\u0085', '\udc00', 'x'.repeat(256), '🔑'.repeat(256)])(
    'a variable cannot be named %j',
    (name) => {
      expect(variableNameProblem(name)).toMatch(/\.$/)
    },
  )

  test.each(['a', '0', 'a-b', 'a--', 'x'.repeat(63)])('a slug may be %j', (slug) => {
    expect(slugProblem(slug)).toBeNull()
  })

  test('a name that is accepted stands as one segment in a URL and comes back from it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        if (variableNameProblem(name) !== null) return
        const url = new URL(`http://localhost/variables/${encodeURIComponent(name)}`)
        const segments = url.pathname.split('/').slice(1)
        expect(segments).toHaveLength(2)
        expect(decodeURIComponent(segments[1] ?? '')).toBe(name)
      }),
      { verbose: true },
    )
  })

  test.each([
    ['a label', labelProblem, labelLimit],
    ['a note', noteProblem, noteLimit],
    ['an icon', iconProblem, iconLimit],
  ])('%s is counted in characters as people see them, not in units of a string', (_, problemOf, limit) => {
    expect(problemOf('🔑'.repeat(limit))).toBeNull()
    expect(problemOf('🔑'.repeat(limit + 1))).toContain(`at most ${limit} characters`)
  })

  test('a note may have several lines, a label may not', () => {
    expect(noteProblem('one\n\ttwo\r\n')).toBeNull()
    expect(noteProblem('')).toBeNull()
    expect(noteProblem('\0')).not.toBeNull()
    expect(labelProblem('one\ntwo')).not.toBeNull()
  })
})
