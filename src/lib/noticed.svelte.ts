import { untrack } from 'svelte'

/** How long it takes to notice that something on the screen has changed, in milliseconds. */
export const noticeMs = 500

/**
 * The value that counts as seen while a shown value may change: the first one at once, each later one only after a while. If the user
 * decides sooner, they have not read it, and the application asks.
 */
export class Noticed<T> {
  /** Undefined until something is shown. */
  value = $state.raw<T | undefined>()

  /** Call while a component is being made. `shown` is tracked; undefined while nothing, or not all of it, is on the screen. */
  constructor(shown: () => T | undefined) {
    $effect(() => {
      const now = shown()
      const before = untrack(() => this.value)
      if (now === undefined || now === before) return
      if (before === undefined) {
        this.value = now
        return
      }
      const timer = setTimeout(() => (this.value = now), noticeMs)
      return () => clearTimeout(timer)
    })
  }
}
