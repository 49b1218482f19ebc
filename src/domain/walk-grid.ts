/** A cell of a grid, by row and column from 0. */
export interface GridPlace {
  row: number
  column: number
}

interface Step {
  key: string
  ctrlKey: boolean
  metaKey: boolean
}

/**
 * Where a key leads from `at` in a grid of `rows` x `columns`, by the habits of spreadsheets; null when the key leads nowhere. Always
 * inside the grid.
 */
export const walkGrid = (at: GridPlace, step: Step, size: { rows: number; columns: number; page: number }): GridPlace | null => {
  const far = step.ctrlKey || step.metaKey
  const last = { row: size.rows - 1, column: size.columns - 1 }
  const to = (row: number, column: number): GridPlace => ({
    row: Math.max(0, Math.min(row, last.row)),
    column: Math.max(0, Math.min(column, last.column)),
  })
  switch (step.key) {
    case 'ArrowDown':
      return to(far ? last.row : at.row + 1, at.column)
    case 'ArrowUp':
      return to(far ? 0 : at.row - 1, at.column)
    case 'ArrowRight':
      return to(at.row, far ? last.column : at.column + 1)
    case 'ArrowLeft':
      return to(at.row, far ? 0 : at.column - 1)
    case 'PageDown':
      return to(at.row + size.page, at.column)
    case 'PageUp':
      return to(at.row - size.page, at.column)
    case 'Home':
      return far ? to(0, 0) : to(at.row, 0)
    case 'End':
      return far ? to(last.row, last.column) : to(at.row, last.column)
    default:
      return null
  }
}
