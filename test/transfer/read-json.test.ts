import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../electron/transfer/read-json.ts'
import { seed, seeded } from '../cipher/seeded.ts'

type Tree = { [name: string]: string | number | boolean | null | Tree }

const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(fc.string(), fc.oneof({ maxDepth: 4 }, leaf, tie('tree')), { maxKeys: 6, noNullPrototype: true }),
}))

/** What a tree means, told without the reader. */
const flatten = (from: Tree, path: string[] = []): [string, string][] =>
  Object.entries(from).flatMap(([name, value]) => {
    const inner = [...path, name]
    if (typeof value === 'object' && value !== null) return flatten(value, inner)
    return [[inner.join('__'), value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)]]
  })

const pairs = (text: string) => readJson(text).entries.map(({ name, value }) => [name, value])

/** A text of 100 kB whose entries have names of gigabytes. */
const groupOf = (entry: string): string => `{"${'n'.repeat(50_000)}":{${Array.from({ length: 7000 }, () => entry).join(',')}}}`

describe('readJson', () => {
  test(seeded('gives every value of every object, under one name'), () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (each, indent) => {
        expect(pairs(JSON.stringify(each, null, indent))).toEqual(flatten(JSON.parse(JSON.stringify(each)) as Tree))
      }),
      { seed, numRuns: 2000 },
    )
  })

  test(seeded('takes what JSON.parse takes for an object, and nothing else'), () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"b\\n"',
      '"\\x"',
      '"',
      '1',
      '-0.5e3',
      '01',
      '.5',
      'true',
      'nul',
      'null',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => `{${pieces.join('')}`),
        (text) => {
          let expected = true
          try {
            JSON.parse(text)
          } catch {
            expected = false
          }
          let taken = true
          try {
            readJson(text)
          } catch {
            taken = false
          }
          expect(taken).toBe(expected)
        },
      ),
      { seed, numRuns: 20_000 },
    )
  })

  test.each([
    ['a text', '{"A": "x"}', [{ line: 1, name: 'A', value: 'x', type: null, overridden: false, note: null }]],
    [
      'a number as it was written',
      '{"A": 1.50e+2}',
      [{ line: 1, name: 'A', value: '1.50e+2', type: 'number', overridden: false, note: null }],
    ],
    [
      'a number no double can hold',
      '{"A": 12345678901234567890}',
      [{ line: 1, name: 'A', value: '12345678901234567890', type: 'number', overridden: false, note: null }],
    ],
    ['a boolean', '{"A": false}', [{ line: 1, name: 'A', value: 'false', type: 'boolean', overridden: false, note: null }]],
    [
      'null',
      '{"A": null}',
      [{ line: 1, name: 'A', value: '', type: null, overridden: false, note: 'Null is imported as an empty value.' }],
    ],
    [
      'an object in an object',
      '{\n"db": {"host": "h"}}',
      [{ line: 2, name: 'db__host', value: 'h', type: null, overridden: false, note: null }],
    ],
    ['a byte order mark', '\ufeff{"A": "x"}', [{ line: 1, name: 'A', value: 'x', type: null, overridden: false, note: null }]],
    [
      'a name that comes twice',
      '{"A": "1",\n"A": "2"}',
      [
        { line: 1, name: 'A', value: '1', type: null, overridden: true, note: null },
        { line: 2, name: 'A', value: '2', type: null, overridden: false, note: null },
      ],
    ],
    [
      'a name that objects are born with',
      '{"__proto__": "x"}',
      [{ line: 1, name: '__proto__', value: 'x', type: null, overridden: false, note: null }],
    ],
  ])('reads %s', (_, text, entries) => {
    expect(readJson(text)).toMatchObject({ entries, invalid: [] })
  })

  test('refuses lists and empty objects by their path, and reads the rest', () => {
    const { entries, invalid } = readJson('{"a": {"list": [1, {"b": "x"}],\n"none": {}}, "C": "x"}')
    expect(entries.map(({ name }) => name)).toEqual(['C'])
    expect(invalid).toEqual([
      { line: 1, name: 'a__list', reason: expect.stringContaining('“a.list” is a list') },
      { line: 2, name: 'a__none', reason: expect.stringContaining('“a.none” is empty') },
    ])
  })

  test.each([
    ['a list', '[1]', 'This JSON isn’t an object.'],
    ['a text', '"A=1"', 'This JSON isn’t an object.'],
    ['half an object', '{\n"A": 1', 'The text ends too early on line 2'],
    ['a comma too many', '{"A": 1,\n}', 'out of place on line 2'],
    ['something after the object', '{}\n\n{}', 'out of place on line 3'],
    ['objects without end', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'more than 64 levels deep'],
    ['lists without end', `{"a":${'['.repeat(3_000_000)}`, 'more than 64 levels deep'],
    ['too many entries', `{${Array.from({ length: 100_001 }, (_, n) => `"A${n}":1`).join(',')}}`, 'more than 100,000 entries'],
    ['a long name of a group with many entries', groupOf('"A":1'), 'With groups and aliases written out, this text is too large'],
    ['a long name of a group with many lists', groupOf('"A":[]'), 'With groups and aliases written out, this text is too large'],
    ['too many lists', `{${Array.from({ length: 10_001 }, (_, n) => `"A${n}":[]`).join(',')}}`, 'More than 10,000 lines'],
  ])('%s is refused with a sentence', (_, text, sentence) => {
    expect(() => readJson(text)).toThrow(sentence)
  })

  test.each([
    ['on one line', ','],
    ['on a line each', ',\n'],
  ])('five megabytes %s take no time', (_, between) => {
    const text = `{${Array.from({ length: 100_000 }, (_name, n) => `"NAME_${n}": "${'x'.repeat(30)}"`).join(between)}}`
    expect(readJson(text).entries).toHaveLength(100_000)
  })

  test('no sentence quotes a value', () => {
    expect(() => readJson('{"A": "sentinel-4711", sentinel-4711}')).toThrow(expect.not.stringContaining('sentinel'))
    expect(() => readJson('{"A": "sentinel-4711')).toThrow(expect.not.stringContaining('sentinel'))
  })
})
