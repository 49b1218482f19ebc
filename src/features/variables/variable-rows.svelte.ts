import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { ShownValue, VariableRow } from '../../../electron/bridge/rows.ts'
import { pageWindow } from '../../domain/page-window.ts'
import { hasReferences } from '../../domain/reference-parts.ts'
import { referenceWords, resolvedWords, type ResolvedWords } from '../../domain/reference-words.ts'
import { typeDoubt } from '../../domain/type-flaw.ts'
import type { RowRange } from '../../domain/visible-range.ts'
import { LiveQuery } from '../../lib/live-query.svelte.ts'
import type { Reveals } from '../../lib/reveals.svelte.ts'
import type { TableView } from './table-view.svelte.ts'

interface Source {
  bridge: Bridge
  workspaceId: string
  environmentId: string
  view: TableView
  reveals: Reveals
  /** The row that has the keyboard. */
  activeIndex: () => number
}

/** The rows of one environment near the view, with the parts of their values that may be shown. Create it while a component is created. */
export class VariableRows {
  /** The rows on screen. */
  range = $state.raw<RowRange>({ first: 0, end: 0 })
  /** The variable under the pointer. */
  pointed = $state.raw<string | null>(null)
  readonly page: LiveQuery<'variables.page'>
  readonly #plain: LiveQuery<'variables.values'>
  readonly #revealed: LiveQuery<'variables.values'>
  readonly #problems: LiveQuery<'references.problems'>
  readonly #resolved: LiveQuery<'references.resolve'>
  readonly #reveals: Reveals
  readonly #activeIndex: () => number

  /** The shown text or state of each value near the view, by variable. */
  readonly shown = $derived.by(
    () => new Map<string, ShownValue>([...(this.#plain.value ?? []), ...(this.#revealed.value ?? [])].map((value) => [value.id, value])),
  )
  /** The problems of the references in a value, by variable. */
  readonly problems = $derived.by(() => new Map((this.#problems.value ?? []).map((flag) => [flag.id, referenceWords(flag.kinds)])))
  /** The row under the pointer, or else the active one. */
  readonly #looked = $derived.by(() => {
    // A filter may remove the row under the pointer; browsers send no event for that.
    const pointed = this.pointed === null ? null : this.indexOf(this.pointed)
    return this.at(pointed ?? this.#activeIndex())
  })
  readonly #lookedText = $derived.by(() => {
    const value = this.#looked && this.shown.get(this.#looked.id)
    return value?.state === 'shown' ? value.value : null
  })
  /** That variable, if its value has references. */
  readonly peeked = $derived.by((): string | null => {
    const text = this.#lookedText
    return this.#looked !== undefined && text !== null && hasReferences(text) ? this.#looked.id : null
  })
  /** Its resolved value once it is known, or why its value doesn’t fit its type. */
  readonly peekWords = $derived.by((): ResolvedWords | null => {
    if (this.peeked !== null) return this.#resolved.answeredArgs?.id === this.peeked ? resolvedWords(this.#resolved.value) : null
    const doubt = this.#looked && this.#lookedText !== null ? typeDoubt(this.#looked.type, this.#lookedText) : null
    return doubt === null ? null : { text: doubt, isProblem: true, isValue: false, problems: [] }
  })

  // Values are queried in steps of rows, so that scrolling does not query at every frame.
  /** The rows at and near the view. */
  readonly near = $derived.by(() => {
    const { offset, limit } = pageWindow(this.range, 25)
    return this.within({ first: offset, end: offset + limit })
  })

  constructor({ bridge, workspaceId, environmentId, view, reveals, activeIndex }: Source) {
    this.#reveals = reveals
    this.#activeIndex = activeIndex
    const valuesWhere = (keep: (row: VariableRow) => boolean, reveal: boolean) =>
      new LiveQuery(bridge, 'variables.values', () => {
        const ids = this.near.filter(keep).map((row) => row.id)
        return ids.length === 0 ? null : { workspaceId, ids, reveal }
      })
    this.page = new LiveQuery(bridge, 'variables.page', () => ({
      workspaceId,
      environmentId,
      ...view.args,
      ...pageWindow(this.range, 100),
    }))
    this.#plain = valuesWhere((row) => row.isSecret === false && !row.isEmpty, false)
    this.#revealed = valuesWhere((row) => reveals.ids.has(row.id), true)
    this.#problems = new LiveQuery(bridge, 'references.problems', () => ({ workspaceId, environmentId }))
    this.#resolved = new LiveQuery(bridge, 'references.resolve', () =>
      this.peeked === null ? null : { workspaceId, id: this.peeked, reveal: reveals.ids.has(this.peeked) },
    )
  }

  /** How many rows the view has, visible or not. */
  get total(): number {
    return this.page.value?.total ?? 0
  }

  /** Whether the view has all rows of the environment: no filter is active. */
  readonly isWhole = $derived.by(() => {
    const { filter, types, secret, sync } = this.page.answeredArgs ?? {}
    return filter === '' && types === undefined && secret === undefined && sync === undefined
  })

  /**
   * The row at an index of the view; undefined while it is not loaded. Its `rev` is that of the value on screen, which has a query of its
   * own and may come later: a command on the row is based on the value that its user sees.
   */
  at(index: number): VariableRow | undefined {
    const row = this.page.value ? this.page.value.rows[index - this.page.value.offset] : undefined
    const rev = row && this.shown.get(row.id)?.rev
    return row && rev !== undefined && rev < row.rev ? { ...row, rev } : row
  }

  /** The loaded rows of a range. */
  within({ first, end }: RowRange): VariableRow[] {
    return Array.from({ length: end - first }, (_, step) => this.at(first + step)).filter((row) => row !== undefined)
  }

  /** The index of a variable in the view; null while it is not loaded. */
  indexOf(id: string): number | null {
    const at = this.page.value?.rows.findIndex((row) => row.id === id) ?? -1
    return at < 0 || !this.page.value ? null : this.page.value.offset + at
  }

  /** Whether its value, or a value it refers to, can be revealed or hidden again. */
  canReveal(row: VariableRow): boolean {
    if (this.#reveals.ids.has(row.id) || row.isSecret !== false) return true
    return this.shown.get(row.id)?.state !== 'shown' || (this.peeked === row.id && this.#resolved.value?.state === 'masked')
  }
}
