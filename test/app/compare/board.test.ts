import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choose, makeBoard, putRow, rowOf, type Stamp } from '../../../electron/app/compare/board.ts'
import { compareKeyed, nameKey } from '../../../electron/mirror/name-key.ts'
import { judgeCells, referenceOf } from '../../../electron/app/compare/judge-cells.ts'

const empty = 'EMPTY'
const inListOrder = (a: string, b: string) => compareKeyed({ name: a, key: nameKey(a) }, { name: b, key: nameKey(b) })
const names = fc.constantFrom('A', 'b', 'C2', 'C10', 'Ä', '🔑', '\uffee', '')
const stamps = fc.constantFrom('a', 'b', 'c', empty, '', 'a.old')
/** Who has this one has a secret. */
const secret = 'c'
const isSecretIn = (environments: readonly Record<string, string>[], name: string) => environments.some((each) => each[name] === secret)
const manyStamps = fc.nat(40).map(String)
const toList = (variables: Record<string, string>) => {
  const names = Object.keys(variables).toSorted(inListOrder)
  return {
    names,
    stamps: names.map((name) => variables[name] ?? ''),
    secrets: names.map((name) => (variables[name] === secret ? '1' : '0')).join(''),
  }
}
/** As lists are read: those of the same names are one list. */
const toLists = (environments: readonly Record<string, string>[]) => {
  const lists = environments.map(toList)
  return lists.map(({ names, ...rest }) => ({
    names: lists.find((other) => JSON.stringify(other.names) === JSON.stringify(names))?.names ?? names,
    ...rest,
  }))
}
const environments = fc.array(fc.dictionary(names, stamps), { minLength: 1, maxLength: 5 })

describe('environments side by side', () => {
  test('the one pass finds what looking at each name by itself finds', () => {
    fc.assert(
      fc.property(environments, (given) => {
        const { rows, counts } = makeBoard(toLists(given), empty)
        const all = [...new Set(given.flatMap((each) => Object.keys(each)))].toSorted(inListOrder)
        expect(rows.map(({ name }) => name)).toEqual(all)
        expect(rows.map((row) => row.stamps)).toEqual(all.map((name) => given.map((each) => each[name])))
        const same = (row: readonly Stamp[]) => row.every((stamp) => stamp !== undefined && stamp !== '' && stamp === row[0])
        expect(rows.map(({ missing }) => missing)).toEqual(rows.map((row) => row.stamps.includes(undefined)))
        expect(rows.map(({ differs }) => differs)).toEqual(rows.map((row) => !same(row.stamps)))
        expect(rows.map(({ isSecret }) => isSecret)).toEqual(all.map((name) => isSecretIn(given, name)))
        const judged = rows.map((row) => judgeCells(row.stamps, empty))
        const count = (index: number, state: string) => judged.filter((cells) => cells[index]?.state === state).length
        expect(counts).toEqual(
          given.map((_, index) => ({
            missing: count(index, 'missing'),
            empty: count(index, 'empty'),
            different: count(index, 'different'),
          })),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('a board that follows edits is the board made anew after them', () => {
    const edit = fc.record({ name: names, environment: fc.nat(4), stamp: fc.option(stamps, { nil: undefined }) })
    fc.assert(
      fc.property(environments, fc.array(edit, { maxLength: 12 }), (given, edits) => {
        const now = given.map((each) => ({ ...each }))
        const board = makeBoard(given.map(toList), empty)
        for (const { name, environment, stamp } of edits) {
          const variables = now[environment]
          if (variables === undefined) continue
          if (stamp === undefined) delete variables[name]
          else variables[name] = stamp
          putRow(
            board,
            name,
            now.map((each) => each[name]),
            isSecretIn(now, name),
          )
        }
        expect(board).toEqual(makeBoard(toLists(now), empty))
      }),
      { numRuns: 500 },
    )
  })

  test('some of the environments are compared as if there were no others, but what is a secret there stays one', () => {
    fc.assert(
      fc.property(environments, fc.array(fc.nat(4), { maxLength: 3 }), (given, picked) => {
        const positions = [...new Set(picked)].filter((at) => at < given.length)
        const board = makeBoard(given.map(toList), empty)
        const alone = makeBoard(
          positions.map((at) => toList(given[at] ?? {})),
          empty,
        )
        expect(choose(board, positions)).toEqual({
          ...alone,
          rows: alone.rows.map((row) => ({ ...row, isSecret: isSecretIn(given, row.name) })),
        })
      }),
    )
  })

  test('a row is found by its name', () => {
    const board = makeBoard([toList({ A: 'a', B: 'b' })], empty)
    expect(rowOf(board, 'B')?.stamps).toEqual(['b'])
    expect(rowOf(board, 'AB')).toBeUndefined()
  })

  test('without any environment there is nothing', () => {
    expect(makeBoard([], empty)).toMatchObject({ rows: [], counts: [] })
  })

  test('the reference of many environments is the one that counting each gives', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.oneof(stamps, manyStamps), { nil: undefined }), { minLength: 9, maxLength: 60 }), (row) => {
        const votes = (stamp: string) => row.filter((other) => other === stamp).length
        const voters = [...new Set(row)].filter((stamp): stamp is string => ![undefined, '', empty].includes(stamp))
        const best = Math.max(...voters.map(votes))
        expect(referenceOf(row, empty)).toBe(voters.find((stamp) => votes(stamp) === best) ?? null)
      }),
    )
  })
})
