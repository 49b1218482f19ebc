import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareEnvironments } from '../../../electron/app/compare/compare-environments.ts'
import { judgeCells } from '../../../electron/app/compare/judge-cells.ts'

const empty = 'EMPTY'
const environment = fc
  .dictionary(fc.constantFrom('A', 'B', 'C', 'Ä', '🔑', '\uffee', ''), fc.constantFrom('a', 'b', 'c', empty, '', 'a.old'))
  .map((stamps) =>
    Object.entries(stamps)
      .map(([name, stamp]) => ({ name, stamp }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )

describe('environments side by side', () => {
  test('the one pass finds what looking at each name by itself finds', () => {
    fc.assert(
      fc.property(fc.array(environment, { minLength: 1, maxLength: 5 }), (environments) => {
        const { names, missing, differs, counts } = compareEnvironments(environments, empty)
        expect(names).toEqual(
          [...new Set(environments.flatMap((rows) => rows.map((row) => row.name)))].toSorted((a, b) => (a < b ? -1 : 1)),
        )
        const rows = names.map((name) => environments.map((each) => each.find((row) => row.name === name)?.stamp))
        expect([...missing]).toEqual(rows.map((stamps) => Number(stamps.includes(undefined))))
        const same = (stamps: (string | undefined)[]) => stamps.every((stamp) => stamp !== undefined && stamp !== '' && stamp === stamps[0])
        expect([...differs]).toEqual(rows.map((stamps) => Number(!same(stamps))))
        const judged = rows.map((stamps) => judgeCells(stamps, empty))
        const count = (index: number, state: string) => judged.filter((cells) => cells[index]?.state === state).length
        expect(counts).toEqual(
          environments.map((_, index) => ({
            missing: count(index, 'missing'),
            empty: count(index, 'empty'),
            different: count(index, 'different'),
          })),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('without any environment there is nothing', () => {
    expect(compareEnvironments([], empty)).toMatchObject({ names: [], counts: [] })
  })
})
