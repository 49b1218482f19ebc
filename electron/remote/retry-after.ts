/** A service that asks for more is tried again after this time all the same. */
export const longestRetryAfterMs = 60 * 60 * 1000

/**
 * Milliseconds to wait, from a Retry-After header in either form of RFC 9110 section 10.2.3
 * (seconds or HTTP date, all three date spellings), between 0 and one hour; null when it says
 * nothing usable. `now` is milliseconds since the epoch.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  const text = header.trim()
  if (/^\d+$/.test(text)) return bounded(Number(text) * 1000)
  // Date.parse takes almost anything ("-1" is a year): only texts that open with a weekday are dates here.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : bounded(at - now)
}

const bounded = (milliseconds: number): number => Math.min(Math.max(milliseconds, 0), longestRetryAfterMs)
