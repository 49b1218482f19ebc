import { expect, test } from 'vitest'
import { markedParts } from '../../../src/domain/marked-parts.ts'

test.each([
  ['abcdef', [[1, 3]], ['a', '*bc', 'def']],
  ['abc', [], ['abc']],
  ['abc', [[0, 3]], ['*abc']],
  ['abc', [[2, 9]], ['ab', '*c']],
  ['abcdef', [[3, 5], [0, 4]], ['*abcd', '*e', 'f']], // prettier-ignore
])('%j with %j is cut into %j', (text, ranges, parts) => {
  const cut = markedParts(text, ranges as [number, number][])
  expect(cut.map((part) => (part.marked ? `*${part.text}` : part.text))).toEqual(parts)
})
