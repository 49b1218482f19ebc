import { describe, expect, test } from 'vitest'
import { formerNames, formerSecrets, partValue, secrecyRemark, textParts, untouchedSince } from '../../../src/domain/text-parts.ts'

type Status = 'added' | 'changed' | 'unchanged' | 'removed'

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

describe('a line whose name was edited is known by its place', () => {
  /** One letter for each line; `-`: a line that can’t be read. */
  const named = (names: string) =>
    read('', ...[...names].map((name, at): [string, number, Status] => [name === '-' ? '' : name, at + 1, 'unchanged']))

  test.each([
    ['between its neighbors', 'ABC', 'AXC', ['X was B']],
    ['at the beginning', 'ABC', 'XBC', ['X was A']],
    ['at the end', 'ABC', 'ABX', ['X was C']],
    ['as the only one', 'A', 'X', ['X was A']],
    ['with the next ones, in their order', 'ABCD', 'AXYD', ['X was B', 'Y was C']],
    ['in several places', 'ABCDE', 'XBYDE', ['X was A', 'Y was C']],
    ['or it is one that was taken out elsewhere', 'ABCDE', 'AXCE', ['X was B or D']],
    ['although another place has more lines', 'ABCDE', 'AXCDYZE', ['X was B', 'Y was nothing', 'Z was nothing']],
    ['as one of those that were taken out there', 'ABCD', 'AXD', ['X was B or C']],
    ['as any of those that were added there', 'ABC', 'AXYC', ['X was B', 'Y was B']],
    ['as any of those in a place with a line that can’t be read', 'ABCDE', 'AX-E', ['X was B or C or D']],
    ['or it was moved, or the line next to it', 'ABCD', 'ACXD', ['X was B']],
    ['or one was moved to the place of another', 'ABCDE', 'ACXE', ['X was D or B']],
    ['but not if no name was edited', 'ABC', 'CAB', []],
    ['but not if it is new', 'AB', 'ABX', ['X was nothing']],
  ])('%s: %s becomes %s', (_, before, after, expected) => {
    const found = [...formerNames(named(before), named(after))]
    expect(found.map(([name, were]) => `${name} was ${were.join(' or ') || 'nothing'}`)).toEqual(expected)
  })
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
    const over = (text: string, ...lines: ReturnType<typeof lineOf>[]) => [...formerSecrets(base, { text, lines }, false)]
    expect(over('A="s 1"\n', lineOf('A', 1, 'changed'))).toEqual([['A', ['B']]])
    expect(over('A=another\n', lineOf('A', 1, 'changed'))).toEqual([])
    expect(over('A="s 1"\nB="s 1"\n', lineOf('A', 1, 'changed'), lineOf('B', 2, 'unchanged'))).toEqual([])
  })

  test('may be a secret under a new name', () => {
    expect(formerSecrets(of('ABC', 'B', 'unchanged'), draft, false)).toEqual(new Map([['X', ['B']]]))
    expect(formerSecrets(of('ABC', 'AC', 'unchanged'), draft, false)).toEqual(new Map())
  })

  test('may be a secret that was deleted elsewhere, if the text had any', () => {
    expect(formerSecrets(of('ABC', '', 'added'), draft, false)).toEqual(new Map([['X', ['B']]]))
    expect(formerSecrets(of('ABC', '', 'added'), draft, true)).toEqual(new Map())
  })
})

test.each([
  ['stays secret', 'added', false, ['B'], true],
  ['no longer secret', 'added', false, ['B'], false],
  ['becomes secret', 'changed', false, [], true],
  ['no longer secret', 'changed', true, [], false],
  [null, 'changed', true, [], true],
  [null, 'added', false, [], true],
] as const)('the remark about a line is %j', (short, status, isNow, former, isSecret) => {
  expect(secrecyRemark({ status, isSecret: isNow }, former, isSecret)?.short ?? null).toBe(short)
})
