import { SvelteSet } from 'svelte/reactivity'

/** How long a revealed value stays readable, in milliseconds. */
export const revealFor = 30_000

/** The variables whose secret values are on screen now. Each hides itself again. */
export class Reveals {
  readonly ids = new SvelteSet<string>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()

  show(id: string): void {
    this.hide(id)
    this.ids.add(id)
    this.#timers.set(
      id,
      setTimeout(() => this.hide(id), revealFor),
    )
  }

  hide(id: string): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    this.ids.delete(id)
  }

  toggle(id: string): void {
    if (this.ids.has(id)) this.hide(id)
    else this.show(id)
  }

  hideAll(): void {
    for (const id of this.ids) this.hide(id)
  }

  /** Hides all but those in `visible`: a value that scrolled away must be revealed again. */
  keepOnly(visible: readonly (string | undefined)[]): void {
    for (const id of this.ids) if (!visible.includes(id)) this.hide(id)
  }
}
