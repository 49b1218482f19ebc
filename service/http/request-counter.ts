/** Callers that are remembered at most: one more, and the one whose minute began first is forgotten. */
const mostCallers = 10_000
const windowMs = 60_000

/**
 * Counts a request of a caller. Gives 0, or for how many milliseconds the caller must wait: until a minute after the first request that was
 * counted.
 */
export type RequestCounter = (caller: string, now: number) => number

/** Counts up to `limit` requests a minute for each caller, in the memory of this process. */
export const createRequestCounter = (limit: number): RequestCounter => {
  // In the order in which their minutes began.
  const windows = new Map<string, { count: number; endsAt: number }>()
  return (caller, now) => {
    let window = windows.get(caller)
    // A clock that was set back must not lock anybody out.
    if (window === undefined || now >= window.endsAt || now < window.endsAt - windowMs) {
      windows.delete(caller)
      const first = windows.size < mostCallers ? undefined : windows.keys().next().value
      if (first !== undefined) windows.delete(first)
      window = { count: 0, endsAt: now + windowMs }
      windows.set(caller, window)
    }
    window.count++
    return window.count > limit ? window.endsAt - now : 0
  }
}
