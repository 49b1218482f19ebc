import { createSubscriber } from 'svelte/reactivity'

/** The time in steps of a second, in ms since the epoch. It ticks only while something on screen reads it. */
class Clock {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, 1000)
    return () => clearInterval(timer)
  })

  get now(): number {
    this.#subscribe()
    return Date.now()
  }
}

export const clock = new Clock()
