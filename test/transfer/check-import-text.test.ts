import { describe, expect, test } from 'vitest'
import { checkImportText } from '../../electron/transfer/check-import-text.ts'

const limit = 5 * 1024 * 1024

describe('checkImportText', () => {
  test.each([
    ['nothing', ''],
    ['a .env', 'A=1\r\nB="ü 🦀"\t# x\n'],
    ['a byte order mark', '\ufeffA=1'],
    ['colours of a terminal', 'A="\u001b[1m"'],
    ['exactly the limit', 'x'.repeat(limit)],
    ['a separator of lines', 'A=\u2028'],
    ['a title for a terminal, with its bell', 'PS1="\\e]0;title\u0007"'],
    ['a replacement character that is part of a value', 'A=a\ufffdb'],
  ])('takes %s', (_, text) => {
    expect(checkImportText(text, limit)).toEqual({ ok: true, value: text })
  })

  test.each([
    ['a NUL', 'A=1\0'],
    ['a program', '\u007fELF\u0002\u0001\u0001\0'],
    ['UTF-16 read as UTF-8', 'A\0=\x001\0'],
    ['a lone surrogate', 'A=\ud83e'],
  ])('refuses %s as not-text', (_, text) => {
    const checked = checkImportText(text, limit)
    expect(checked).toMatchObject({ ok: false, error: { kind: 'not-text', message: expect.stringContaining('UTF-8') } })
  })

  test.each([
    ['one byte over', 'x'.repeat(limit + 1)],
    ['over in bytes, not in characters', 'ü'.repeat(limit / 2 + 1)],
  ])('refuses %s as too-large and says the limit', (_, text) => {
    expect(checkImportText(text, limit)).toEqual({
      ok: false,
      error: {
        kind: 'too-large',
        message: 'This is too large to import: the limit is 5 MiB. Split it and import the parts.',
      },
    })
  })
})
