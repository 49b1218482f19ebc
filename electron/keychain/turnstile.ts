export type Passed<T> = { late: false; value: T } | { late: true }

export interface Turnstile {
  pass<T>(work: () => Promise<T>, deadlineMs: number): Promise<Passed<T>>
  /** Resolves once all calls so far have ended, also those past their deadlines. */
  ended(): Promise<unknown>
}

/**
 * Runs one call at a time, and stops waiting for a call after its deadline. A call of the keychain holds a thread of Node's small pool for
 * as long as the system shows a prompt. If several calls waited at once, no file could be read meanwhile. A call past its deadline still
 * blocks the next until it ends. A call whose deadline passes before its turn is never started.
 */
export function createTurnstile(): Turnstile {
  let last: Promise<unknown> = Promise.resolve()
  function pass<T>(work: () => Promise<T>, deadlineMs: number): Promise<Passed<T>> {
    return new Promise((resolve, reject) => {
      let gaveUp = false
      const timer = setTimeout(() => {
        gaveUp = true
        resolve({ late: true })
      }, deadlineMs)
      last = last
        .then(() => (gaveUp ? undefined : work().then((value) => resolve({ late: false, value }))))
        .catch(reject)
        .finally(() => clearTimeout(timer))
    })
  }
  return { pass, ended: () => last }
}
