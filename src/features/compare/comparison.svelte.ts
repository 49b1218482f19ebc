import { untrack } from 'svelte'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Queries } from '../../../electron/bridge/contract.ts'
import type { CompareCell, CompareEnvironment, CompareGrid, CompareRow, ShownValue } from '../../../electron/bridge/rows.ts'
import { counted } from '../../domain/counted.ts'
import { numberText } from '../../domain/number-text.ts'
import { pageWindow } from '../../domain/page-window.ts'
import type { RowRange } from '../../domain/visible-range.ts'
import { LiveQuery } from '../../lib/live-query.svelte.ts'
import { Reveals } from '../../lib/reveals.svelte.ts'

export type Only = Queries['compare.page']['args']['only']

/** The most values that one query may ask for. */
const asked = 500

/** How many names are searched for the one that the comparison starts at. */
const farthest = 2000

/** The key in `Reveals` of a row whose values are all revealed; its other keys are ids of variables. */
const rowKey = (name: string) => `row ${name}`

/** At least as much as most windows show: the first query, made before the size of the table is known, need not be repeated. */
const atLeast = (least: number, { first, end }: RowRange): RowRange => ({ first, end: Math.max(end, least) })

/** The visible part of the comparison of a project's environments. */
export class Comparison {
  filter = $state('')
  only = $state<Only>('all')
  #chosen = $state.raw<readonly string[] | null>(null)
  #wantsPair = $state(false)
  /** Rows and columns in view. */
  range = $state.raw<RowRange>({ first: 0, end: 0 })
  columnRange = $state.raw<RowRange>({ first: 0, end: 0 })

  readonly #bridge: Bridge
  readonly #workspaceId: string
  readonly #projectId: string
  readonly #page: LiveQuery<'compare.page'>
  readonly #every: () => readonly { id: string; name: string }[]
  readonly #reveals = new Reveals()
  readonly #values: readonly LiveQuery<'variables.values'>[]

  /** Call while a component is being made. `every`: the environments of the project, tracked. */
  constructor(bridge: Bridge, workspaceId: string, projectId: string, every: () => readonly { id: string; name: string }[]) {
    this.#bridge = bridge
    this.#every = every
    this.#workspaceId = workspaceId
    this.#projectId = projectId
    this.#page = new LiveQuery(bridge, 'compare.page', () => {
      const rows = pageWindow(atLeast(40, this.range), 20)
      const columns = pageWindow(atLeast(8, this.columnRange), 4)
      return { ...this.#of, filter: this.filter, only: this.only, offset: rows.offset, limit: Math.min(200, rows.limit), columns }
    })
    const plain = [0, 1, 2, 3].map(
      (part) =>
        new LiveQuery(bridge, 'variables.values', () => {
          const ids = this.#near.plain.slice(part * asked, (part + 1) * asked)
          return ids.length === 0 ? null : { workspaceId, ids, reveal: false }
        }),
    )
    const revealed = new LiveQuery(bridge, 'variables.values', () => {
      const ids = this.#near.hidden.slice(0, asked)
      return ids.length === 0 ? null : { workspaceId, ids, reveal: true }
    })
    this.#values = [...plain, revealed]

    // A value that scrolled away is hidden again.
    $effect(() => {
      const visible: string[] = []
      for (let index = this.range.first; index < this.range.end; index += 1) {
        const row = this.rowAt(index)
        if (row !== undefined) visible.push(rowKey(row.name), ...row.cells.flatMap((cell) => cell.variableId ?? []))
      }
      untrack(() => this.#reveals.keepOnly(visible))
    })
  }

  /** The last answer; undefined until the first. */
  get grid(): CompareGrid | undefined {
    return this.#page.value
  }

  /** The query that the known rows answer, to tell a changed query from changed rows. */
  get question(): string {
    const { filter, only, environmentIds } = this.#page.answeredArgs ?? {}
    return JSON.stringify([filter, only, environmentIds])
  }

  get problem(): string | null {
    return this.#page.error?.message ?? null
  }

  /** The environments that are compared. */
  environments: readonly CompareEnvironment[] = $derived.by(() => this.grid?.environments ?? [])

  /** All environments of the project, those that are not compared as well. */
  get every(): readonly { id: string; name: string }[] {
    return this.#every()
  }

  /** The environments chosen to compare, in this order, without deleted ones; null: all. */
  chosen: readonly string[] | null = $derived.by(() => {
    if (this.#chosen === null) return null
    const left = this.#chosen.filter((id) => this.every.some((environment) => environment.id === id))
    return left.length < 2 ? null : left
  })

  /** Two environments were chosen for a side-by-side comparison. */
  isPair = $derived.by(() => this.#wantsPair && this.chosen?.length === 2)

  /** Compares these alone; null: all. */
  choose(ids: readonly string[] | null): void {
    this.#chosen = ids
    if (ids === null) this.#wantsPair = false
  }

  /** Shows two side by side. */
  choosePair(left: string, right: string): void {
    this.#chosen = [left, right]
    this.#wantsPair = true
  }

  total = $derived.by(() => this.grid?.total ?? 0)

  /** How many of the names are shown, in words. */
  totalWords = $derived.by(() => {
    if (this.grid === undefined || this.environments.length < 2) return ''
    const { total, all } = this.grid
    const isPart = this.filter !== '' || this.only !== 'all'
    return `${isPart ? `${numberText(total)} of ` : ''}${counted(all, 'variable')}`
  })

  rowAt(index: number): CompareRow | undefined {
    return this.grid?.rows[index - this.grid.offset]
  }

  cellAt(row: CompareRow | undefined, column: number): CompareCell | undefined {
    return row?.cells[column - (this.grid?.columnOffset ?? 0)]
  }

  /** The index of a name, if its row is loaded. */
  indexOf(name: string): number | null {
    const at = this.grid?.rows.findIndex((row) => row.name === name) ?? -1
    return at < 0 || this.grid === undefined ? null : at + this.grid.offset
  }

  /**
   * The index of a variable of one of these environments among all names; null if it isn't found, or far from where it is in its
   * environment.
   */
  async placeOf(id: string, environmentId: string): Promise<number | null> {
    const column = this.environments.findIndex((environment) => environment.id === environmentId)
    const placeIn = ({ rows, offset, columnOffset }: CompareGrid): number | null => {
      const at = rows.findIndex(({ cells }) => cells[column - columnOffset]?.variableId === id)
      return at < 0 ? null : offset + at
    }
    const known = this.grid === undefined ? null : placeIn(this.grid)
    if (known !== null) return known
    const here = await this.#bridge.query('variables.position', { workspaceId: this.#workspaceId, environmentId, filter: '', id })
    if (!here.ok || here.value === null) return null
    // Names that only other environments have come before it, too.
    for (let offset = here.value; offset < Math.min(this.total, here.value + farthest); offset += 200) {
      const columns = { offset: column, limit: 1 }
      const page = await this.#bridge.query('compare.page', { ...this.#of, filter: '', only: 'all', offset, limit: 200, columns })
      const found = page.ok ? placeIn(page.value) : null
      if (found !== null) return found
    }
    return null
  }

  shownIn(cell: CompareCell | undefined): ShownValue | undefined {
    return cell?.variableId ? this.#shown.get(cell.variableId) : undefined
  }

  isRevealed(row: CompareRow, cell: CompareCell): boolean {
    return cell.variableId !== null && (this.#reveals.ids.has(cell.variableId) || this.#reveals.ids.has(rowKey(row.name)))
  }

  toggleReveal(row: CompareRow, cell: CompareCell | undefined): void {
    if (!cell?.variableId) return
    if (this.#reveals.ids.has(rowKey(row.name))) {
      this.#reveals.hide(rowKey(row.name))
      for (const other of row.cells) if (other.variableId !== null && other !== cell) this.#reveals.show(other.variableId)
    } else this.#reveals.toggle(cell.variableId)
  }

  toggleRow(row: CompareRow): void {
    this.#reveals.toggle(rowKey(row.name))
    for (const cell of row.cells) if (cell.variableId !== null) this.#reveals.hide(cell.variableId)
  }

  /** A row with the cells of all environments that are compared, those out of view as well. */
  async wholeRow(name: string): Promise<Queries['compare.row']['value']> {
    const result = await this.#bridge.query('compare.row', { ...this.#of, name })
    return result.ok ? result.value : null
  }

  readonly #of = $derived.by(() => ({
    workspaceId: this.#workspaceId,
    projectId: this.#projectId,
    ...(this.chosen !== null && { environmentIds: [...this.chosen] }),
  }))

  // Values are queried in steps of rows, so that scrolling does not query at every frame.
  readonly #near = $derived.by(() => {
    const window = pageWindow(this.range, 20)
    const plain: string[] = []
    const hidden: string[] = []
    for (let index = window.offset; index < window.offset + window.limit; index += 1) {
      const row = this.rowAt(index)
      if (row === undefined) continue
      for (let column = this.columnRange.first; column < this.columnRange.end; column += 1) {
        const cell = this.cellAt(row, column)
        if (cell === undefined || cell.variableId === null || cell.state === 'empty') continue
        if (this.isRevealed(row, cell)) hidden.push(cell.variableId)
        else if (!row.isSecret) plain.push(cell.variableId)
      }
    }
    return { plain, hidden }
  })

  readonly #shown = $derived.by(
    () => new Map<string, ShownValue>(this.#values.flatMap((answer) => answer.value ?? []).map((value) => [value.id, value])),
  )
}
