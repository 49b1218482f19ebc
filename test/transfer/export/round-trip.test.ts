import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseDotenv } from 'dotenv'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { ExportFormat, ImportFormat } from '../../../electron/bridge/rows.ts'
import type { ExportEntry } from '../../../electron/transfer/export/export-entry.ts'
import { exportText } from '../../../electron/transfer/export/export-text.ts'
import { readDotenv } from '../../../electron/transfer/read-dotenv.ts'
import { readImport } from '../../../electron/transfer/read-import.ts'
import { seed, seeded } from '../../cipher/seeded.ts'
import { findOnPath } from '../../support/find-on-path.ts'

const pieces =
  'A b 1 = : " \' ` # \\ \\n \\" . - _ ~ ! & * | > % @ ? , [ ] { } $ ${A} $(id) - \u2028 é 🦀 null true yes 012 0x1f 1e3 .inf <<'.split(' ')
const nasty = fc
  .array(fc.constantFrom(...pieces, ' ', '  ', '\t', '\n', '\r', '\r\n', '\0', '\ufeff', '\u0085', '\x1b'), { maxLength: 12 })
  .map((parts) => parts.join(''))
const value = fc.oneof(
  nasty,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('1', '-0.5', '1e5', 'true', 'false', 'no', ''),
)
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,10}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('1', 'null', 'true', '<<', '__proto__', '- a', 'a: b', '#', 'UID', '.', '..a', 'a.b-c'),
)
const entry: fc.Arbitrary<ExportEntry> = fc.record({ name, value, type: fc.constantFrom('string', 'number', 'boolean', null) })
const entries = fc
  .uniqueArray(entry, { selector: ({ name: each }) => each, maxLength: 8 })
  .filter((list) => list.every(({ name: n, value: v }) => n.isWellFormed() && v.isWellFormed()))

const run = (format: ExportFormat, list: readonly ExportEntry[]) => {
  const { text, refused } = exportText(format, list, 'shop-prod', false)
  const gone = new Set(refused.map((each) => each.name))
  return { text, kept: list.filter((each) => !gone.has(each.name)).map((each) => [each.name, each.value]), refused }
}

/** Own keys only, also of a name that objects are born with. */
const pairsOf = (object: unknown) =>
  (object instanceof Map ? [...object] : Object.entries(object as object)).map(([key, each]) => [String(key), String(each)])

const sorted = (list: unknown[][]) => list.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))

describe('what is written is read back', () => {
  const property = (format: ExportFormat, read: (text: string) => unknown[][] | Promise<unknown[][]>, numRuns: number, by = '') =>
    test(
      seeded(`from ${format}${by}`),
      async () => {
        await fc.assert(
          fc.asyncProperty(entries, async (list) => {
            const { text, kept } = run(format, list)
            expect(sorted(await read(text))).toEqual(sorted(kept))
          }),
          { seed, numRuns },
        )
      },
      120_000,
    )

  property('env', (text) => pairsOf(parseDotenv(text)), 3000)
  property('json', (text) => ownRead(text, 'json'), 3000)
  property('yaml', (text) => ownRead(text, 'yaml'), 2000)
  property('docker', readDockerEnvFile, 3000)
  property('shell', readWithShell, 60)
  property('shell', readAsFish, 3000, ' by fish')
  property('shell', (text) => ownRead(text, 'env'), 3000, ' by an import')
  property(
    'kubernetes',
    (text) => {
      const secret = parseYaml(text) as { data: Record<string, string> }
      return Object.entries(secret.data).map(([key, each]) => [key, Buffer.from(each, 'base64').toString('utf8')])
    },
    2000,
  )

  test(seeded('by JSON.parse and by yaml’s own parse too, texts as texts'), () => {
    fc.assert(
      fc.property(entries, (list) => {
        const texts = list.map((each) => ({ ...each, type: 'string' as const }))
        const expected = sorted(texts.map((each) => [each.name, each.value]))
        expect(sorted(Object.entries(JSON.parse(run('json', texts).text) as object))).toEqual(expected)
        const yaml = parseYaml(run('yaml', texts).text, { mapAsMap: true, stringKeys: true }) as Map<string, string>
        expect(sorted([...yaml])).toEqual(expected)
        const older = parseYaml(run('yaml', texts).text, { version: '1.1', mapAsMap: true }) as Map<string, string>
        expect(sorted([...older])).toEqual(expected)
      }),
      { seed, numRuns: 2000 },
    )
  })
})

async function ownRead(text: string, format: ImportFormat): Promise<unknown[][]> {
  const outcome = await readImport(text, format)
  if (!outcome.ok) throw new Error(outcome.problem)
  expect(outcome.read.invalid).toEqual([])
  return outcome.read.entries.map((each) => [each.name, each.value])
}

/** `docker run --env-file` as its documentation and its source have it: lines, `#` comments, a cut at the first `=`, nothing unquoted. */
function readDockerEnvFile(text: string): unknown[][] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  return lines.flatMap((line, index) => {
    const trimmed = (index === 0 ? line.replace(/^\ufeff/, '') : line).replace(/^\s+/, '')
    if (trimmed === '' || trimmed.startsWith('#')) return []
    const [variable = ''] = trimmed.split('=', 1)
    if (variable === '' || /\s/.test(variable)) throw new Error('docker: poorly formatted environment')
    return [[variable, trimmed.slice(variable.length + 1)]]
  })
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A real shell reads the file, and a program started by it sees the environment. */
function readWithShell(text: string): unknown[][] {
  const file = join(folder, 'variables.sh')
  writeFileSync(file, text)
  const ran = spawnSync('/bin/sh', ['-c', '. "$0" && exec env -0', file], { env: { PATH: process.env.PATH ?? '' } })
  if (ran.status !== 0) throw new Error(ran.stderr.toString())
  const names = new Set([...text.matchAll(/^export (\w+)=/gm)].map((found) => found[1]))
  const seen = ran.stdout
    .toString('utf8')
    .split('\0')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  return seen.filter(([each]) => names.has(each ?? ''))
}

/** fish, which has `export` too, knows two escapes in single quotes, where a POSIX shell knows none. */
function readAsFish(text: string): unknown[][] {
  const piece = /'((?:[^'\\]|\\[^])*)'|\\(['\\])/g
  return [...text.matchAll(/^export (\w+)=((?:'(?:[^'\\]|\\[^])*'|\\['\\])*)\n/gm)].map(([, each, spelled = '']) => [
    each,
    spelled.replace(piece, (_, quoted?: string, escaped?: string) => escaped ?? (quoted ?? '').replace(/\\(['\\])/g, '$1')),
  ])
}

const fish = findOnPath('fish')
test.skipIf(fish === null)('fish runs nothing of a value that another member ended its quotes in', () => {
  const values = [String.raw`\'; touch ran; #`, String.raw`\\'; touch ran; '`, `a\\`, `'`, 'C:\\new \\\\', '$(touch ran)', '; touch ran']
  const list = values.map((each, at) => ({ name: `V${at}`, value: each, type: null }))
  const file = join(folder, 'fish.sh')
  writeFileSync(file, run('shell', list).text)
  const script = `source ${file}; ${list.map((each) => `printf '%s\\0' "$${each.name}"`).join('; ')}`
  const ran = spawnSync(fish ?? 'fish', ['-N', '-c', script], { cwd: folder, encoding: 'utf8' })
  expect(ran.stdout.split('\0').slice(0, -1)).toEqual(values)
  expect(readdirSync(folder)).not.toContain('ran')
})

test.each([
  ['Holdfast', String.raw`export A='it'\''s'` + "\nexport B='x\ny'\n"],
  ['dash', `export A='it'"'"'s'\nexport B='x\ny'`],
  ['somebody who comments', String.raw`# all` + `\n\nexport A='it'\\''s' # a\nexport B='x\ny'\n`],
])('the exports of a shell that %s writes are read as a shell reads them', async (_, text) => {
  expect(await ownRead(text, 'env')).toEqual([
    ['A', "it's"],
    ['B', 'x\ny'],
  ])
})

describe('what a format cannot carry is refused by name', () => {
  const of = (each: Partial<ExportEntry>): ExportEntry => ({ name: 'A', value: 'x', type: null, ...each })
  test.each<[ExportFormat, string, Partial<ExportEntry>, string]>([
    ['env', 'a name with a space', { name: 'a b' }, 'a .env file has only the letters'],
    ['env', 'a value with every quote', { value: `'"\`\n` }, 'no quotes in a .env file can hold'],
    ['shell', 'a name with a dash', { name: 'a-b' }, 'letters A to Z, digits and underscores'],
    ['shell', 'a name of its own', { name: 'UID' }, 'reserve this name'],
    ['shell', 'a NUL', { value: 'a\0b' }, 'NUL'],
    ['docker', 'a line break', { value: 'a\nb' }, 'line break'],
    ['docker', 'a carriage return', { value: 'a\r' }, 'line break'],
    ['docker', 'a name with =', { name: 'a=b' }, '"="'],
    ['docker', 'a comment of a name', { name: '#a' }, '"#"'],
    ['docker', 'a long line', { value: 'x'.repeat(65_536) }, '64 KiB'],
    ['kubernetes', 'a name with a space', { name: 'a b' }, 'letters A to Z, digits, dots'],
    ['kubernetes', 'two dots', { name: '..a' }, 'begin with ".."'],
    ['kubernetes', 'a long name', { name: 'x'.repeat(254) }, '253'],
  ])('%s: %s', (format, _, each, reason) => {
    const { text, refused } = run(format, [of({ name: 'B' }), of(each)])
    expect(refused).toEqual([{ name: each.name ?? 'A', reason: expect.stringContaining(reason) }])
    expect(text).toContain('B')
  })
})

describe('masked', () => {
  test.each<ExportFormat>(['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes'])('%s has names and dots, and no value', (format) => {
    const { text } = exportText(
      format,
      [
        { name: 'TOKEN', value: 'sentinel-4711', type: null },
        { name: 'N', value: '4711', type: 'number' },
      ],
      't',
      true,
    )
    expect(text).toContain('TOKEN')
    expect(text.match(/•{8}/g)).toHaveLength(2)
    expect(text).not.toMatch(/4711|c2VudGlu|NDcxMQ/)
  })
})

test.each<[ExportFormat, string]>([
  ['env', "A=1\nB='two words'\n"],
  ['json', '{\n  "A": 1,\n  "B": "two words"\n}\n'],
  ['yaml', 'A: 1\nB: two words\n'],
  ['shell', "export A='1'\nexport B='two words'\n"],
  ['docker', 'A=1\nB=two words\n'],
  [
    'kubernetes',
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: "shop-prod"\ntype: Opaque\ndata:\n  "A": "MQ=="\n  "B": "dHdvIHdvcmRz"\n',
  ],
])('%s looks as people write it', (format, text) => {
  expect(
    run(format, [
      { name: 'A', value: '1', type: 'number' },
      { name: 'B', value: 'two words', type: 'string' },
    ]).text,
  ).toBe(text)
})

test.each([
  ['a tab', 'a\tb', '"a\\tb"'],
  ['only =', '=', '"="'],
  ['U+0085', 'a\u0085b', '"a\\u0085b"'],
  ['a delete character', 'a\u007fb', '"a\\u007fb"'],
  ['a C1 control character', 'a\u009bb', '"a\\u009bb"'],
  ['U+2028', 'a\u2028`b', '"a\\u2028`b"'],
  ['a byte order mark', '\ufeffa', '"\\ufeffa"'],
  ['a boolean of YAML 1.1', 'On', '"On"'],
  ['a comment after a space', 'a #b', '"a #b"'],
  ['a colon at its end', 'a:', '"a:"'],
  ['an address', 'postgres://shop@db:5432/shop?ssl=true', 'postgres://shop@db:5432/shop?ssl=true'],
  ['lines', '-----BEGIN\n  a: b\n', '|\n  -----BEGIN\n    a: b'],
])('yaml writes a text with %s so that readers of YAML 1.1 see the same', (_, each, written) => {
  expect(run('yaml', [{ name: 'A', value: each, type: 'string' }]).text).toBe(`A: ${written}\n`)
  expect(run('yaml', [{ name: each, value: 'x', type: 'string' }]).text).toBe(
    written.startsWith('|') ? `${JSON.stringify(each)}: x\n` : `${written}: x\n`,
  )
})

test.each([
  ['80', '80'],
  ['-1.5', '-1.5'],
  ['0', '0'],
  ['175928847299117063', '"175928847299117063"'],
  ['1.10', '"1.10"'],
  ['1e5', '"1e5"'],
  ['1e+21', '"1e+21"'],
  ['-0', '"-0"'],
  ['1E400', '"1E400"'],
])('the number %s is written as %s, so that other readers don’t change it', (number, written) => {
  for (const format of ['json', 'yaml'] as const) {
    expect(run(format, [{ name: 'A', value: number, type: 'number' }]).text).toContain(`: ${written}\n`)
  }
})

test('yaml announces a key that is too long for readers to find its colon', () => {
  expect(run('yaml', [{ name: 'x'.repeat(1024), value: '', type: null }]).text).toBe(`? ${'x'.repeat(1024)}\n: ""\n`)
})

test.each([
  ['a carriage return', 'a\r\nb', true],
  ['a quote after a backslash', String.raw`a \'b`, true],
  ['lines', 'a\nb', false],
  ['words', 'two words', false],
])('env tells whether Node’s --env-file would change a value with %s', (_, each, isTold) => {
  const { notes } = exportText('env', [{ name: 'A', value: each, type: 'string' }], 't', false)
  expect(notes.some((note) => note.includes('--env-file would change A.'))).toBe(isTold)
})

test.each([
  ['quotes of both kinds', `O'Neil & "Sons" $5`, true],
  ['a backslash and an apostrophe', String.raw`it's C:\temp`, true],
  ['two backslashes', String.raw`C:\\server\share`, true],
  ['a reference', 'a${HOME}b', true],
  ['one backslash', String.raw`C:\temp`, false],
  ['a dollar sign', 'pa$word', false],
  ['an apostrophe', 'it’s fine', false],
  ['lines', 'a\r\nb', false],
  ['words', 'two words', false],
])('env tells whether readers other than dotenv would change a value with %s', (_, each, isTold) => {
  const { notes } = exportText('env', [{ name: 'A', value: each, type: 'string' }], 't', false)
  expect(notes.some((note) => note.includes('Docker Compose and python-dotenv may change A.'))).toBe(isTold)
})

test.each([
  ['a dash in its name', 'A-B', 'x', true],
  ['a backslash in double quotes', 'A', String.raw`it's C:\temp`, true],
  ['a carriage return', 'A', 'a\r\nb', true],
  ['quotes of both kinds', 'A', `it's "a"`, true],
  ['a command outside of quotes', 'A', 'it\'s "a" `b` $(touch ran)', true],
  ['a reference outside of quotes', 'A', 'it\'s "a" `b` $HOME', true],
  ['a backslash at its beginning', 'A', String.raw`\n'"a"` + '`', true],
  ['a command in single quotes', 'A', '$(touch ran)', false],
  ['a backslash in single quotes', 'A', String.raw`C:\new folder`, false],
  ['an apostrophe', 'A', "it's fine", false],
  ['lines', 'A', 'a\nb', false],
])('env tells whether Ruby’s dotenv would misread or run a value with %s', (_, name, each, isTold) => {
  const { notes } = exportText('env', [{ name, value: each, type: 'string' }], 't', false)
  expect(notes.some((note) => note.includes(`Ruby’s dotenv would misread or run ${name}.`))).toBe(isTold)
})

test.each([
  ['quotes around it', '"a b"', true],
  ['a comment', 'a #b', true],
  ['a dollar sign', 'pa$word', true],
  ['a space at its end', 'a ', true],
  ['a # in a word', 'a#b', true],
  ['backticks around it', '`a`', true],
  ['a quote in it', "it's two words", false],
  ['a backslash', String.raw`C:\temp\new`, false],
])('docker tells whether a reader of .env files would change a value with %s', (_, each, isTold) => {
  const { notes } = exportText('docker', [{ name: 'A', value: each, type: 'string' }], 't', false)
  expect(notes).toEqual(isTold ? [expect.stringContaining('Docker Compose, or an import as .env, may change A.')] : [])
})

test(
  seeded('docker tells of each variable that an import of its file as .env would change or leave out'),
  () => {
    const names = ['NAME_A', 'NAME-B', 'NAME/C', 'NAMEÉ', 'NAME_E']
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: names.length }), (values) => {
        const list = values.map((each, at) => ({ name: names[at] ?? '', value: each, type: null }))
        const { text, kept } = run('docker', list)
        const read = new Map(readDotenv(text).entries.map((each) => [each.name, each.value]))
        const [told = ''] = exportText('docker', list, 't', false).notes
        expect(kept.filter(([each = '', was]) => read.get(each) !== was && !told.includes(each))).toEqual([])
      }),
      { seed, numRuns: 3000 },
    )
  },
  120_000,
)

test('a Secret says what it is', () => {
  const { text } = run('kubernetes', [{ name: 'A', value: 'x', type: null }])
  expect(parseYaml(text)).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name: 'shop-prod' },
    data: { A: 'eA==' },
  })
})

test('a Secret that Kubernetes would not take is told', () => {
  expect(exportText('kubernetes', [{ name: 'A', value: 'x'.repeat(1_100_000), type: null }], 't', false).notes).toEqual([
    expect.stringContaining('1 MiB'),
  ])
})
