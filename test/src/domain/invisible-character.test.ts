import { expect, test } from 'vitest'
import { invisibleCharacter, visibleText } from '../../../src/domain/invisible-character.ts'

test.each([
  ['a name that is reversed from its middle on', 'PROD_\u202ENEKOT', 'PROD_[U+202E]NEKOT'],
  ['one that is isolated, and its end', '\u2067A\u2069B', '[U+2067]A[U+2069]B'],
  ['marks of a direction', 'A\u200E\u200F\u061C', 'A[U+200E][U+200F][U+061C]'],
  ['a space without a width', 'DATABASE\u200BURL', 'DATABASE[U+200B]URL'],
  ['a byte order mark', '\uFEFFA', '[U+FEFF]A'],
  ['control characters', 'a\0b\u001Bc', 'a[U+0000]b[U+001B]c'],
])('%s can be seen', (_, text, seen) => {
  expect(visibleText(text)).toBe(seen)
  expect(invisibleCharacter(text)).toBe(/U\+[0-9A-F]+/.exec(seen)?.[0])
})

test.each(['', 'PORT', 'a\tb\r\nc', 'שלום_עולם', 'مرحبا', '👩‍💻', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'क्‍ष'])('%j is shown as it is', (text) => {
  expect(visibleText(text)).toBe(text)
  expect(invisibleCharacter(text)).toBeNull()
})
