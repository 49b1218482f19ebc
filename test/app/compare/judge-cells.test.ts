import { describe, expect, test } from 'vitest'
import { judgeCells, markCells, type JudgedCell } from '../../../electron/app/compare/judge-cells.ts'

const empty = 'EMPTY'

describe('one variable over environments', () => {
  test.each<{ of: string; stamps: (string | undefined)[]; states: string[]; groups: number[] }>([
    { of: 'the same everywhere', stamps: ['a', 'a', 'a'], states: ['same', 'same', 'same'], groups: [1, 1, 1] },
    { of: 'the many are the reference', stamps: ['a', 'b', 'b'], states: ['different', 'same', 'same'], groups: [1, 2, 2] },
    {
      of: 'of as many, the first is',
      stamps: ['a', 'b', 'b', 'a'],
      states: ['same', 'different', 'different', 'same'],
      groups: [1, 2, 2, 1],
    },
    { of: 'all different', stamps: ['a', 'b', 'c'], states: ['different', 'different', 'different'], groups: [1, 2, 3] },
    { of: 'two that differ', stamps: ['a', empty, 'b'], states: ['different', 'empty', 'different'], groups: [1, 2, 3] },
    { of: 'missing somewhere', stamps: [undefined, 'a', 'a'], states: ['missing', 'same', 'same'], groups: [0, 1, 1] },
    { of: 'in one place only', stamps: [undefined, undefined, 'a'], states: ['missing', 'missing', 'same'], groups: [0, 0, 1] },
    { of: 'empty ones do not vote', stamps: [empty, empty, 'a'], states: ['empty', 'empty', 'same'], groups: [1, 1, 2] },
    { of: 'empty everywhere', stamps: [empty, empty], states: ['empty', 'empty'], groups: [1, 1] },
    { of: 'values nothing is known of, each alone', stamps: ['', '', 'a'], states: ['unknown', 'unknown', 'same'], groups: [1, 2, 3] },
    { of: 'values under another key', stamps: ['a', 'a', 'b.old'], states: ['same', 'same', 'unknown'], groups: [1, 1, 2] },
    {
      of: 'equal under another key, most of them',
      stamps: ['b.old', 'b.old', 'a'],
      states: ['same', 'same', 'unknown'],
      groups: [1, 1, 2],
    },
    { of: 'unequal under another key', stamps: ['b.old', 'c.old', 'b.old'], states: ['same', 'different', 'same'], groups: [1, 2, 1] },
    { of: 'nowhere', stamps: [undefined], states: ['missing'], groups: [0] },
  ])('$of', ({ stamps, states, groups }) => {
    const judged = judgeCells(stamps, empty)
    expect(judged.map((cell) => cell.state)).toEqual(states)
    expect(judged.map((cell) => cell.group)).toEqual(groups)
  })
})

describe('the marks of a row', () => {
  test.each([
    ['one value everywhere needs none', ['same 1', 'same 1', 'same 1'], [null, null, null]],
    ['one value and gaps need none', ['same 1', 'missing', 'empty 2'], [null, null, null]],
    ['the shared value is first, wherever it stands', ['different 1', 'same 2', 'same 2'], [1, 0, 0]],
    ['others that agree share theirs', ['same 1', 'different 2', 'different 3', 'different 2', 'same 1'], [0, 1, 2, 1, 0]],
    ['where no two agree, none is marked as the shared one', ['different 1', 'different 2', 'missing', 'different 3'], [1, 2, null, 3]],
    ['what cannot be compared has none', ['same 1', 'unknown 2', 'different 3'], [0, null, 1]],
    ['no environments, no marks', [], []],
  ])('%s', (_, row, marks) => {
    const cells = row.map((text): JudgedCell => {
      const [state, group] = text.split(' ')
      return { state: state as JudgedCell['state'], group: Number(group ?? 0) }
    })
    expect(markCells(cells)).toEqual(marks)
  })
})
