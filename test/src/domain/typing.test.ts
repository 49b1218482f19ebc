import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import * as contract from '../../../electron/bridge/contract.ts'
import { fileText } from '../../../src/domain/file-text.ts'
import { importLimitBytes, importSizeProblem } from '../../../src/domain/import-limit.ts'
import { readDotenv } from '../../../electron/transfer/read-dotenv.ts'
import { isShellName } from '../../../electron/transfer/shell-name-problem.ts'
import { variableNameProblem } from '../../../service/protocol/names.ts'
import { pastedLine } from '../../../src/domain/pasted-line.ts'
import { typeFlaw } from '../../../src/domain/type-flaw.ts'
import { typeWarning } from '../../../src/domain/value-note.ts'
import { seed, seeded } from '../../cipher/seeded.ts'

describe('a name', () => {
  test.each([
    ['DATABASE_URL', true],
    ['_private', true],
    ['a1', true],
    ['1A', false],
    ['ODD.name-1', false],
    ['', false],
    ['A\nB', false],
    ['ÄRGER', false],
  ])('%j is taken by a shell: %s', (name, taken) => {
    expect(isShellName(name)).toBe(taken)
  })

  test.each(['', '.', '..', 'a/b', 'a\nb', 'a\u0000', 'x'.repeat(256)])('%j is refused with a sentence', (name) => {
    expect(variableNameProblem(name)).toMatch(/^[A-Z].*\.$/)
  })

  test.each(['ODD.name-1', 'ÄRGER', 'with space', '...', 'x'.repeat(255)])('%j may be saved', (name) => {
    expect(variableNameProblem(name)).toBeNull()
  })
})

describe('a value beside its type', () => {
  test.each([
    ['string', 'anything', false],
    [null, 'anything', false],
    ['number', '42', false],
    ['number', '-1.5e3', false],
    ['number', '', true],
    ['number', 'four', true],
    ['number', 'Infinity', true],
    ['boolean', 'true', false],
    ['boolean', 'FALSE', false],
    ['boolean', 'yes', true],
    ['number', '${PORT}', false],
    ['number', '1${DIGITS}', false],
    ['number', '$${PORT}', true],
    ['boolean', '${staging.IS_ON}', false],
    ['boolean', '${', true],
  ] as const)('%s %j warns: %s', (type, value, warns) => {
    expect(typeFlaw(type, value) !== null).toBe(warns)
    expect(typeWarning(type, value) !== null).toBe(warns)
  })
})

describe('a paste into the name field', () => {
  test.each([
    ['DATABASE_URL', { kind: 'text' }],
    ['', { kind: 'text' }],
    ['two\nlines', { kind: 'text' }],
    ['PORT=3000', { kind: 'pair', name: 'PORT', value: '3000' }],
    ['export PORT=3000\n', { kind: 'pair', name: 'PORT', value: '3000' }],
    ['URL="a=b c"', { kind: 'pair', name: 'URL', value: 'a=b c' }],
    ["# note\nKEY='x'", { kind: 'pair', name: 'KEY', value: 'x' }],
    ['EMPTY=', { kind: 'pair', name: 'EMPTY', value: '' }],
    ['KEY="-----BEGIN\\nMIIE\\n-----END"', { kind: 'pair', name: 'KEY', value: '-----BEGIN\nMIIE\n-----END' }],
    ["KEY='one\\ntwo'", { kind: 'pair', name: 'KEY', value: 'one\\ntwo' }],
    ['NAME="Shop" # shown in the title', { kind: 'pair', name: 'NAME', value: 'Shop' }],
    ["COLOR='#fff'#c", { kind: 'pair', name: 'COLOR', value: '#fff' }],
    ['PORT=8080 # web', { kind: 'pair', name: 'PORT', value: '8080' }],
    ["A=`it's`", { kind: 'pair', name: 'A', value: "it's" }],
    ['NOTE= # none', { kind: 'pair', name: 'NOTE', value: '' }],
    // An import warns of these.
    ['URL=http://x/#frag', { kind: 'import' }],
    ['TITLE="good day', { kind: 'import' }],
    ['TITLE="a" and "b"', { kind: 'import' }],
    ['JSON="{\\"a\\": 1}"', { kind: 'import' }],
    ['KEY=-----BEGIN PRIVATE KEY-----', { kind: 'import' }],
    ['A=1\nB=2', { kind: 'import' }],
    ['{"A": 1}', { kind: 'import' }],
    ['{\n  "A": {"B": true}\n}', { kind: 'import' }],
    ['{}', { kind: 'import' }],
    ['{template}', { kind: 'text' }],
    ['[1, 2]', { kind: 'text' }],
    ['PORT: 8080', { kind: 'import' }],
    ['# all\nshop:\n  port: 8080\n', { kind: 'import' }],
    ['---\nA: 1', { kind: 'import' }],
    ['https://shop.example', { kind: 'text' }],
    ['see below: it works', { kind: 'text' }],
    ['CERT="-----BEGIN\nabc\n-----END"', { kind: 'import' }],
  ])('of %j is %j', (text, meaning) => {
    expect(pastedLine(text)).toEqual(meaning)
  })
})

test(seeded('a line that is pasted into a field is read as an import reads it, or opens the import'), () => {
  const pieces = fc.constantFrom(...'a 1 = : # " \' ` \\ \\n \\r \\" $ ! -----BEGIN'.split(' '), ' ', '\t')
  const line = fc.array(pieces, { maxLength: 8 }).map((parts) => `A=${parts.join('')}`)
  fc.assert(
    fc.property(
      fc.oneof(
        line,
        fc.string({ unit: 'binary' }).map((text) => `A=${text}`),
      ),
      (text) => {
        const meaning = pastedLine(text)
        if (meaning.kind !== 'pair') return
        const { entries, ignored } = readDotenv(text)
        expect({ entries, ignored }).toMatchObject({ entries: [{ name: 'A', value: meaning.value, warnings: [] }], ignored: [] })
      },
    ),
    { seed, numRuns: 5000 },
  )
})

describe('a file to import', () => {
  const file = (bytes: Uint8Array<ArrayBuffer>, size = bytes.length) => ({
    name: '.env',
    size,
    arrayBuffer: vi.fn(async () => bytes.buffer),
  })

  test('has the limit that the application has', () => {
    expect(importLimitBytes).toBe(contract.importLimitBytes)
    expect(importSizeProblem(importLimitBytes)).toBeNull()
  })

  test('over the limit is refused without being read', async () => {
    const large = file(new Uint8Array(), importLimitBytes + 1)
    const read = await fileText(large)
    expect(read).toEqual({ ok: false, problem: expect.stringMatching(/at most 5 MiB/) })
    expect(large.arrayBuffer).not.toHaveBeenCalled()
  })

  test('of text is read as UTF-8', async () => {
    expect(await fileText(file(new TextEncoder().encode('GRÜSSE=ja')))).toEqual({ ok: true, text: 'GRÜSSE=ja' })
  })

  test('that is no text is refused with what to do', async () => {
    expect(await fileText(file(new Uint8Array([0xff, 0xfe, 0x00, 0xd8])))).toEqual({
      ok: false,
      problem: expect.stringMatching(/Save it as UTF-8/),
    })
  })

  test('that went away is told as such', async () => {
    const gone = { name: '.env', size: 3, arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }
    expect(await fileText(gone)).toEqual({ ok: false, problem: expect.stringMatching(/^\.env couldn’t be read/) })
  })
})
