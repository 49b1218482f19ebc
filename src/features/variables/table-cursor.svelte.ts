import { untrack } from 'svelte'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { journey } from '../../lib/journey.svelte.ts'
import { keepLeftAt, takeLeftAt } from '../../lib/left-at.ts'
import type { Column } from './columns.ts'
import type { Drafts } from './drafts.svelte.ts'
import type { RowPlace } from './selection.svelte.ts'
import type { TableView } from './table-view.svelte.ts'
import type { VariableRows } from './variable-rows.svelte.ts'

interface Ports {
  bridge: Bridge
  workspaceId: string
  environmentId: string
  view: TableView
  drafts: Drafts
  rows: VariableRows
  /** Brings a row into view. */
  reveal: (index: number) => void
  toTop: () => void
  /** Focuses the table. */
  focus: () => void
  complain: (message: string) => void
  /** The name of the environment. */
  place: () => string
}

/** The id and name of a variable. */
interface Named {
  id: string
  name: string
}

/** The last active row of each environment, for when it is shown again. */
const lastRows = new Map<string, Named>()

/** The variable that was active when the table of an environment was last left. */
export const lastRowOf = (environmentId: string): Named | undefined => lastRows.get(environmentId)

/**
 * The active cell of the table. It stays with its variable when a rename, a pull or a filter moves the row. Create it while a component is
 * created.
 */
export class TableCursor {
  at = $state.raw<{ index: number; column: Column }>({ index: 0, column: 'value' })
  /** The variable in the active row; null: any. */
  id: string | null = null
  /** The row to go to once all rows are loaded: the active one under a filter, or when the table was last left. */
  #passed = $state.raw<Named | null>(null)
  /** The row that was active before the filter, to go back to if the filter leaves no row; null without a filter. */
  #before: Named | null = null
  /** How many rows it is on its way to: their index is being queried. */
  #underWay = $state(0)
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
    const { view, drafts, environmentId, rows } = ports
    const [keptIn, keptId] = takeLeftAt('row')
    this.#passed = lastRows.get(environmentId) ?? (keptIn === environmentId && keptId !== undefined ? { id: keptId, name: '' } : null)
    $effect(() => () => {
      const row = rows.at(this.at.index)
      if (row === undefined) return
      lastRows.set(environmentId, row)
      keepLeftAt('row', [environmentId, row.id])
    })

    $effect(() => {
      if (rows.page.value === undefined) return
      untrack(() => {
        const moved = this.id === null ? null : rows.indexOf(this.id)
        const index = Math.max(0, Math.min(moved ?? this.at.index, rows.total - 1))
        if (index !== this.at.index) this.at = { ...this.at, index }
        if (drafts.edit !== null) drafts.edit.index = rows.indexOf(drafts.edit.row.id) ?? drafts.edit.index
      })
    })

    // The user asked to see one variable, which the filter may hide.
    $effect(() => {
      const to = journey.to
      if (to?.variable == null || to.environmentId !== environmentId || rows.page.value === undefined) return
      if (view.isFiltered) view.clear()
      else if (rows.page.answeredArgs?.filter === '') {
        const { variable } = to
        untrack(() => {
          journey.done()
          void this.#standOn(variable)
        })
      }
    })

    // The filter that found a row is cleared, or the table is shown again: all rows are shown around it.
    $effect(() => {
      if (this.#passed === null || view.isFiltered || !rows.isWhole) return
      const row = this.#passed
      untrack(() => {
        this.#passed = null
        void this.#standOn(row, false)
      })
    })
  }

  /** The active row. */
  get place(): RowPlace {
    const { index } = this.at
    return { id: this.id ?? this.#ports.rows.at(index)?.id ?? null, index }
  }

  /** It is on its way to a row: keys pressed now are meant for that one. */
  get isUnderWay(): boolean {
    return this.#underWay > 0
  }

  /** Goes to a cell, or to the nearest one that exists. */
  goTo(index: number, column: Column = this.at.column): void {
    const { rows, reveal } = this.#ports
    const inside = Math.max(0, Math.min(index, rows.total - 1))
    this.at = { index: inside, column }
    this.id = rows.at(inside)?.id ?? null
    reveal(inside)
  }

  /** Call when the filter or the order has changed: goes to the first row; when the filter was cleared, to the row that it found. */
  refilter(): void {
    const { view, rows, toTop } = this.#ports
    const row = rows.at(this.at.index) ?? null
    if (view.isFiltered) this.#before ??= row
    else if (this.#before !== null) {
      this.#passed = rows.isWhole ? this.#before : (row ?? this.#before)
      this.#before = null
    }
    this.at = { index: 0, column: 'value' }
    this.id = null
    toTop()
  }

  async #standOn({ id, name }: Named, isAsked = true): Promise<void> {
    const { bridge, workspaceId, environmentId, view, focus, complain, place } = this.#ports
    this.#underWay += 1
    const found = await bridge.query('variables.position', { workspaceId, environmentId, ...view.args, id })
    this.#underWay -= 1
    if (isAsked) focus()
    else if (!found.ok || found.value === null || this.id !== null) return
    if (!found.ok) return complain(found.error.message)
    const index = found.value
    if (index === null) return complain(`${name} is no longer in ${place()}.`)
    this.goTo(index, 'value')
    this.id = id
  }
}
