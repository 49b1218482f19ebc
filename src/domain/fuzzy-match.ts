/** Half-open stretches of a text, in UTF-16 units. */
export type Ranges = readonly (readonly [start: number, end: number])[]

export interface FuzzyMatch {
  /** Larger is better; comparable between matches of one query. */
  score: number
  ranges: Ranges
}

/** Longer queries are cut: nobody types them, and each letter costs a walk over the text. */
const longestQuery = 64

/**
 * Finds the letters of `query` in `text` in their order, whatever the case and the spaces between: letters side by side count
 * most, then those that start a word. Null when they are not there; the empty query is everywhere.
 */
export const fuzzyMatch = (query: string, text: string): FuzzyMatch | null => {
  // Where lower-casing would change the length of a text (İ), its letters are compared as they are.
  const lower = text.toLowerCase().length === text.length ? text.toLowerCase() : text
  const letters = query.toLowerCase().replace(/\s+/g, '').slice(0, longestQuery)
  if (letters === '') return { score: 0, ranges: [] }

  // rows[i][at]: the best score of the letters up to i with letter i found at `at`, and where the one before it was.
  const rows: { score: Float64Array; before: Int32Array }[] = []
  for (let i = 0; i < letters.length; i++) {
    const last = rows[i - 1]
    const row = { score: new Float64Array(lower.length).fill(-Infinity), before: new Int32Array(lower.length).fill(-1) }
    let best = -1
    for (let at = 0; at < lower.length; at++) {
      if (at > 0 && last !== undefined && (last.score[at - 1] ?? -Infinity) > (best < 0 ? -Infinity : (last.score[best] ?? -Infinity)))
        best = at - 1
      if (lower[at] !== letters[i] || (i > 0 && best < 0)) continue
      const own = isWordStart(text, at) ? wordStartScore : 1
      const apart = last === undefined ? 0 : (last.score[best] ?? 0)
      const beside = last === undefined || at === 0 ? -Infinity : (last.score[at - 1] ?? -Infinity) + besideScore
      row.score[at] = own + Math.max(apart, beside)
      row.before[at] = beside >= apart ? at - 1 : best
    }
    rows.push(row)
  }

  const end = rows.at(-1)
  if (end === undefined) return null
  let at = -1
  for (let i = 0; i < lower.length; i++) if ((end.score[i] ?? -Infinity) > (at < 0 ? -Infinity : (end.score[at] ?? -Infinity))) at = i
  if (at < 0) return null
  // Of two equal matches the shorter text is the closer one.
  const score = (end.score[at] ?? 0) - text.length / 1000
  const found: number[] = []
  for (let i = rows.length - 1; i >= 0; i--) {
    found.unshift(at)
    at = rows[i]?.before[at] ?? -1
  }
  return { score, ranges: joined(found) }
}

const besideScore = 4
const wordStartScore = 3

const joined = (places: readonly number[]): [number, number][] => {
  const ranges: [number, number][] = []
  for (const at of places) {
    const last = ranges.at(-1)
    if (last?.[1] === at) last[1] = at + 1
    else ranges.push([at, at + 1])
  }
  return ranges
}

const isWordStart = (text: string, at: number): boolean => {
  const before = text[at - 1] ?? ''
  if (!/[\p{L}\p{N}]/u.test(before)) return true
  return /\p{Lu}/u.test(text[at] ?? '') && /\p{Ll}/u.test(before)
}
