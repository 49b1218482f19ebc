import { expect, test } from 'vitest'
import type { ReferenceProblem } from '../../../electron/bridge/rows.ts'
import { problemWords, resolvedWords } from '../../../src/domain/reference-words.ts'

const wordsOf = (...problems: ReferenceProblem[]) => resolvedWords({ state: 'shown', value: '', hasReferences: true, problems })

test.each([
  { path: ['A', 'B', 'A'], loop: 'A › B › A' },
  { path: ['URL', 'A', 'B', 'A'], loop: 'A › B › A' },
  { path: ['A', 'A'], loop: 'A' },
])('a loop of $path is shown from its beginning to its end', ({ path, loop }) => {
  expect(problemWords({ kind: 'circular', path })).toBe(`${loop} refers back to itself.`)
})

test('several broken references are counted, and each is named', () => {
  const words = wordsOf({ kind: 'missing', path: ['URL', 'HOST'] }, { kind: 'missing', path: ['URL', 'PORT'] })
  expect(words?.text).toMatch(/^2 .*HOST.*PORT/)
  expect(wordsOf({ kind: 'missing', path: ['URL', 'HOST'] })?.text).toMatch(/^HOST/)
})

test.each([
  { kind: 'missing', path: ['URL', 'HOST'], at: 'URL' },
  { kind: 'missing', path: ['URL', 'HOST', 'NAME'], at: 'HOST' },
  { kind: 'circular', path: ['URL', 'A', 'B', 'A'], at: 'B' },
  { kind: 'unreadable', path: ['URL', 'HOST'], at: 'HOST' },
  { kind: 'missing', path: ['URL', 'HOST', 'staging.NAME'], at: 'HOST' },
  { kind: 'missing', path: ['URL', 'HOST', 'staging.NAME', 'ELSEWHERE'], at: 'HOST' },
] as const)('a problem ($kind, $path) leads to $at', ({ kind, path, at }) => {
  expect(wordsOf({ kind, path: [...path] })?.problems.map(({ name }) => name)).toEqual([at])
})
