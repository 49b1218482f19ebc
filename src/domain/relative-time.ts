const units: readonly (readonly [limitSeconds: number, seconds: number, name: string])[] = [
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [7 * 86_400, 86_400, 'd'],
]

/**
 * How far `at` (ISO 8601) is from `now` (ms since the epoch), in a few letters: `now`, `5 min ago`, `in 12 s`.
 * Past a week it is the date. An unreadable time gives an empty text.
 */
export const relativeTime = (at: string, now: number): string => {
  const time = Date.parse(at)
  if (Number.isNaN(time)) return ''
  const ahead = time > now
  const seconds = Math.round(Math.abs(time - now) / 1000)
  const say = (text: string) => (ahead ? `in ${text}` : `${text} ago`)
  if (seconds < 5) return ahead ? 'in a moment' : 'just now'
  if (seconds < 60) return say(`${seconds} s`)
  for (const [limit, size, name] of units) {
    if (seconds < limit) return say(`${Math.floor(seconds / size)} ${name}`)
  }
  return new Date(time).toISOString().slice(0, 10)
}
