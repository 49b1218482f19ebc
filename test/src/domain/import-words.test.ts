import { expect, test } from 'vitest'
import { importWarningWords, lineWarnings, namedLine } from '../../../src/domain/import-words.ts'

test.each([
  { name: '9BAD', status: 'added', warnings: [], says: ['odd-name'] },
  { name: 'my-host', status: 'added', warnings: ['cut-at-hash'], says: ['odd-name', 'cut-at-hash'] },
  { name: '9BAD', status: 'changed', warnings: [], says: [] },
  { name: '9BAD', status: 'unchanged', warnings: [], says: [] },
  { name: '', status: 'invalid', warnings: [], says: [] },
  { name: 'PORT', status: 'added', warnings: ['open-quote'], says: ['open-quote'] },
] as const)('a line “$name” that is $status warns of $says', ({ says, ...line }) => {
  expect(lineWarnings({ ...line, warnings: [...line.warnings] })).toEqual(says)
  for (const warning of says) expect(importWarningWords[warning].long).toMatch(/\.$/)
})

test('the line that a sentence names is found', () => {
  expect(namedLine('This isn’t valid YAML. Something is out of place on line 14: fix it there, or choose another format.')).toBe(14)
  expect(namedLine('This isn’t valid JSON. It ends too early.')).toBeNull()
})
