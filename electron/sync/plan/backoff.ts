const baseMs = 1_000
const capMs = 5 * 60_000

/**
 * How long to wait before the next try, in milliseconds: full jitter over an exponential ceiling, so
 * that a thousand clients whose service comes back do not come back together.
 * `failures` counts from 1; `random` is in [0, 1). A service's own Retry-After is never undercut.
 */
export function retryDelay(failures: number, random: number, retryAfterMs: number | null): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 20))
  return Math.max(retryAfterMs ?? 0, Math.round(ceiling * random))
}

/**
 * Whether a time set by `retryDelay` has come. One that lies further ahead than it ever sets is due at once: the clock was
 * put back since, and a change must not wait for the year it was in.
 */
export const isDue = (at: number | null, now: number): boolean => at === null || at <= now || at - now > capMs
