import { describe, expect, test } from 'vitest'
import { readYaml } from '../../electron/transfer/read-yaml.ts'

const short = (text: string) => readYaml(text).entries.map(({ name, value, type }) => [name, value, type])

describe('readYaml', () => {
  test.each([
    [
      'texts of every style',
      `A: plain text\nB: 'it''s'\nC: "a\\tb"\n`,
      [
        ['A', 'plain text', null],
        ['B', "it's", null],
        ['C', 'a\tb', null],
      ],
    ],
    [
      'blocks',
      'A: |\n  x\n  y\nB: >-\n  x\n  y\n',
      [
        ['A', 'x\ny\n', null],
        ['B', 'x y', null],
      ],
    ],
    [
      'numbers as they were written',
      'A: 012\nB: 1.50\nC: 0x1F\nD: 1e3\n',
      [
        ['A', '012', 'number'],
        ['B', '1.50', 'number'],
        ['C', '0x1F', 'number'],
        ['D', '1e3', 'number'],
      ],
    ],
    [
      'no number where the app would see none',
      'A: .inf\nB: .nan\n',
      [
        ['A', '.inf', null],
        ['B', '.nan', null],
      ],
    ],
    [
      'booleans of YAML 1.2 only',
      'A: True\nB: yes\nC: off\n',
      [
        ['A', 'true', 'boolean'],
        ['B', 'yes', null],
        ['C', 'off', null],
      ],
    ],
    [
      'nulls',
      'A:\nB: ~\nC: null\n',
      [
        ['A', '', null],
        ['B', '', null],
        ['C', '', null],
      ],
    ],
    [
      'mappings in mappings',
      'db:\n  host: h\n  auth: {user: u}\n',
      [
        ['db__host', 'h', null],
        ['db__auth__user', 'u', null],
      ],
    ],
    [
      'names that are no texts',
      '1: a\ntrue: b\n~: c\n',
      [
        ['1', 'a', null],
        ['true', 'b', null],
        ['~', 'c', null],
      ],
    ],
    [
      'aliases',
      'A: &a x\nB: *a\nm: &m {k: v}\nn: *m\n',
      [
        ['A', 'x', null],
        ['B', 'x', null],
        ['m__k', 'v', null],
        ['n__k', 'v', null],
      ],
    ],
    [
      'an alias of the latest anchor before it',
      'A: &a 1\nB: *a\nC: &a 2\nD: *a\n',
      [
        ['A', '1', 'number'],
        ['B', '1', 'number'],
        ['C', '2', 'number'],
        ['D', '2', 'number'],
      ],
    ],
    [
      'JSON',
      '{"A": 1, "b": {"c": "d"}}',
      [
        ['A', '1', 'number'],
        ['b__c', 'd', null],
      ],
    ],
    ['tags of YAML itself', 'A: !!str 1\n', [['A', '1', null]]],
    ['nothing', '# nothing\n', []],
    ['a document with its marks', '---\nA: x\n...\n', [['A', 'x', null]]],
  ])('reads %s', (_, text, entries) => {
    expect(short(text)).toEqual(entries)
    expect(readYaml(text).invalid).toEqual([])
  })

  test('tells the line of each entry, and which of two counts', () => {
    expect(readYaml('# c\nA: 1\n\nB:\n  C: 2\nA: 3\n').entries.map(({ line, name, overridden }) => [line, name, overridden])).toEqual([
      [2, 'A', true],
      [5, 'B__C', false],
      [6, 'A', false],
    ])
  })

  test.each([
    ['a list', 'a:\n  b:\n    - x\nC: y\n', { line: 2, name: 'a__b', reason: expect.stringContaining('“a.b” is a list') }],
    [
      'a tag of its own',
      'C: y\nA: !vault x\n',
      { line: 2, name: 'A', reason: expect.stringContaining('a tag that Holdfast doesn’t know') },
    ],
    ['a merge key', 'a: &a {C: y}\nb:\n  <<: *a\nC: y\n', { line: 3, name: 'b__<<', reason: expect.stringContaining('merge keys') }],
    ['an alias of nothing', 'A: *b\nC: y\n', { line: 1, name: 'A', reason: expect.stringContaining('an alias, but nothing before it') }],
    ['an empty mapping', 'A: {}\nC: y\n', { line: 1, name: 'A', reason: expect.stringContaining('is empty') }],
  ])('%s is invalid by its path, and the rest is read', (_, text, invalid) => {
    const read = readYaml(text)
    expect(read.invalid).toEqual([invalid])
    expect(read.entries.at(-1)).toMatchObject({ name: expect.stringMatching(/C$/), value: 'y' })
  })

  const bomb = [
    'a0: &a0 {k: v}',
    ...Array.from(
      { length: 20 },
      (_, n) =>
        `a${n + 1}: &a${n + 1} {${'xyzuvwts'
          .split('')
          .map((key) => `${key}: *a${n}`)
          .join(', ')}}`,
    ),
  ]
  const aliases = Array.from({ length: 7000 }, (_, n) => `B${n}: *a`).join('\n')
  test.each([
    ['a list', '- a\n', 'This YAML isn’t a mapping.'],
    ['a text', 'just words', 'This YAML isn’t a mapping.'],
    ['two documents', 'A: 1\n---\nB: 2\n', 'several documents'],
    ['a line out of place', 'A: 1\n\tB: 2\n', 'line 2'],
    ['a quote without end', 'A: "x\n', 'isn’t valid YAML'],
    ['an alias of itself', 'A: &a\n  B: *a\n', 'more than 64 levels deep'],
    ['aliases that multiply', bomb.join('\n'), 'more than'],
    [
      'a long value with many aliases',
      `A: &a ${'v'.repeat(50_000)}\n${aliases}`,
      'With groups and aliases written out, this text is too large',
    ],
    [
      'a long name with many aliases',
      `? ${'n'.repeat(50_000)}\n: {A: &a {B: 1}, ${aliases.replaceAll('\n', ', ')}}`,
      'is too large to import',
    ],
    ['mappings without end', '{a: '.repeat(50_000), 'This'],
    ['too many entries', Array.from({ length: 100_001 }, (_, n) => `A${n}: x`).join('\n'), 'more than 100,000 entries'],
  ])('%s is refused with a sentence', (_, text, sentence) => {
    expect(() => readYaml(text)).toThrow(sentence)
  })

  test('no sentence quotes a value', () => {
    expect(() => readYaml('A: "sentinel-4711')).toThrow(expect.not.stringContaining('sentinel'))
  })
})

describe('a Kubernetes Secret', () => {
  const manifest = (rest: string) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\n${rest}`

  test('gives its data decoded, which its lines say, and its stringData as it is written', () => {
    expect(readYaml(manifest('data:\n  B: dHdvIHdvcmRz\n  "C": |\n    w6Qg\n    4oKs\nstringData:\n  D: MQ==\n')).entries).toMatchObject([
      { line: 7, name: 'B', value: 'two words', type: null, isSecret: true, note: 'Decoded from base64.' },
      { line: 8, name: 'C', value: 'ä €', isSecret: true },
      { line: 12, name: 'D', value: 'MQ==', isSecret: true, note: null },
    ])
  })

  test('has its stringData win over its data', () => {
    const { entries } = readYaml(manifest('stringData:\n  A: plain\ndata:\n  A: dHdv\n'))
    expect(entries.filter(({ overridden }) => !overridden)).toMatchObject([{ name: 'A', value: 'plain' }])
  })

  test('has no variables outside of them', () => {
    expect(readYaml(manifest('data: {}\n'))).toEqual({ entries: [], invalid: [] })
    expect(readYaml(manifest('data:\n'))).toEqual({ entries: [], invalid: [] })
  })

  test.each([
    ['text', 'plain text', 'isn’t base64'],
    ['a number', '12', 'isn’t base64'],
    ['binary data', '/////w==', 'is binary data'],
  ])('with %s in its data says so at its line', (_, value, sentence) => {
    expect(readYaml(manifest(`data:\n  A: ${value}\n`))).toMatchObject({
      entries: [],
      invalid: [{ line: 7, name: 'A', reason: expect.stringContaining(sentence) }],
    })
  })

  test('is one only with its kind, version and metadata', () => {
    expect(short('kind: Secret\ndata:\n  A: MQ==\n')).toEqual([
      ['kind', 'Secret', null],
      ['data__A', 'MQ==', null],
    ])
  })
})
