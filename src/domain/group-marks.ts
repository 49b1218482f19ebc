import type { CompareCell } from '../../electron/bridge/rows.ts'

type Judged = Pick<CompareCell, 'state' | 'group'>

/**
 * The mark of each cell of a row: cells of equal value share one, the value most environments share has 0. All null where
 * there is nothing to tell apart. What is missing, empty, or cannot be compared says so itself and has no mark.
 */
export const groupMarks = (cells: readonly Judged[]): (number | null)[] => {
  const compared = (cell: Judged) => cell.state === 'same' || cell.state === 'different'
  const groups = [
    ...new Set(
      cells
        .filter(compared)
        .toSorted((a, b) => Number(a.state === 'different') - Number(b.state === 'different'))
        .map((cell) => cell.group),
    ),
  ]
  if (groups.length < 2) return cells.map(() => null)
  return cells.map((cell) => (compared(cell) ? groups.indexOf(cell.group) : null))
}

/** What a mark is called: A to Z, then 27, 28, ... */
export const markName = (mark: number): string => (mark < 26 ? String.fromCharCode(65 + mark) : String(mark + 1))
