import { expect, test } from 'vitest'
import { textLanguage } from '../../../src/domain/text-language.ts'

test.each([
  ['', 'env'],
  ['NAME=value\n', 'env'],
  ['# a comment: with a colon\n\nexport NAME="a: b"\n', 'env'],
  ['URL=https://example.com:8080/\nB: c\n', 'env'],
  ['not a line of anything', 'env'],
  ['  { "A": 1 }', 'json'],
  ['[\n', 'json'],
  ['NAME: value\n', 'yaml'],
  ['# first\nNAME:\n  nested: a=b\n', 'yaml'],
  ['---\nNAME: value\n', 'yaml'],
])('%j is coloured as %s', (text, language) => {
  expect(textLanguage(text)).toBe(language)
})
