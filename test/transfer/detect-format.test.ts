import { expect, test } from 'vitest'
import { detectFormat } from '../../electron/transfer/detect-format.ts'

test.each([
  ['', 'env'],
  ['# only a comment\n', 'env'],
  ['A=1', 'env'],
  ['\n# c\n\nexport A = 1\n', 'env'],
  ['A=x: 1', 'env'],
  ['just words', 'env'],
  ['[section]\nA=1', 'env'],
  ['{"A": 1}', 'json'],
  ['\ufeff\n  {\n', 'json'],
  ['[1, 2]', 'json'],
  ['A: 1', 'yaml'],
  ['# c\n"a b": 1', 'yaml'],
  ['db:\n  host: x', 'yaml'],
  ['---\nA: 1', 'yaml'],
  ['%YAML 1.2\n---', 'yaml'],
  ['http://example.com', 'env'],
  [`${' '.repeat(2_000_000)}A: 1`, 'yaml'],
  ['\n'.repeat(2_000_000), 'env'],
  ['\r'.repeat(2_000_000), 'env'],
  ['\u2028 '.repeat(2_000_000), 'env'],
  [`a${' '.repeat(2_000_000)}`, 'env'],
])('%# is told by its first line', (text, format) => {
  expect(detectFormat(text)).toBe(format)
})
