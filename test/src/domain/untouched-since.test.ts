import { describe, expect, test } from 'vitest'
import { untouchedSince } from '../../../src/domain/untouched-since.ts'

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

  test('is nothing when nothing did', () => {
    expect(untouchedSince(read('A=1\n', ['A', 1, 'unchanged']), read('A=2\n', ['A', 1, 'changed']))).toEqual(new Set())
  })
})
