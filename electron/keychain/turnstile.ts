export type Passed<T> = { late: false; value: T } | { late: true }

/**
 * Lets one piece of work through at a time, and gives up waiting for it after its deadline.
 * A call into the keychain holds a thread of Node's small pool for as long as the system asks its
 * user; were several to wait at once, no file could be read meanwhile. Work that is late goes on
 * holding the turnstile until it ends; work whose deadline passed before its turn is never begun.
 */
export function createTurnstile(): <T>(work: () => Promise<T>, deadlineMs: number) => Promise<Passed<T>> {
  let last: Promise<unknown> = Promise.resolve()
  return function pass<T>(work: () => Promise<T>, deadlineMs: number): Promise<Passed<T>> {
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
}
