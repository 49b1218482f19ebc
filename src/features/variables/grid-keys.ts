import { besideColumn, type Column } from './columns.ts'

/** The actions that keys have in the table of variables. */
export interface GridState {
  active: { index: number; column: Column }
  total: number
  /** Rows that fit in view. */
  pageSize: number
  /** Whether the table itself has the focus, not a button in it. */
  isOwn: boolean
}

export interface GridDeeds {
  copy: () => boolean
  selectAll: () => void
  /** Goes to a row; with Shift, selects up to it. */
  move: (index: number) => void
  focus: () => void
  goTo: (column: Column) => void
  /** Clears the selection and hides revealed values. */
  calm: () => void
  remove: () => void
  enter: () => void
  reveal: () => void
}

/** Runs the action of a key in the table of variables. False: the key has none, and the event goes on. */
export const takeGridKey = (event: KeyboardEvent, { active, total, pageSize, isOwn }: GridState, deeds: GridDeeds): boolean => {
  // Without rows, the only key is the one that clears the filter.
  if (event.altKey || (total === 0 && event.key !== 'Escape')) return false
  const deed = event.ctrlKey || event.metaKey ? commandDeed(event.key) : (plainDeed(event.key) ?? (isOwn ? ownDeed(event.key) : undefined))
  return deed !== undefined && deed() !== false

  function commandDeed(key: string): (() => unknown) | undefined {
    switch (key) {
      case 'c':
        return deeds.copy
      case 'a':
        return deeds.selectAll
      case 'Home':
        return () => deeds.move(0)
      case 'End':
        return () => deeds.move(total - 1)
    }
    return undefined
  }

  function plainDeed(key: string): (() => unknown) | undefined {
    switch (key) {
      case 'ArrowDown':
        return () => (deeds.move(active.index + 1), deeds.focus())
      case 'ArrowUp':
        return () => (deeds.move(active.index - 1), deeds.focus())
      case 'PageDown':
        return () => deeds.move(active.index + pageSize)
      case 'PageUp':
        return () => deeds.move(active.index - pageSize)
      case 'Escape':
        return () => (deeds.calm(), deeds.focus())
      case 'Delete':
      case 'Backspace':
        return deeds.remove
    }
    return undefined
  }

  function ownDeed(key: string): (() => unknown) | undefined {
    switch (key) {
      case 'ArrowLeft':
        return () => deeds.goTo(besideColumn(active.column, -1))
      case 'ArrowRight':
        return () => deeds.goTo(besideColumn(active.column, 1))
      case 'Home':
        return () => deeds.goTo('name')
      case 'End':
        return () => deeds.goTo('sync')
      case 'Enter':
      case 'F2':
        return deeds.enter
      case ' ':
        return active.column === 'name' || active.column === 'value' ? deeds.reveal : deeds.enter
    }
    return undefined
  }
}
