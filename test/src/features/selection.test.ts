// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { RangeRow } from '../../../electron/bridge/rows.ts'
import { Selection, type Ends } from '../../../src/features/variables/selection.svelte.ts'
import { aVariableRow } from '../support/a-variable-row.ts'

const rowAt = (index: number): RangeRow => ({ id: `v${index}`, name: `V${index}`, isUnsent: false, rev: index })
const placeAt = (index: number) => ({ id: `v${index}`, index })

/** Answers each question when the test lets it. */
const setUp = () => {
  const asked: { ends: Ends | null; answer: (rows?: RangeRow[] | null) => void }[] = []
  const screen = { rev: 0 }
  const selection = new Selection(
    (ends) =>
      new Promise<RangeRow[] | null>((resolve) => {
        const rows: RangeRow[] = []
        const [from, to] = ends === null ? [0, 3] : [ends[0].index, ends[1].index]
        for (let at = Math.min(from, to); at <= Math.max(from, to); at++) rows.push(rowAt(at))
        asked.push({ ends, answer: (given = rows) => resolve(given) })
      }),
    () => screen.rev,
  )
  return { selection, asked, screen, ids: () => selection.rows().map(({ id }) => id) }
}

test.each([
  ['down', 2, 4],
  ['up', 4, 2],
])('a range goes %s from the active row and replaces what was selected', async (_, active, to) => {
  const { selection, asked, ids } = setUp()
  selection.toggle(rowAt(9))
  const done = selection.to(placeAt(to), placeAt(active))
  asked[0]?.answer()
  await done
  expect(ids()).toEqual(['v2', 'v3', 'v4'])
})

test('a range is extended from where it began, until the selection is let go', () => {
  const { selection, asked } = setUp()
  void selection.to(placeAt(3), placeAt(2))
  void selection.to(placeAt(4), placeAt(3))
  selection.letGo()
  void selection.to(placeAt(6), placeAt(5))
  expect(asked.map(({ ends }) => ends?.map(({ id }) => id))).toEqual([
    ['v2', 'v3'],
    ['v2', 'v4'],
    ['v5', 'v6'],
  ])
})

test('of two ranges asked for, the later counts, whichever is answered first', async () => {
  const { selection, asked, ids } = setUp()
  const first = selection.to(placeAt(5), placeAt(0))
  const second = selection.to(placeAt(1), placeAt(5))
  asked[1]?.answer()
  asked[0]?.answer()
  await Promise.all([first, second])
  expect(ids()).toEqual(['v0', 'v1'])
})

test('a range that could not be read leaves the selection as it was', async () => {
  const { selection, asked, ids } = setUp()
  selection.toggle(rowAt(9))
  const done = selection.to(placeAt(4), placeAt(2))
  asked[0]?.answer(null)
  await done
  expect(ids()).toEqual(['v9'])
})

test('one row more, and taken away again, leaves the others', async () => {
  const { selection, asked, ids } = setUp()
  const done = selection.to(placeAt(2), placeAt(0))
  asked[0]?.answer()
  await done
  selection.toggle(rowAt(5))
  expect(ids()).toEqual(['v0', 'v1', 'v2', 'v5'])
  selection.toggle(rowAt(0))
  expect(ids()).toEqual(['v1', 'v2', 'v5'])
})

test('all rows are added to those that a filter hides now', async () => {
  const { selection, asked, ids } = setUp()
  selection.toggle(rowAt(9))
  const done = selection.all()
  asked[0]?.answer()
  await done
  expect(ids()).toEqual(['v9', 'v0', 'v1', 'v2', 'v3'])
})

test('a row counts as seen as it was selected, or up to what was told since', async () => {
  const { selection, asked } = setUp()
  const done = selection.all()
  asked[0]?.answer()
  await done
  expect(selection.rows().map(({ seen }) => seen)).toEqual([0, 1, 2, 3])
  expect(selection.rows(1).map(({ seen }) => seen)).toEqual([1, 1, 2, 3])
})

test('what is told begins with the screen on which the first row was selected', () => {
  const { selection, screen } = setUp()
  screen.rev = 5
  selection.toggle(rowAt(1))
  screen.rev = 8
  selection.toggle(rowAt(2))
  expect(selection.since).toBe(5)
  selection.ids.clear()
  selection.toggle(rowAt(2))
  expect(selection.since).toBe(8)
})

test.each([
  { names: ['PORT'], near: [], onlyName: 'PORT' },
  { names: ['PORT'], near: ['PORT_RENAMED'], onlyName: 'PORT_RENAMED' },
  { names: ['HOST', 'PORT'], near: [], onlyName: null },
  { names: [], near: ['PORT'], onlyName: null },
])('with $names selected and $near on the screen, the selection is called $onlyName', ({ names, near, onlyName }) => {
  const { selection } = setUp()
  const rows = (list: readonly string[]) => list.map((name, index) => aVariableRow({ id: `v${index}`, name }))
  for (const row of rows(names)) selection.toggle(row)
  expect(selection.onlyName(rows(near))).toBe(onlyName)
})

test.each([
  { selected: [true, true], near: [], isUnsent: true },
  { selected: [true, false], near: [], isUnsent: false },
  // The first was sent since it was selected.
  { selected: [true, true], near: [false], isUnsent: false },
])('rows selected as unsent $selected, and $near on the screen, are all unsent: $isUnsent', ({ selected, near, isUnsent }) => {
  const { selection } = setUp()
  const rows = (list: readonly boolean[]) => list.map((one, index) => aVariableRow({ id: `v${index}`, isUnsent: one }))
  for (const row of rows(selected)) selection.toggle(row)
  expect(selection.isUnsent(selection.rows(), rows(near))).toBe(isUnsent)
})
