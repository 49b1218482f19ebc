import { SvelteMap } from 'svelte/reactivity'
import type { VariableRow } from '../../../electron/bridge/rows.ts'

/** A row and the revision at which its user saw it. */
export interface SeenRow {
  id: string
  seen: number
}

/** The rows of the view from one place to another, both included, in and out of sight. */
export type RowsBetween = (from: number, to: number) => Promise<readonly VariableRow[]>

/** The variables that are selected, by shift from a pivot or one by one, as in a spreadsheet. */
export class Selection {
  /** Each with the revision at which it was last shown. */
  readonly ids = new SvelteMap<string, number>()
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
    for (const row of rows) this.ids.set(row.id, row.rev)
  }

  /** Adds all of `total` rows. */
  async all(total: number): Promise<void> {
    for (const row of await this.#rowsBetween(0, total - 1)) this.ids.set(row.id, row.rev)
  }

  toggle(row: VariableRow): void {
    if (!this.ids.delete(row.id)) this.ids.set(row.id, row.rev)
  }

  /** These rows are on the screen as they are now. */
  shown(rows: readonly VariableRow[]): void {
    for (const { id, rev } of rows) if (this.ids.has(id) && this.ids.get(id) !== rev) this.ids.set(id, rev)
  }

  /** The selected rows, as they were last shown. */
  rows(): SeenRow[] {
    return [...this.ids].map(([id, seen]) => ({ id, seen }))
  }
}
