import { untrack } from 'svelte'
import type { Drafts } from '../variables/drafts.svelte.ts'
import type { Comparison } from './comparison.svelte.ts'

/** The parts of the table that the cursor moves. */
interface Table {
  reveal(row: number, column: number): void
  shift(by: number): void
  topRow(): number
}

/** The active cell, which stays with its variable and environment when others come or go; column -1 is the name. */
export class CellCursor {
  at = $state.raw({ row: 0, column: 0 })
  #name: string | null = null
  #environmentId: string | null = null
  readonly #comparison: Comparison
  readonly #table: () => Table | undefined

  /** Call while a component is being made. */
  constructor(comparison: Comparison, drafts: Drafts, table: () => Table | undefined) {
    this.#comparison = comparison
    this.#table = table
    let question = ''
    let topName: string | null = null
    let lastTop: number | null = null
    const rememberTop = (index: number) => {
      lastTop = index
      topName = comparison.rowAt(index)?.name ?? null
    }

    // Rows that a sync adds or removes above must not move the rows in view.
    $effect(() => {
      if (comparison.grid === undefined) return
      untrack(() => {
        const top = table()?.topRow() ?? 0
        const movedTop = topName === null || comparison.question !== question ? null : comparison.indexOf(topName)
        if (movedTop !== null && lastTop !== null && movedTop !== lastTop) table()?.shift(movedTop - lastTop)
        question = comparison.question
        rememberTop(movedTop ?? top)
        const { total } = comparison
        const moved = this.#name === null ? null : comparison.indexOf(this.#name)
        const row = Math.max(0, Math.min(moved ?? this.at.row, total - 1))
        const { environments } = comparison
        const movedColumn = environments.findIndex(({ id }) => id === this.#environmentId)
        const column = movedColumn >= 0 ? movedColumn : Math.min(this.at.column, environments.length - 1)
        if (row !== this.at.row || column !== this.at.column) this.at = { row, column }
        this.#name ??= comparison.rowAt(row)?.name ?? null
        // Kept to follow this environment when the columns are reordered.
        this.#environmentId = environments[column]?.id ?? null
        const { edit } = drafts
        if (edit !== null) edit.index = comparison.indexOf(edit.row.name) ?? edit.index
      })
    })
    $effect(() => {
      // Reads the range because it changes with every scroll.
      if (comparison.range.end > 0) untrack(() => rememberTop(table()?.topRow() ?? 0))
    })
  }

  /** Makes a cell inside the table the active one, and shows it. */
  goTo(row: number, column: number): void {
    const { total, environments } = this.#comparison
    this.at = { row: Math.max(0, Math.min(row, total - 1)), column: Math.max(-1, Math.min(column, environments.length - 1)) }
    this.#name = this.#comparison.rowAt(this.at.row)?.name ?? null
    this.#environmentId = environments[this.at.column]?.id ?? null
    this.#table()?.reveal(this.at.row, this.at.column)
  }

  /** Goes to the first row: other rows are shown now. */
  toTop(): void {
    this.at = { row: 0, column: Math.max(0, this.at.column) }
    this.#name = null
  }
}
