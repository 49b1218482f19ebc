import { untrack } from 'svelte'
import { keepLeftAt, takeLeftAt } from '../../lib/left-at.ts'
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
 * Takes the cursor to where the comparison starts: the cell of an editor that was left open, or the one that was active before a lock, or else
 * the row that was active in the table of the environment that the user comes from. Create it while a component is created.
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
    const left = takeLeftAt('cell')
    $effect(() => () => keepLeftAt('cell', this.#place))
    this.#isWaiting = drafts.edit === null
    let isReturned = drafts.edit !== null
    let hasStarted = isReturned

    // The cell of an editor that was left open is brought into view.
    $effect(() => {
      const { edit } = drafts
      if (!isReturned || edit === null || comparison.grid === undefined) return
      const at = comparison.indexOf(edit.row.name)
      const isOtherThere = comparison.rowAt(Math.min(edit.index, comparison.total - 1)) !== undefined
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
      untrack(() => void this.#startAt(from, left).finally(() => (this.#isWaiting = false)))
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
    const row = comparison.rowAt(at.row)
    const isLoaded = at.column < 0 ? row !== undefined : comparison.cellAt(row, at.column) !== undefined
    return comparison.total > 0 && !isLoaded && comparison.problem === null
  }

  /** The ids of the active cell: of its column, `name` for that of the names, and of a variable of its row and the environment of that. */
  get #place(): string[] {
    const { comparison, cursor } = this.#ports
    const row = comparison.rowAt(cursor.at.row)
    const active = comparison.cellAt(row, cursor.at.column)
    // A missing variable has no id: another one of its row leads back to it.
    const { environmentId, variableId = null } = (active?.variableId ? active : row?.cells.find((cell) => cell.variableId !== null)) ?? {}
    if (environmentId === undefined || variableId === null) return []
    const column = comparison.environments[cursor.at.column]
    return [column === undefined ? 'name' : column.id, environmentId, variableId]
  }

  async #startAt(from: string | null, left: readonly string[]): Promise<void> {
    const { comparison, cursor } = this.#ports
    const [columnId = from, environmentId = from, variableId] = left
    const column = columnId === 'name' ? -1 : comparison.environments.findIndex(({ id }) => id === columnId)
    if (environmentId === null || (columnId !== 'name' && column < 0)) return
    cursor.goTo(0, column)
    const first = cursor.at
    const row = variableId ?? lastRowOf(environmentId)?.id
    const index = row === undefined ? null : await comparison.placeOf(row, environmentId)
    // The user was faster.
    if (cursor.at !== first) return
    if (index !== null) cursor.goTo(index, column)
    this.#started = { at: cursor.at, grid: comparison.grid }
  }
}
