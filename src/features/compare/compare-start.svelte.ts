import { untrack } from 'svelte'
import type { Drafts } from '../variables/drafts.svelte.ts'
import { lastRowOf } from '../variables/table-cursor.svelte.ts'
import type { CellCursor } from './cell-cursor.svelte.ts'
import type { Comparison } from './comparison.svelte.ts'

interface Ports {
  comparison: Comparison
  cursor: CellCursor
  drafts: Drafts
  /** The environment that the user comes from. */
  from: string | null
  /** The column of the open editor. */
  editedColumn: () => number
}

/**
 * Takes the cursor to where the comparison starts: the cell of an editor that was left open, or else the row that was active in the table of
 * the environment that the user comes from. Create it while a component is created.
 */
export class CompareStart {
  /** The cursor has not yet gone there. An editor that was left open has a place already. */
  #isWaiting = $state(false)
  /** The cell where it started, and the rows loaded then: its own row may still be missing from them. */
  #started = $state.raw<{ at: CellCursor['at']; grid: Comparison['grid'] } | null>(null)
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
    const { comparison, cursor, drafts, from, editedColumn } = ports
    this.#isWaiting = drafts.edit === null
    let isReturned = drafts.edit !== null
    let hasStarted = isReturned

    // The cell of an editor that was left open is brought into view.
    $effect(() => {
      const { edit } = drafts
      if (!isReturned || edit === null || comparison.grid === undefined) return
      const at = comparison.indexOf(edit.row.name)
      const isOtherThere = comparison.rowAt(edit.index) !== undefined
      untrack(() => {
        isReturned = at === null && !isOtherThere
        // Its index was counted in a filtered list, so it is found by its name.
        if (at === null && isOtherThere) comparison.filter = edit.row.name
        else cursor.goTo(at ?? edit.index, editedColumn())
      })
    })

    $effect(() => {
      if (hasStarted || comparison.grid === undefined || comparison.environments.length === 0) return
      hasStarted = true
      untrack(() => void this.#startAt(from).finally(() => (this.#isWaiting = false)))
    })
  }

  /** Keys pressed now are kept for the cell where the comparison starts. */
  get isUnderWay(): boolean {
    const { comparison } = this.#ports
    return comparison.grid === undefined || (comparison.environments.length > 0 && (this.#isWaiting || this.#isArriving))
  }

  get #isArriving(): boolean {
    const { comparison, cursor } = this.#ports
    const { at } = cursor
    if (this.#started?.at !== at || this.#started.grid !== comparison.grid) return false
    return comparison.total > 0 && comparison.cellAt(comparison.rowAt(at.row), at.column) === undefined && comparison.problem === null
  }

  async #startAt(environmentId: string | null): Promise<void> {
    const { comparison, cursor } = this.#ports
    const column = comparison.environments.findIndex(({ id }) => id === environmentId)
    if (environmentId === null || column < 0) return
    cursor.goTo(0, column)
    const first = cursor.at
    const row = lastRowOf(environmentId)
    const index = row === undefined ? null : await comparison.placeOf(row, environmentId)
    // The user was faster.
    if (cursor.at !== first) return
    if (index !== null) cursor.goTo(index, column)
    this.#started = { at: cursor.at, grid: comparison.grid }
  }
}
