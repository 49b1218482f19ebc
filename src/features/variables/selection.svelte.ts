import { SvelteSet } from 'svelte/reactivity'
import type { VariableRow } from '../../../electron/bridge/rows.ts'

/** The rows of the view from one place to another, both included, in and out of sight. */
export type RowsBetween = (from: number, to: number) => Promise<readonly VariableRow[]>

/** The variables that are selected, by shift from a pivot or one by one, as in a spreadsheet. */
export class Selection {
  readonly ids = new SvelteSet<string>()
  /** Where a range begins. */
  pivot = 0
  readonly #rowsBetween: RowsBetween
  #turn = 0

  constructor(rowsBetween: RowsBetween) {
    this.#rowsBetween = rowsBetween
  }

  /** Selects from the pivot to `index`, and nothing else. Of two asked for at once, the later counts. */
  async to(index: number): Promise<void> {
    const turn = ++this.#turn
    const rows = await this.#rowsBetween(this.pivot, index)
    if (turn !== this.#turn) return
    this.ids.clear()
    for (const row of rows) this.ids.add(row.id)
  }

  /** Adds all of `total` rows. */
  async all(total: number): Promise<void> {
    for (const row of await this.#rowsBetween(0, total - 1)) this.ids.add(row.id)
  }

  toggle(row: VariableRow): void {
    if (!this.ids.delete(row.id)) this.ids.add(row.id)
  }
}
