import { expect, test } from 'vitest'
import { invisibleCharacter, visibleText } from '../../../src/domain/invisible-character.ts'

test.each([
  ['a name that is reversed from its middle on', 'PROD_\u202ENEKOT', 'PROD_[U+202E]NEKOT'],
  ['one that is isolated, and its end', '\u2067A\u2069B', '[U+2067]A[U+2069]B'],
  ['marks of a direction', 'A\u200E\u200F\u061C', 'A[U+200E][U+200F][U+061C]'],
  ['a space without a width', 'DATABASE\u200BURL', 'DATABASE[U+200B]URL'],
  ['a byte order mark', '\uFEFFA', '[U+FEFF]A'],
  ['joiners in a Latin name', 'DATA\u200DBASE_\u200CURL\u200D', 'DATA[U+200D]BASE_[U+200C]URL[U+200D]'],
  ['a joiner behind an accent or a selector', 'e\u0301\u200Da\uFE0F\u200Db', 'e\u0301[U+200D]a\uFE0F[U+200D]b'],
  ['a joiner behind an emoji alone', '🚀\u200D_KEY', '🚀[U+200D]_KEY'],
  ['letters of a flag without a flag', 'A\u{E0041}\u{E007F}B', 'A[U+E0041][U+E007F]B'],
  [
    'more letters than a flag has',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E0061}\u{E007F}\u{E0041}',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E0061}\u{E007F}[U+E0041]',
  ],
  ['control characters', 'a\0b\u001Bc', 'a[U+0000]b[U+001B]c'],
])('%s can be seen', (_, text, seen) => {
  expect(visibleText(text)).toBe(seen)
  expect(invisibleCharacter(text)).toBe(/U\+[0-9A-F]+/.exec(seen)?.[0])
})

test.each([
  '',
  'PORT',
  'a\tb\r\nc',
  'שלום_עולם',
  'مرحبا',
  '👩‍💻',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'क्‍ष',
  'می\u200Cخواهم',
  'PDF\u200Cها',
  '❤️‍🔥',
  '👩🏽‍🚀',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  'മലയാളം ന്\u200D',
])('%j is shown as it is', (text) => {
  expect(visibleText(text)).toBe(text)
  expect(invisibleCharacter(text)).toBeNull()
})
