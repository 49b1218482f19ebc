import { SvelteMap } from 'svelte/reactivity'
import type { RangeRow } from '../../../electron/bridge/rows.ts'

/** A row and the revision at which its user saw it. */
export interface SeenRow {
  id: string
  seen: number
}

/** A row by its id and, while that is not loaded or if it leaves the view, by its index. */
export interface RowPlace {
  id: string | null
  index: number
}

/** The first and the last row of a range, in either order. */
export type Ends = [RowPlace, RowPlace]

/** The rows of the view between two of them, both included, visible or not; null for all. Null: they could not be read. */
export type RowsBetween = (ends: Ends | null) => Promise<readonly RangeRow[] | null>

/** The selected variables: one by one, or with Shift a range of them, as in a spreadsheet. */
export class Selection {
  /** Each row by its id, as it was selected. */
  readonly ids = new SvelteMap<string, RangeRow>()
  /** The revision of the mirror on the screen when the first of them was selected. */
  since = $state(0)
  /** Where the range begins that Shift extends; null: Shift begins one. */
  #pivot: RowPlace | null = null
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

  /** The next range begins at the active row. */
  letGo(): void {
    this.#pivot = null
  }

  /**
   * Selects only the rows from where the range began to `end`. It begins at `active`, the row that was active until now, if none is being
   * extended. Of two calls at once, the later one counts.
   */
  to(end: RowPlace, active: RowPlace): Promise<void> {
    this.#pivot ??= active
    return (this.settled = this.#select([this.#pivot, end]))
  }

  /** Adds all rows of the view. */
  all(): Promise<void> {
    return (this.settled = this.#select(null))
  }

  async #select(ends: Ends | null): Promise<void> {
    const turn = ++this.#turn
    this.#begin()
    const rows = await this.#rowsBetween(ends)
    if (rows === null || turn !== this.#turn) return
    if (ends !== null) this.ids.clear()
    for (const row of rows) this.ids.set(row.id, row)
  }

  toggle(row: RangeRow): void {
    this.#begin()
    if (!this.ids.delete(row.id)) this.ids.set(row.id, row)
  }

  /** The selected rows, each as it was selected; `read`: the revision up to which the screen has shown what others changed since. */
  rows(read = 0): SeenRow[] {
    return [...this.ids.values()].map(({ id, rev }) => ({ id, seen: Math.max(rev, read) }))
  }

  /** The name of the selected row, or null if there are several. `near`: rows as they are now. */
  onlyName(near: readonly RangeRow[]): string | null {
    const [row, ...others] = this.ids.values()
    return row === undefined || others.length > 0 ? null : (near.find(({ id }) => id === row.id) ?? row).name
  }

  /** Whether none of these rows was ever sent. `near`: rows as they are now; all others count as they were when selected. */
  isUnsent(rows: readonly SeenRow[], near: readonly RangeRow[]): boolean {
    const now = new Map(near.map((row) => [row.id, row]))
    return rows.every(({ id }) => (now.get(id) ?? this.ids.get(id))?.isUnsent === true)
  }
}
