/** The longest wait: if the service asks for more, it is tried again after this time. */
export const longestRetryAfterMs = 60 * 60 * 1000

/**
 * Returns how many milliseconds a Retry-After header asks to wait, between 0 and one hour; null if it cannot be read. Reads both forms of
 * RFC 9110 section 10.2.3: seconds, and an HTTP date in its three spellings. `now` is in milliseconds since the epoch.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  const text = header.trim()
  if (/^\d+$/.test(text)) return bounded(Number(text) * 1000)
  // Date.parse accepts almost any text ("-1" is a year). Only a text that begins with a weekday is read as a date.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : bounded(at - now)
}

const bounded = (milliseconds: number): number => Math.min(Math.max(milliseconds, 0), longestRetryAfterMs)
