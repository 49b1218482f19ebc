import { walkGrid } from '../../domain/walk-grid.ts'
import { takeKey } from '../../lib/take-key.ts'

export interface CellKeyState {
  /** Column -1 is the name. */
  active: { row: number; column: number }
  rows: number
  columns: number
  /** Rows that fit in view. */
  pageSize: number
  /** Whether the table itself has the focus, not an element in it. */
  isOwn: boolean
  /** Nothing is shown that keys could act on. */
  isEmpty: boolean
}

export interface CellDeeds {
  close: () => void
  goTo: (row: number, column: number) => void
  copy: () => void
  edit: () => void
  menu: () => void
  /** `whole`: all values of the row. */
  reveal: (whole: boolean) => void
  fill: () => void
}

/** Runs the action of a key in the comparison; a handled key stops propagating. */
export const takeCellKey = (
  event: KeyboardEvent,
  { active, rows, columns, pageSize, isOwn, isEmpty }: CellKeyState,
  deeds: CellDeeds,
): void =>
  takeKey(event, () => {
    if (event.altKey) return false
    if (event.key === 'Escape') return (deeds.close(), true)
    if (isEmpty) return false
    const next = walkGrid({ row: active.row, column: active.column + 1 }, event, { rows, columns: columns + 1, page: pageSize })
    if (next !== null && (isOwn || event.key.startsWith('Arrow') || event.key.startsWith('Page')))
      return (deeds.goTo(next.row, next.column - 1), true)
    if (event.ctrlKey || event.metaKey) {
      // The browser itself copies text that is marked with the mouse.
      if (event.key !== 'c' || getSelection()?.isCollapsed === false) return false
      return (deeds.copy(), true)
    }
    if (!isOwn) return false
    switch (event.key) {
      case 'Enter':
      case 'F2':
        return (active.column < 0 ? deeds.menu() : deeds.edit(), true)
      case ' ':
        return (deeds.reveal(event.shiftKey || active.column < 0), true)
      case 'ContextMenu':
        return (deeds.menu(), true)
      case 'F10':
        return event.shiftKey && (deeds.menu(), true)
      case 'f':
        return (deeds.fill(), true)
      default:
        return false
    }
  })
