const units: readonly (readonly [limitSeconds: number, seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [7 * 86_400, 86_400, 'day'],
]
const formats = {
  long: new Intl.RelativeTimeFormat('en', { numeric: 'always' }),
  narrow: new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' }),
}
const dayOfYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' })

/** The day of `at` (ISO 8601): `Nov 22`, with its year unless that is the present one. An unreadable time gives an empty text. */
export const dayWords = (at: string, now: number): string => {
  const time = Date.parse(at)
  if (Number.isNaN(time)) return ''
  return (new Date(time).getFullYear() === new Date(now).getFullYear() ? dayOfYear : day).format(time)
}

/** When a next try is due: `next try in 12 seconds`. One that should have begun already comes in a moment. */
export const nextTryWords = (at: string, now: number): string => `next try ${Date.parse(at) > now ? relativeTime(at, now) : 'in a moment'}`

/**
 * How far `at` (ISO 8601) is from `now` (ms since the epoch), as people say it: `just now` within the last minute, `5 minutes ago`, `in 12
 * seconds`. Past a week it is the date, with its year unless that is the present one. An unreadable time gives an empty text. narrow, where
 * there is little room: `5m ago`.
 */
export const relativeTime = (at: string, now: number, style: keyof typeof formats = 'long'): string => {
  const time = Date.parse(at)
  if (Number.isNaN(time)) return ''
  const ahead = time > now
  const seconds = Math.round(Math.abs(time - now) / 1000)
  if (!ahead && seconds < 60) return 'just now'
  if (seconds < 5) return 'in a moment'
  for (const [limit, size, unit] of units) {
    if (seconds < limit) return formats[style].format((ahead ? 1 : -1) * Math.floor(seconds / size), unit)
  }
  return dayWords(at, now)
}
