import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'dotenv'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatDotenv, notForShells } from '../../electron/transfer/dotenv.ts'
import { exportText } from '../../electron/transfer/export/export-text.ts'
import { scanDotenv } from '../../electron/transfer/scan-dotenv.ts'
import { seed, seeded } from '../cipher/seeded.ts'
import { findOnPath } from '../support/find-on-path.ts'

/** Pieces that mean something to the format, so that random texts meet its corners. */
const pieces = 'A b 1 = : " \' ` # \\ \\n \\r \\" . - _ A= B=" C=\' __proto__= export é 🦀 $ {'.split(' ')
const blanks = [' ', '\t', '\n', '\r', '\r\n', '\v', '\u2028', '\u2029', '\u00a0', '\ufeff', 'export ', 'export\n']
const piece = fc.constantFrom(...pieces, ...blanks)
const nastyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
const value = fc.oneof(nastyText, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' }))
const name = fc.stringMatching(/^[\w.-]{1,20}$/)
const list = fc.array(fc.record({ name, value }), { maxLength: 8 })

/** What a reader of the file ends up with. The prototype is no entry. */
const lastOf = (entries: { name: string; value: string }[]) =>
  Object.fromEntries(entries.filter(({ name }) => name !== '__proto__').map(({ name, value }) => [name, value]))

const parseDotenv = (text: string) => scanDotenv(text).entries.map(({ name, value }) => ({ name, value }))

describe('scanDotenv', () => {
  test(
    seeded('gives what dotenv gives, for any text'),
    () => {
      fc.assert(
        fc.property(fc.oneof(nastyText, fc.string({ unit: 'binary' })), (text) => {
          expect(lastOf(parseDotenv(text))).toEqual(parse(text))
        }),
        { seed, numRuns: 20_000 },
      )
    },
    120_000,
  )

  test.each([
    ['nothing', '', []],
    ['one entry', 'A=1', [['A', '1']]],
    [
      'order, also of names that are numbers',
      'B=1\n2=b\n1=a\nA=2',
      [
        ['B', '1'],
        ['2', 'b'],
        ['1', 'a'],
        ['A', '2'],
      ],
    ],
    [
      'duplicates, each',
      'A=1\nB=2\nA=3',
      [
        ['A', '1'],
        ['B', '2'],
        ['A', '3'],
      ],
    ],
    [
      'a name that objects are born with',
      '__proto__=1\nconstructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
    [
      'a byte order mark and CRLF',
      '\ufeffA=1\r\nB="x\r\ny"\r\n',
      [
        ['A', '1'],
        ['B', 'x\ny'],
      ],
    ],
    [
      'export, comments and quotes',
      `# c\nexport A='1 # 2' # 3\nB=x y # z\nC="q" \n`,
      [
        ['A', '1 # 2'],
        ['B', 'x y'],
        ['C', 'q'],
      ],
    ],
    [
      'escapes in double quotes alone',
      `A="1\\n2"\nB='1\\n2'\nC=1\\n2`,
      [
        ['A', '1\n2'],
        ['B', '1\\n2'],
        ['C', '1\\n2'],
      ],
    ],
    [
      'an empty value',
      'A=\nB=""\nC= # c',
      [
        ['A', ''],
        ['B', ''],
        ['C', ''],
      ],
    ],
  ])('reads %s', (_, text, entries) => {
    expect(parseDotenv(text)).toEqual(entries.map(([name, value]) => ({ name, value })))
  })

  test('a mark of its own in the text is left alone', () => {
    expect(parseDotenv('A_0123456789abcdef_0_=x_0123456789abcdef_1_')).toEqual([
      { name: 'A_0123456789abcdef_0_', value: 'x_0123456789abcdef_1_' },
    ])
  })
})

describe('formatDotenv', () => {
  test(
    seeded('dotenv reads back exactly what was written, or the entry is named'),
    () => {
      let written = 0
      fc.assert(
        fc.property(list, (entries) => {
          const carried = entries.filter((entry) => isCarried(entry))
          written += carried.length
          const text = formatDotenv(carried)
          expect(parse(text)).toEqual(lastOf(carried))
          expect(parse(text, { fast: true })).toEqual(lastOf(carried))
          expect(parseDotenv(text)).toEqual(carried)
        }),
        { seed, numRuns: 10_000 },
      )
      expect(written).toBeGreaterThan(1000)
    },
    120_000,
  )

  test.each([
    ['a plain value', 'abc-1.2/3', 'N=abc-1.2/3\n'],
    ['a value with spaces', 'a b', "N='a b'\n"],
    ['an empty value', '', 'N=\n'],
    ['a number sign', 'a#b', "N='a#b'\n"],
    ['a dollar sign', 'a$b', "N='a$b'\n"],
    ['a single quote', "it's", 'N="it\'s"\n'],
    ['both quotes', `'"`, 'N=`\'"`\n'],
    ['line feeds', 'a\nb\n', "N='a\nb\n'\n"],
    ['carriage returns', 'a\r\nb', 'N="a\\r\nb"\n'],
    ['all three quotes on one line', 'a\'"`', 'N=a\'"`\n'],
    ['a backslash at the end', 'C:\\dir\\', 'N=C:\\dir\\\n'],
  ])('writes %s', (_, value, text) => {
    expect(formatDotenv([{ name: 'N', value }])).toBe(text)
    expect(parse(text)).toEqual({ N: value })
  })

  test.each([
    ['every kind of quotes and a line break', 'a\n\'"`'],
    ['every kind of quotes at the beginning', '`\'"'],
    ['a carriage return and a double quote', 'a\r"'],
    ['a carriage return between a backslash and a double quote', 'a\\\r"'],
    ['a carriage return and what looks like an escape', 'a\r\\n'],
    ['a backslash at the end of several lines', 'a\nb\\'],
    ['a NUL', 'a\0'],
    ['a lone surrogate', 'a\ud83e'],
  ])('throws for %s, naming the entry and not its value', (_, value) => {
    expect(() => formatDotenv([{ name: 'NOT_FINE', value }])).toThrow(/NOT_FINE/)
  })

  test('what it throws does not repeat the value', () => {
    const write = () => formatDotenv([{ name: 'NOT_FINE', value: `"'\`\nSENTINEL` }])
    expect(write).toThrow(expect.objectContaining({ message: expect.not.stringContaining('SENTINEL') }))
  })

  test.each(['', 'A B', 'Ä', 'A=B', 'A\n', '#A', '__proto__', 'A"'])('throws for the name %j', (name) => {
    expect(() => formatDotenv([{ name, value: '1' }])).toThrow(JSON.stringify(name))
  })
})

function isCarried(entry: { name: string; value: string }): boolean {
  try {
    formatDotenv([entry])
    return true
  } catch (error) {
    expect(String(error)).toContain(entry.name)
    return false
  }
}

/** The shells that this computer has. */
const shells = ['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh'].filter((shell) => findOnPath(shell) !== null)

describe('a shell that sources a .env file', () => {
  const values = [
    "it's $(touch ran)",
    "it's `touch ran`",
    '$(touch ran)',
    '`touch ran`',
    'a\'b"c;touch ran',
    "'; touch ran; '",
    'plain',
    "it's fine",
    '~/bin',
    '/usr/bin:~/bin',
    'HOME=~',
    '=ls',
    'a:=ls',
    'a==b,=c',
  ]
  const noShellNames = ['a-b', 'a.b', '1A', 'UID', 'RANDOM', 'OPTIND']
  const entries = [...values.map((value, index) => ({ name: `V${index}`, value })), ...noShellNames.map((name) => ({ name, value: 'x' }))]
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'holdfast-dotenv-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const run = (shell: string, script: string) => execFileSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

  test('is never given double quotes around what it expands', () => {
    for (const line of formatDotenv(entries).split('\n')) expect(line).not.toMatch(/^\w+=".*[$`].*"$/)
  })

  test('is told of every line that it would run, or that no variable of its own can have', () => {
    expect(notForShells(entries)).toEqual(['V0', 'V1', 'V4', ...noShellNames])
  })

  test.each(shells)('%s reads every line that is not named as it is meant, and runs nothing', (shell) => {
    const unfit = notForShells(entries)
    const fit = entries.filter(({ name }) => !unfit.includes(name))
    writeFileSync(path.join(folder, 'fit.env'), formatDotenv(fit))
    const script = `set -a; . ./fit.env; ${fit.map(({ name }) => `printf '%s\\0' "$${name}"`).join('; ')}`
    expect(run(shell, script).split('\0').slice(0, -1)).toEqual(fit.map(({ value }) => value))
    expect(readdirSync(folder)).toEqual(['fit.env'])
  })

  /** Taken for arithmetic, a text runs what is in its brackets, whatever quotes are around it. */
  const arithmetic = 'a[$(touch ran)0]'

  test.each(shells)('%s runs nothing by any name that it gives a meaning of its own, in the Shell format either', (shell) => {
    const own = run(shell, shell === 'bash' ? 'compgen -v' : shell === 'sh' || shell === 'dash' ? 'set' : 'typeset +')
    const names = [...new Set([...own.matchAll(/\b[A-Za-z_][A-Za-z0-9_]*/g)].map(([name]) => name))]
    expect(names).toContain('PATH')
    for (const name of names) {
      const entry = { name, value: arithmetic, type: null }
      const isRefused = exportText('shell', [entry], '', false).refused.length > 0
      expect(notForShells([entry]).length > 0).toBe(isRefused)
      if (isRefused) continue
      for (const format of ['env', 'shell'] as const) {
        writeFileSync(path.join(folder, 'one'), exportText(format, [entry], '', false).text)
        // Some are refused by the shell, which ends it.
        spawnSync(shell, ['-c', '. ./one'], { cwd: folder, stdio: 'ignore' })
      }
      expect([name, readdirSync(folder)]).toEqual([name, ['one']])
    }
  })

  test.skipIf(!shells.includes('zsh'))('zsh reads on after every name of its own that the Shell format takes', () => {
    const names = run('zsh', 'typeset +; zmodload zsh/parameter; print -l ${(k)parameters}').match(/\b[A-Za-z_]\w*/g) ?? []
    expect(names).toEqual(expect.arrayContaining(['history', 'options', 'terminfo', 'watch']))
    for (const name of new Set(names)) {
      const { text } = exportText(
        'shell',
        [name, 'AFTER'].map((each) => ({ name: each, value: 'x y', type: null })),
        '',
        false,
      )
      writeFileSync(path.join(folder, 'one'), text)
      const { stdout } = spawnSync('zsh', ['-c', '. ./one; print -r -- "$AFTER"'], { cwd: folder, encoding: 'utf8' })
      expect([name, stdout]).toEqual([name, 'x y\n'])
    }
  })

  test('a value that only double quotes could hold is refused, with the format that holds it', () => {
    expect(() => formatDotenv([{ name: 'A', value: "it's `x`\n$(y)" }])).toThrow(/Choose the Shell format\.$/)
  })
})
