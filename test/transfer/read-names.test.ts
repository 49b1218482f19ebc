import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDotenv } from '../../electron/transfer/dotenv.ts'
import { readNames } from '../../electron/transfer/read-names.ts'

describe('the names in a text', () => {
  test.each<[string, string, string[], number[]]>([
    ['of a .env are those of its entries', 'A=1\nexport B="2"\n# C=3\n\nD: 4', ['A', 'B', 'D'], []],
    ['of a list are its lines', 'A\nB\nC', ['A', 'B', 'C'], []],
    ['of a list are its words, however parted', 'A, B;C\tD\r\nE', ['A', 'B', 'C', 'D', 'E'], []],
    ['of a list can have spaces in quotes', '"MY VAR"\n\'it is\', A "B C"', ['MY VAR', 'it is', 'A', 'B C'], []],
    ['of a list keep a quote that is not closed', '"MY VAR\nO\'K', ['"MY', 'VAR', "O'K"], []],
    ['are each there once', 'A=1\nB=2\nA=3', ['A', 'B'], []],
    ['of a value over many lines is one', 'KEY="-----BEGIN\nabc\ndef\n-----END"\nB=1', ['KEY', 'B'], []],
    ['are never taken from a line that may be a part of a value', 'KEY=-----BEGIN\nsecret words\nB=1', ['KEY', 'B'], [2]],
    ['of nothing are none', '', [], []],
    ['of blank lines and comments are none', '\n  \n# A', [], []],
    ['of a list with a byte order mark', '\ufeffA\nB', ['A', 'B'], []],
  ])('%s', (_what, text, names, skipped) => {
    expect(readNames(text)).toEqual({ names, skipped })
  })

  test('of any .env that Holdfast writes are those it wrote, and no word of a value is among them', () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/)
    const value = fc.string({ maxLength: 40 }).filter((text) => !/["'`\\\r]/.test(text))
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ name, value }), { selector: (entry) => entry.name, minLength: 1, maxLength: 20 }),
        (entries) => {
          expect(readNames(formatDotenv(entries)).names).toEqual(entries.map((entry) => entry.name))
        },
      ),
    )
  })
})
