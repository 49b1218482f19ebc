// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { VariableRow } from '../../../electron/bridge/rows.ts'
import { Selection } from '../../../src/features/variables/selection.svelte.ts'
import { aVariableRow } from '../support/a-variable-row.ts'

const rowAt = (index: number) => ({ id: `v${index}`, rev: index }) as VariableRow

/** Answers each question when the test lets it. */
const setUp = () => {
  const asked: { range: [number, number]; answer: () => void }[] = []
  const screen = { rev: 0 }
  const selection = new Selection(
    (from, to) =>
      new Promise((resolve) => {
        const rows: VariableRow[] = []
        for (let at = Math.min(from, to); at <= Math.max(from, to); at++) rows.push(rowAt(at))
        asked.push({ range: [from, to], answer: () => resolve(rows) })
      }),
    () => screen.rev,
  )
  return { selection, asked, screen, ids: () => selection.rows().map(({ id }) => id) }
}

test.each([
  ['down', 2, 4],
  ['up', 4, 2],
])('a range goes %s from the pivot and replaces what was selected', async (_, pivot, to) => {
  const { selection, asked, ids } = setUp()
  selection.toggle(rowAt(9))
  selection.pivot = pivot
  const done = selection.to(to)
  asked[0]?.answer()
  await done
  expect(ids()).toEqual(['v2', 'v3', 'v4'])
})

test('of two ranges asked for, the later counts, whichever is answered first', async () => {
  const { selection, asked, ids } = setUp()
  const first = selection.to(5)
  const second = selection.to(1)
  asked[1]?.answer()
  asked[0]?.answer()
  await Promise.all([first, second])
  expect(ids()).toEqual(['v0', 'v1'])
})

test('one row more, and taken away again, leaves the others', async () => {
  const { selection, asked, ids } = setUp()
  const done = selection.all(2)
  asked[0]?.answer()
  await done
  selection.toggle(rowAt(5))
  expect(ids()).toEqual(['v0', 'v1', 'v5'])
  selection.toggle(rowAt(0))
  expect(ids()).toEqual(['v1', 'v5'])
})

test('a row counts as seen as it was selected, or up to what was told since', async () => {
  const { selection, asked } = setUp()
  const done = selection.all(3)
  asked[0]?.answer()
  await done
  expect(selection.rows().map(({ seen }) => seen)).toEqual([0, 1, 2])
  expect(selection.rows(1).map(({ seen }) => seen)).toEqual([1, 1, 2])
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
