import { describe, expect, test } from 'vitest'
import type { CompareCell } from '../../../electron/bridge/rows.ts'
import { cellWords, countWords } from '../../../src/domain/compare-words.ts'
import { copyTargets } from '../../../src/domain/copy-targets.ts'
import { pairState } from '../../../src/domain/pair-state.ts'

/** `same 1`, `different 2`, `missing`, ...: cells of one row, in the environments a, b, c, ... */
const cells = (...texts: string[]): CompareCell[] =>
  texts.map((text, at) => {
    const [state, group] = text.split(' ')
    return {
      rev: 0,
      environmentId: String.fromCharCode(97 + at),
      variableId: state === 'missing' ? null : `v${at}`,
      state: state as CompareCell['state'],
      group: Number(group ?? 0),
      mark: null,
      sync: 'synced',
      syncReason: null,
      changeId: null,
    }
  })

describe('two cells side by side', () => {
  test.each([
    ['same 1', 'same 1', 'same'],
    ['different 2', 'different 2', 'same'],
    ['empty 2', 'empty 2', 'same'],
    ['same 1', 'different 2', 'different'],
    ['same 1', 'empty 2', 'different'],
    ['same 1', 'unknown 2', 'unknown'],
    ['unknown 1', 'unknown 2', 'unknown'],
    ['same 1', 'missing', 'left-only'],
    ['missing', 'unknown 1', 'right-only'],
    ['missing', 'missing', 'neither'],
  ])('%s and %s: %s', (left, right, state) => {
    const [a, b] = cells(left, right)
    expect(pairState(a, b)).toBe(state)
  })
})

describe('copying a value across', () => {
  test.each([
    ['fills gaps and replaces other values', 0, ['same 1', 'missing', 'different 2', 'same 1', 'empty 3'], ['b'], ['c', 'e']],
    ['replaces what cannot be compared', 0, ['same 1', 'unknown 2'], [], ['b']],
    ['changes nothing where all agree', 1, ['same 1', 'same 1'], [], []],
  ])('%s', (_, from, row, missing, replaced) => {
    const all = cells(...row)
    const cell = all[from]
    if (cell === undefined) throw new Error('no such cell')
    expect(copyTargets(cell, all)).toEqual({ missing, replaced })
  })
})

describe('words', () => {
  test.each([
    [{ missing: 0, empty: 0, different: 0 }, 'identical'],
    [{ missing: 1204, empty: 0, different: 1 }, '1,204 missing · 1 differs'],
    [{ missing: 0, empty: 2, different: 3 }, '2 empty · 3 differ'],
  ])('for the counts %j: %s', (counts, words) => {
    const { missing, rest } = countWords(counts)
    expect([missing, rest].filter((part) => part !== '').join(' · ')).toBe(words)
  })

  test.each([
    ['missing', null, false, 'missing'],
    ['different', 1, false, 'different'],
    ['different', 2, false, 'different, value 2'],
    ['same', 0, false, 'the most common value'],
    ['same', 0, true, 'exists only here'],
    ['empty', null, true, 'empty'],
  ] as const)('for a cell that is %s with mark %s, the only one: %s, %s', (state, mark, isOnly, words) => {
    expect(cellWords({ state }, mark, isOnly)).toBe(words)
  })
})
