const baseMs = 1_000
const capMs = 5 * 60_000

/**
 * How long to wait before the next try, in milliseconds: full jitter below an exponential limit, so that a thousand clients do not return
 * at the same moment when their service does. `failures` counts from 1; `random` is in [0, 1). Never shorter than the service's
 * Retry-After.
 */
export function retryDelay(failures: number, random: number, retryAfterMs: number | null): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 20))
  return Math.max(retryAfterMs ?? 0, Math.round(ceiling * random))
}

/**
 * Whether a time set by `retryDelay` has come. A time further ahead than any delay is due now: the clock has been set back since, and a
 * change must not wait for years.
 */
export const isDue = (at: number | null, now: number): boolean => at === null || at <= now || at - now > capMs
