import { readFileSync } from 'node:fs'
import { parse } from 'dotenv'
import { describe, expect, test } from 'vitest'
import { readDotenv } from '../../electron/transfer/read-dotenv.ts'

const lines = (text: string) => readDotenv(text).entries.map(({ line, name }) => `${line} ${name}`)
const ignored = (text: string) => readDotenv(text).ignored.map(({ line }) => line)

describe('line numbers', () => {
  test.each([
    ['one a line', 'A=1\nB=2\n', ['1 A', '2 B']],
    ['CRLF', '\ufeffA=1\r\n\r\nB=2\r\n', ['1 A', '3 B']],
    ['carriage returns alone', 'A=1\rB=2', ['1 A', '2 B']],
    ['behind a value of several lines', 'A="1\n2\n3"\nB=2', ['1 A', '4 B']],
    ['behind comments and blanks', '# A=0\n\n  \nA=1', ['4 A']],
    ['export on a line of its own', 'export\nA=1', ['2 A']],
    ['a name inside a value of several lines', 'A="\nB=1\n"\nC=1', ['1 A', '4 C']],
    ['two in one line, parted by U+2028', 'A="1"\u2028B=2\nC=3', ['1 A', '1 B', '2 C']],
  ])('%s', (_, text, expected) => {
    expect(lines(text)).toEqual(expected)
  })
})

describe('duplicates', () => {
  test('the last one counts, the earlier ones are overridden', () => {
    expect(readDotenv('A=1\nB=2\nA=3\nA=4').entries).toMatchObject([
      { line: 1, name: 'A', value: '1', overridden: true },
      { line: 2, name: 'B', value: '2', overridden: false },
      { line: 3, name: 'A', value: '3', overridden: true },
      { line: 4, name: 'A', value: '4', overridden: false },
    ])
  })

  test('names differ by case', () => {
    expect(readDotenv('a=1\nA=2').entries.map(({ overridden }) => overridden)).toEqual([false, false])
  })
})

describe('warnings', () => {
  test.each([
    ['abc#def', 'abc', ['cut-at-hash']],
    ['#fff', '', ['cut-at-hash']],
    ['abc #def', 'abc', []],
    [' #def', '', []],
    ['"abc#def"', 'abc#def', []],
    ['"abc" # def', 'abc', []],
    ['"abc', '"abc', ['open-quote']],
    ["'abc # def", "'abc", ['open-quote']],
    ['`abc#def', '`abc', ['open-quote', 'cut-at-hash']],
    ['"', '"', ['open-quote']],
    ['""', '', []],
    [`"'abc'"`, "'abc'", []],
    ['"abc" def', '"abc" def', ['after-quote']],
    ['"abc\ndef#ghi"', 'abc\ndef#ghi', []],
    ['it"s', 'it"s', []],
    [`'it'\\''s'`, `it'\\''s`, ['after-quote']],
    [`'it'"'"'s'`, `it'"'"'s`, ['after-quote']],
    [`"a" and "b"`, `a" and "b`, ['after-quote']],
    [`"{\\"a\\": 1}"`, `{\\"a\\": 1}`, ['backslash']],
    [`"pa\\$\\$w0rd\\!"`, `pa\\$\\$w0rd\\!`, ['backslash']],
    [String.raw`"C:\\nas\\Users"`, 'C:\\\nas\\\\Users', ['backslash']],
    [String.raw`"C:\\new"`, 'C:\\\new', ['backslash']],
    [`'it\\'s fine'`, `it\\'s fine`, ['backslash']],
    [String.raw`'\\\\nas\\backup'`, String.raw`\\\\nas\\backup`, ['backslash']],
    [String.raw`'^\$\d+!$'`, String.raw`^\$\d+!$`, []],
    [String.raw`"a\tb\nc"`, 'a\\tb\nc', []],
    [String.raw`C:\\Users`, String.raw`C:\\Users`, []],
  ])('A=%s is read as %j, with %j', (written, value, warnings) => {
    for (const before of ['A=', 'export A = ', 'A: ']) {
      const text = before === 'A=' ? before + written : `${before}${written.trimStart()}`
      if (before !== 'A=' && written.startsWith('#')) continue
      expect(readDotenv(`X=1\n${text}\nB=2`).entries.find(({ name }) => name === 'A')).toMatchObject({ value, warnings })
    }
  })
})

describe('a key without quotes', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nVJTUt9Us8cKj\nMzEfYyjiWA4R4=='
  const pem = (label: string, inside = body) => `-----BEGIN ${label}-----\n${inside}\n-----END ${label}-----`

  test.each([
    ['after a name', `A=1\nKEY=${pem('PRIVATE KEY')}\nB=2`, ['1 A', '2 KEY', '7 B'], [3]],
    ['after export', `export KEY=${pem('RSA PRIVATE KEY')}\nB=2`, ['1 KEY', '6 B'], [2]],
    ['after a colon and a line end', `KEY:\n${pem('PRIVATE KEY')}\nB=2`, ['1 KEY', '7 B'], [3]],
    ['after a quote that is not closed', `KEY="${pem('PRIVATE KEY')}\nB=2`, ['1 KEY', '6 B'], [2]],
    ['alone', `${pem('PRIVATE KEY')}\nB=2`, ['6 B'], [1]],
    ['in a chain', `KEY=${pem('CERTIFICATE')}\n\n${pem('CERTIFICATE')}\nB=2`, ['1 KEY', '12 B'], [2, 7]],
    [
      'with lines of its own headers',
      `KEY=${pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,8F\n\n${body}`)}`,
      ['1 KEY'],
      [2],
    ],
    ['of PGP', `KEY=${pem('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\n\n${body}\n=Zx1Q`)}\nB=2`, ['1 KEY', '9 B'], [2]],
    ['without an end', `KEY=-----BEGIN PRIVATE KEY-----\n${body}\nB_2=2`, ['1 KEY', '5 B_2'], [2, 4]],
    ['with indentation and CRLF', `KEY=${pem('PRIVATE KEY').replaceAll('\n', '\r\n  ')}\r\nB=2`, ['1 KEY', '6 B'], [2]],
  ])('%s gives no variable of its body', (_, text, entries, parts) => {
    const read = readDotenv(text)
    expect(read.entries.map(({ line, name }) => `${line} ${name}`)).toEqual(entries)
    expect(read.ignored.map(({ line }) => line)).toEqual(parts)
    expect(read.entries.filter(({ warnings }) => warnings.includes('open-key')).map(({ name }) => name)).toEqual(
      entries.some((entry) => entry.endsWith('KEY')) ? ['KEY'] : [],
    )
  })

  test('without an end names each line after it that may be a variable, so that a replacing import keeps that one', () => {
    const read = readDotenv(`KEY=-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n\nDEBUG=\nPORT=80\nTOKEN=`)
    expect(read.entries.map(({ name }) => name)).toEqual(['KEY', 'PORT', 'TOKEN'])
    expect(read.ignored).toEqual([
      { line: 2, reason: expect.stringContaining('key without quotes'), mayName: [] },
      {
        line: 4,
        reason: 'This may belong to the key above, which has no END line. Put the whole key in quotes.',
        mayName: ['DEBUG'],
      },
    ])
  })

  test.each([
    ['in double quotes', `KEY="${pem('PRIVATE KEY')}"\nB=2`],
    ['in single quotes', `KEY='${pem('PRIVATE KEY')}'\nB=2`],
    ['on one line', 'KEY="-----BEGIN PRIVATE KEY-----\\nMzEfYyjiWA4R4==\\n-----END PRIVATE KEY-----"\nB=2'],
  ])('is another thing than one %s', (_, text) => {
    expect(readDotenv(text).ignored).toEqual([])
    expect(readDotenv(text).entries).toMatchObject([
      { name: 'KEY', warnings: [] },
      { name: 'B', warnings: [] },
    ])
  })
})

describe('ignored lines', () => {
  test.each([
    ['nothing ignored in a good file', 'A=1\n\n# c\n  # d\nexport B="x\ny"\n', []],
    ['a line without =', 'A=1\nhello\nB=2', [2]],
    ['a line without a name', '=1', [1]],
    ['a name that the format does not take', 'Ä=1\nMY VAR=2', [1, 2]],
    ['the inside of a value of several lines is used', 'A="x\n\n}}\nhello world\n=5\n"\nbad', [7]],
    ['escapes are not lines', 'A="x\\n\\ny"\nbad\nB=1', [2]],
    ['a value on the line after the colon is used', 'A:\nvalue', []],
    ['a value quoted on the line after', 'A=\n"v"', []],
    ['a quote left open takes one line', 'A="x\nB=1\nbad', [3]],
  ])('%s', (_, text, expected) => {
    expect(ignored(text)).toEqual(expected)
  })

  test('the reason says what to do and repeats nothing of the line', () => {
    const reasons = readDotenv('=SENTINEL\nSENTINEL\nSENTINEL ä=SENTINEL').ignored.map(({ reason }) => reason)
    expect(reasons).toEqual([
      'There’s no name before the =. Write NAME=value.',
      'There’s no = here. Write NAME=value, or begin the line with #.',
      'A name can contain the letters A to Z, digits, dots, dashes and underscores.',
    ])
  })
})

describe('five megabytes of one thing', () => {
  // Each of these takes hours where a reader is quadratic; the run's own time limit would end it.
  const size = 5 * 1024 * 1024
  const fill = (part: string) => part.repeat(size / part.length)
  test.each([
    ['double quotes', fill('"'), 0],
    ['a value of quotes', `A=${fill('"')}`, 1],
    ['blank lines', fill('\n'), 0],
    ['spaces behind a name', `A${fill(' ')}!`, 0],
    ['blank lines behind a name', `A${fill('\n')}`, 0],
    ['export', fill('export '), 0],
    ['escaped quotes', `A="${fill('\\"')}`, 1],
    ['all quotes', fill('A=\'"`'), 1],
    ['a long name', fill('a'), 0],
    // Where a line of a regular expression begins is more than a line feed.
    ['carriage returns', fill('\r'), 0],
    ['blank lines of carriage returns', fill(' \t\r '), 0],
    ['U+2028', fill('\u2028'), 0],
    ['U+2029', fill('\u2029'), 0],
  ])('%s', (_, text, entries) => {
    expect(readDotenv(text).entries).toHaveLength(entries)
  })

  // Each of these gives more than a million lines or entries; reading them took seconds and more than a gigabyte.
  test.each([
    ['entries', fill('A=\n'), 'This text has more than 100,000 entries.'],
    ['entries with a colon', fill('A: \n'), 'This text has more than 100,000 entries.'],
    ['export in lines', fill('export\n'), 'More than 10,000 lines of this text aren’t entries.'],
    ['lines of punctuation', fill('!\n'), 'More than 10,000 lines of this text aren’t entries.'],
    ['words behind U+2028', `A=x${fill('\u2028"a')}`, 'More than 10,000 lines of this text aren’t entries.'],
  ])('%s are refused', (_, text, sentence) => {
    expect(() => readDotenv(text)).toThrow(sentence)
  })
})

describe('the sample file', () => {
  const sample = readFileSync(new URL('../../resources/sample.env', import.meta.url), 'utf8')

  test('is read without a line ignored or overridden', () => {
    const read = readDotenv(sample)
    expect(read.ignored).toEqual([])
    expect(read.entries.filter(({ overridden }) => overridden)).toEqual([])
    expect(Object.fromEntries(read.entries.map(({ name, value }) => [name, value]))).toEqual(parse(sample))
    expect(read.entries.length).toBeGreaterThan(40)
  })
})
