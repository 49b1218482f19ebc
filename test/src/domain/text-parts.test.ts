import { describe, expect, test } from 'vitest'
import type { Rename } from '../../../electron/bridge/rows.ts'
import {
  findRenames,
  formerSecrets,
  reviewLines,
  partValue,
  secrecyRemark,
  textParts,
  untouchedSince,
} from '../../../src/domain/text-parts.ts'

type Status = 'added' | 'changed' | 'unchanged' | 'removed' | 'invalid'

const read = (text: string, ...lines: [name: string, line: number, status: Status][]) => ({
  text,
  lines: lines.map(([name, line, status]) => ({ name, line, status })),
})

describe('what changed elsewhere while a text was edited', () => {
  const base = read('A=1\nB="x\ny"\nC=3\n', ['A', 1, 'changed'], ['B', 2, 'unchanged'], ['C', 4, 'added'], ['NEW', 0, 'removed'])

  test('stays as it is there when the text was not touched at its place', () => {
    const draft = read('A=1\nB="x\nz"\nC=3\n', ['A', 1, 'changed'], ['B', 2, 'changed'], ['C', 4, 'added'], ['NEW', 0, 'removed'])
    expect(untouchedSince(base, draft)).toEqual(new Set(['A', 'C', 'NEW']))
  })

  test('is the matter of the text where it was touched: changed, taken out, or typed as well', () => {
    const draft = read('A=2\nB="x\ny"\nNEW=mine\n', ['A', 1, 'changed'], ['B', 2, 'unchanged'], ['NEW', 4, 'changed'])
    expect(untouchedSince(base, draft)).toEqual(new Set())
  })

  test('is found wherever its lines went', () => {
    const draft = read('C=3\n\nA=1\n', ['C', 1, 'added'], ['A', 3, 'changed'], ['B', 0, 'removed'], ['NEW', 0, 'removed'])
    expect(untouchedSince(base, draft)).toEqual(new Set(['A', 'C', 'NEW']))
  })

  test('stays as it is there when only comments and blank lines after it were touched', () => {
    const draft = read(
      'A=1\n\n# B counts\n# boxes\nB="x\ny"\nC=3\n# end\n',
      ['A', 1, 'changed'],
      ['B', 5, 'unchanged'],
      ['C', 7, 'added'],
      ['NEW', 0, 'removed'],
    )
    expect(untouchedSince(base, draft)).toEqual(new Set(['A', 'C', 'NEW']))
  })

  test('is nothing when nothing did', () => {
    expect(untouchedSince(read('A=1\n', ['A', 1, 'unchanged']), read('A=2\n', ['A', 1, 'changed']))).toEqual(new Set())
  })
})

test.each([
  ['A=1', '1'],
  ["export A='x y'", 'x y'],
  ['A="one\ntwo"', 'one ¶ two'],
  ['A="one\\ttwo"', '"one\\ttwo"'],
  ["A='x' 'y'", "'x' 'y'"],
  ['A=', ''],
  ['A: yes', 'yes'],
])('the part %j of a text is shown as %j', (part, shown) => {
  expect(partValue(part)).toBe(shown)
})

test('every name has the part of the text from its line to the next one', () => {
  const text = 'A=1\n# note\nB="x\n# y"\n\n# about the next\nA=2\n'
  const parts = textParts(read(text, ['A', 1, 'unchanged'], ['B', 3, 'unchanged'], ['A', 7, 'changed']))
  expect([...parts]).toEqual([
    ['A', 'A=2'],
    ['B', 'B="x\n# y"'],
  ])
})

describe('a line whose name was edited', () => {
  /** One letter for each line; `-`: a line that can’t be read. Other letters than those of `names` are removed. */
  const named = (names: string, status: (name: string) => Status, removed = '', text = '') =>
    read(
      text,
      ...[...names].map((name, at): [string, number, Status] => [name === '-' ? '' : name, at + 1, status(name)]),
      ...[...removed].map((name): [string, number, Status] => [name, 0, 'removed']),
    )
  const found = (before: string, after: string, equal: readonly Rename[] = [], value = 'a long value') => {
    const base = named(before, () => 'unchanged')
    const removed = [...before].filter((name) => !after.includes(name)).join('')
    const { renames, doubtful } = findRenames(
      base,
      named(
        after,
        (name) => (before.includes(name) ? 'unchanged' : 'added'),
        removed,
        [...after].map((name) => `${name}=${value}\n`).join(''),
      ),
      equal,
    )
    return [
      ...[...renames.values()].map(({ from, to }) => `${to} was ${from}`),
      ...[...doubtful].map(([name, were]) => `${name} may be ${were.join(' or ')}`),
    ]
  }

  test.each([
    ['between its neighbors', 'ABC', 'AXC', ['X was B']],
    ['at the beginning', 'ABC', 'XBC', ['X was A']],
    ['at the end', 'ABC', 'ABX', ['X was C']],
    ['in doubt, as the only one', 'A', 'X', ['X may be A']],
    ['in doubt with the next ones, in their order', 'ABCD', 'AXYD', ['X may be B', 'Y may be C']],
    ['in several places', 'ABCDE', 'XBYDE', ['X was A', 'Y was C']],
    ['though another was taken out elsewhere', 'ABCDE', 'AXCE', ['X was B']],
    ['though another place has more lines', 'ABCDE', 'AXCDYZE', ['X was B']],
    ['in doubt, as one of those that were taken out there', 'ABCD', 'AXD', ['X may be B or C']],
    ['in doubt, as any of those that were added there', 'ABC', 'AXYC', ['X may be B', 'Y may be B']],
    ['in doubt, in a place with a line that can’t be read', 'ABCDE', 'AX-E', ['X may be B or C or D']],
    ['though lines around it were moved', 'ABCDE', 'EAXCD', ['X was B']],
    ['though a line was moved next to it', 'ABCDE', 'ADXCE', ['X was B']],
    ['in doubt if it, or the line next to it, was moved', 'ABCD', 'ACXD', ['X may be B']],
    ['but not farther away: it is another one', 'ABCD', 'ACDX', []],
    ['but not if no name was edited', 'ABC', 'CAB', []],
    ['but not if it is new', 'AB', 'ABX', []],
  ])('is known by its place %s: %s becomes %s', (_, before, after, expected) => {
    expect(found(before, after)).toEqual(expected)
  })

  test('is known by its value wherever it is, and keeps the place of its neighbors', () => {
    expect(found('ABCD', 'CXD', [{ from: 'A', to: 'X' }])).toEqual(['X was A'])
    expect(
      found('ABCD', 'XYZD', [
        { from: 'A', to: 'X' },
        { from: 'C', to: 'Z' },
      ]),
    ).toEqual(['X was A', 'Z was C', 'Y was B'])
  })

  test('is known by a short value, which others may have by chance, only in its place', () => {
    expect(found('ABCD', 'BCXD', [{ from: 'A', to: 'X' }], 'true')).toEqual([])
    expect(
      found(
        'ABCD',
        'XYCD',
        [
          { from: 'A', to: 'X' },
          { from: 'B', to: 'Y' },
        ],
        'true',
      ),
    ).toEqual(['X was A', 'Y was B'])
    expect(found('A', 'X', [{ from: 'A', to: 'X' }], 'true')).toEqual(['X was A'])
  })

  test.each([
    ['the one in its place', 'ABC', 'A-C', 'B'],
    ['the one at its turn', 'ABCD', 'A-XD', 'B'],
    ['each in its place, where others were removed too', 'ABCDE', 'A-E', 'BCD'],
    ['one next to it, which may have been moved', 'ABCD', 'AC-D', 'B'],
    ['none where none was removed', 'ABCDE', 'ABC-E', 'D'],
    ['none farther away', 'ABCDE', 'ACD-E', ''],
  ])('that can’t be saved takes %s from those to delete: %s becomes %s', (_, before, after, kept) => {
    const draft = read(
      '',
      ...[...after].map((name, at): [string, number, Status] => [name === '-' ? '' : name, at + 1, name === '-' ? 'invalid' : 'unchanged']),
    )
    expect(
      [
        ...findRenames(
          named(before, () => 'unchanged'),
          draft,
          [],
        ).kept,
      ].join(''),
    ).toBe(kept)
  })

  test('that has a name, and can’t be saved, takes none for a rename', () => {
    const draft = read('', ['A', 1, 'unchanged'], ['B/B', 2, 'invalid'], ['C', 3, 'unchanged'], ['B', 0, 'removed'])
    const { renames, kept } = findRenames(
      named('ABC', () => 'unchanged'),
      draft,
      [],
    )
    expect([[...renames], [...kept]]).toEqual([[], ['B']])
  })

  test('is no variable that others added while the text was edited', () => {
    expect(found('AB', 'ABX', [{ from: 'NEW', to: 'X' }])).toEqual([])
  })

  test('is no variable that others deleted while the text was edited', () => {
    const draft = read('', ['A', 1, 'unchanged'], ['X', 2, 'added'], ['C', 3, 'unchanged'])
    const { renames, doubtful } = findRenames(
      named('ABC', () => 'added'),
      draft,
      [],
    )
    expect([[...renames], [...doubtful]]).toEqual([[], [['X', ['B']]]])
  })
})

test('a rename is one line of the review, as secret as its variable, and a variable that is kept one that is not deleted', () => {
  const line = { line: 1, reason: null, warnings: [], id: null, value: null, type: null }
  const added = { ...line, name: 'NEW', status: 'added' as const, isSecret: false }
  const removed = { ...line, line: 0, name: 'OLD', status: 'removed' as const, isSecret: true }
  const other = { ...removed, name: 'OTHER' }
  expect(
    reviewLines([added, removed, other], { renames: new Map([['NEW', { from: 'OLD', to: 'NEW' }]]), kept: new Set(['OTHER']) }),
  ).toEqual([
    { ...added, status: 'renamed', from: 'OLD', isSecret: true, looksSecret: false },
    { ...other, status: 'kept', reason: 'The line in its place can’t be saved. Fix that line first.' },
  ])
})

describe('a line of a text', () => {
  const of = (names: string, secrets: string, status: Status) => ({
    text: '',
    lines: [...names].map((name, at) => ({ name, line: at + 1, status, isSecret: secrets.includes(name) })),
  })
  const lineOf = (name: string, line: number, status: Status) => ({ name, line, status, isSecret: false })
  const draft = { text: '', lines: [lineOf('A', 1, 'unchanged'), lineOf('C', 2, 'unchanged'), lineOf('X', 3, 'added')] }

  test('may have the name of a plain one, and the value of a secret whose name is gone', () => {
    const base = { ...of('AB', 'B', 'unchanged'), text: 'A=x\nB="s 1"\n' }
    const over = (text: string, ...lines: ReturnType<typeof lineOf>[]) => [...formerSecrets(base, { text, lines }, new Map(), false)]
    expect(over('A="s 1"\n', lineOf('A', 1, 'changed'))).toEqual([['A', ['B']]])
    expect(over('A=another\n', lineOf('A', 1, 'changed'))).toEqual([])
    expect(over('A="s 1"\nB="s 1"\n', lineOf('A', 1, 'changed'), lineOf('B', 2, 'unchanged'))).toEqual([])
  })

  const doubtful = new Map([['X', ['B']]])

  test('may be a secret under a new name, if too much was changed around it to tell', () => {
    expect(formerSecrets(of('ABC', 'B', 'unchanged'), draft, doubtful, false)).toEqual(new Map([['X', ['B']]]))
    expect(formerSecrets(of('ABC', 'AC', 'unchanged'), draft, doubtful, false)).toEqual(new Map())
    expect(formerSecrets(of('ABC', 'B', 'unchanged'), draft, new Map(), false)).toEqual(new Map())
  })

  test('may be a secret that was deleted elsewhere, if the text had any', () => {
    expect(formerSecrets(of('ABC', '', 'added'), draft, doubtful, false)).toEqual(new Map([['X', ['B']]]))
    expect(formerSecrets(of('ABC', '', 'added'), draft, doubtful, true)).toEqual(new Map())
  })
})

test.each([
  ['stays secret', 'added', false, ['B'], true],
  ['no longer secret', 'added', false, ['B'], false],
  ['becomes secret', 'changed', false, [], true],
  ['no longer secret', 'changed', true, [], false],
  ['no longer secret', 'renamed', true, [], false],
  [null, 'changed', true, [], true],
  [null, 'added', false, [], true],
] as const)('the remark about a line is %j', (short, status, isNow, former, isSecret) => {
  expect(secrecyRemark({ status, isSecret: isNow }, former, isSecret)?.short ?? null).toBe(short)
})
