import { SvelteMap } from 'svelte/reactivity'
import type { VariableRow } from '../../../electron/bridge/rows.ts'

/** A row and the revision at which its user saw it. */
export interface SeenRow {
  id: string
  seen: number
}

/** The rows of the view from one index to another, both included, visible or not. */
export type RowsBetween = (from: number, to: number) => Promise<readonly VariableRow[]>

/** The selected variables: one by one, or with Shift from a pivot, as in a spreadsheet. */
export class Selection {
  /** Each row by its id, as it was selected. */
  readonly ids = new SvelteMap<string, VariableRow>()
  /** The revision of the mirror on the screen when the first of them was selected. */
  since = $state(0)
  /** Where a range begins. */
  pivot = 0
  readonly #rowsBetween: RowsBetween
  readonly #rev: () => number
  /** Resolves when the rows requested last are selected: actions on the selection wait for it. */
  settled: Promise<void> = Promise.resolve()
  #turn = 0

  /** `rev`: the revision of the mirror that is on the screen. */
  constructor(rowsBetween: RowsBetween, rev: () => number) {
    this.#rowsBetween = rowsBetween
    this.#rev = rev
  }

  #begin(): void {
    if (this.ids.size === 0) this.since = this.#rev()
  }

  /** Selects only the rows from the pivot to `index`. Of two calls at once, the later one counts. */
  to(index: number): Promise<void> {
    return (this.settled = this.#to(index))
  }

  /** Adds all of `total` rows. */
  all(total: number): Promise<void> {
    return (this.settled = this.#all(total))
  }

  async #to(index: number): Promise<void> {
    const turn = ++this.#turn
    this.#begin()
    const rows = await this.#rowsBetween(this.pivot, index)
    if (turn !== this.#turn) return
    this.ids.clear()
    for (const row of rows) this.ids.set(row.id, row)
  }

  async #all(total: number): Promise<void> {
    this.#begin()
    for (const row of await this.#rowsBetween(0, total - 1)) this.ids.set(row.id, row)
  }

  toggle(row: VariableRow): void {
    this.#begin()
    if (!this.ids.delete(row.id)) this.ids.set(row.id, row)
  }

  /** The selected rows, each as it was selected; `read`: the revision up to which the screen has shown what others changed since. */
  rows(read = 0): SeenRow[] {
    return [...this.ids.values()].map(({ id, rev }) => ({ id, seen: Math.max(rev, read) }))
  }

  /** The name of the selected row, or null if there are several. `near`: rows as they are now. */
  onlyName(near: readonly VariableRow[]): string | null {
    const [row, ...others] = this.ids.values()
    return row === undefined || others.length > 0 ? null : (near.find(({ id }) => id === row.id) ?? row).name
  }

  /** Whether none of these rows was ever sent. `near`: rows as they are now; all others count as they were when selected. */
  isUnsent(rows: readonly SeenRow[], near: readonly VariableRow[]): boolean {
    const now = new Map(near.map((row) => [row.id, row]))
    return rows.every(({ id }) => (now.get(id) ?? this.ids.get(id))?.isUnsent === true)
  }
}
