import { expect, test } from 'vitest'
import { checkPassphrase } from '../../electron/keychain/check-passphrase.ts'

test.each([
  ['eight letters', 'abcdefgh'],
  ['spaces', '        '],
  ['a thousand characters', 'a long one '.repeat(91)],
  ['eight characters beyond the basic plane', '🦀'.repeat(8)],
])('takes %s', (_, passphrase) => {
  expect(checkPassphrase(passphrase)).toEqual({ ok: true, value: passphrase })
})

test.each([
  ['nothing', ''],
  ['seven letters', 'abcdefg'],
  ['four characters that are eight code units', '🦀'.repeat(4)],
  ['letters with accents apart, counted as one', 'e\u0301'.repeat(7)],
])('refuses %s and says what is needed', (_, passphrase) => {
  expect(checkPassphrase(passphrase)).toEqual({
    ok: false,
    error: {
      kind: 'invalid-input',
      message: 'Use at least 8 characters. Four random words work well.',
      field: 'passphrase',
    },
  })
})
