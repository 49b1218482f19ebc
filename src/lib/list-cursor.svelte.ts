import { untrack } from 'svelte'
import type { CommandRuns } from './commands.svelte.ts'
import { takeListKey } from './take-list-key.ts'

/** The ids of the rows that are loaded, in order. Of a longer list: those from `offset` on, and its `total`. */
interface Loaded {
  ids: readonly string[]
  offset?: number
  total?: number
}

/** The part of a VirtualList that the cursor moves. */
interface View {
  reveal(index: number): void
  toTop(): void
  pageSize(): number
}

/** The active row of a list that takes the keyboard as one. It stays with its record when others come and go. */
export class ListCursor {
  at = $state(0)
  /** The element that takes the keyboard. */
  grid = $state<HTMLElement>()
  view = $state<View>()
  #id: string | null = null
  /** The row to go to once it is loaded. */
  #expected: string | null = null
  readonly #rows: Required<Loaded>

  /** Call while a component is being made. `loaded` is tracked. */
  constructor(loaded: () => Loaded) {
    this.#rows = $derived.by(() => {
      const { ids, offset = 0, total = ids.length } = loaded()
      return { ids, offset, total }
    })
    $effect(() => {
      const { ids, offset, total } = this.#rows
      untrack(() => {
        if (this.#expected !== null && ids.includes(this.#expected)) return this.expect(this.#expected)
        const moved = this.#id === null ? -1 : ids.indexOf(this.#id)
        this.at = Math.max(0, Math.min(moved < 0 ? this.at : moved + offset, total - 1))
        this.#id = ids[this.at - offset] ?? this.#id
      })
    })
  }

  /** Gives the keyboard to the list. */
  focus(): void {
    this.grid?.focus({ preventScroll: true })
  }

  /** Makes a row the active one, shows it, and gives the keyboard to the list. */
  press(index: number): void {
    this.#goTo(index)
    this.focus()
  }

  /** Goes to a row that was just added, now or once it is loaded. */
  expect(id: string): void {
    const index = this.#rows.ids.indexOf(id)
    if (index < 0) this.#expected = id
    else this.#goTo(index + this.#rows.offset)
  }

  /** Goes to the first row, as other rows are shown. */
  toTop(): void {
    this.at = 0
    this.#id = null
    this.view?.toTop()
  }

  /** Handles a key: goes to another row, or runs what the list offers now. */
  takeKey(event: KeyboardEvent, runs: CommandRuns): void {
    const { total } = this.#rows
    takeListKey(event, { at: this.at, total, page: this.view?.pageSize() ?? 1, go: (index) => this.press(index), runs })
  }

  #goTo(index: number): void {
    this.at = index
    this.#id = this.#rows.ids[index - this.#rows.offset] ?? null
    this.#expected = null
    this.view?.reveal(index)
  }
}
