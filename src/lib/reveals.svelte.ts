import { SvelteSet } from 'svelte/reactivity'
import { hideOnBlur } from './hide-on-blur.svelte.ts'

/** How long a revealed value stays readable, in milliseconds. */
export const revealFor = 30_000

/**
 * The secret values that are on screen now, by an id of each. Each hides itself again, and all do when the window loses the focus. Make one
 * while a component is being made.
 */
export class Reveals<Id = string> {
  readonly ids = new SvelteSet<Id>()
  readonly #timers = new Map<Id, ReturnType<typeof setTimeout>>()

  constructor() {
    hideOnBlur(() => this.hideAll())
  }

  show(id: Id): void {
    this.hide(id)
    this.ids.add(id)
    this.#timers.set(
      id,
      setTimeout(() => this.hide(id), revealFor),
    )
  }

  hide(id: Id): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    this.ids.delete(id)
  }

  toggle(id: Id): void {
    if (this.ids.has(id)) this.hide(id)
    else this.show(id)
  }

  hideAll(): void {
    for (const id of this.ids) this.hide(id)
  }

  /** Hides all but those in `visible`: a value that scrolled away must be revealed again. */
  keepOnly(visible: readonly (Id | undefined)[]): void {
    for (const id of this.ids) if (!visible.includes(id)) this.hide(id)
  }
}
