/** Half-open stretches of a text, in UTF-16 units. */
export type Ranges = readonly (readonly [start: number, end: number])[]

/** How well a query fits a name, and where. */
export interface Alignment {
  /** Larger is better; comparable between names for one query. */
  score: number
  ranges: Ranges
}

const matched = 16
const wordStart = 10
const nameStart = 4
const joined = 9
const gapOpens = -3
const gapGoesOn = -1
const none = -1e9

/**
 * Finds the best way in which the query's codes are in the name, in order. Codes at the beginning of words and codes in one piece score
 * higher. `codes` and `query` are folded; `starts` is 1 where a word of the name begins. Returns null if the codes are not in the name in
 * order.
 */
export function align(query: Uint16Array, codes: Uint16Array, starts: Uint8Array): Alignment | null {
  const [rows, columns] = [query.length, codes.length]
  if (rows === 0 || rows > columns) return null
  // best[r][c]: the best score of the first r + 1 codes of the query, if the last of them is at c. from: the position of the code before
  // that one.
  const best = new Float64Array(rows * columns).fill(none)
  const from = new Int16Array(rows * columns).fill(-1)
  for (let row = 0; row < rows; row += 1) {
    let reach = none
    let reachFrom = -1
    for (let column = row; column < columns; column += 1) {
      // `reach`: the best score of the row above that ends before the code to the left, minus the penalty for the gap.
      if (row > 0 && column >= 2) {
        reach += gapGoesOn
        const opened = (best[(row - 1) * columns + column - 2] ?? none) + gapOpens
        if (opened > reach) {
          reach = opened
          reachFrom = column - 2
        }
      }
      if (codes[column] !== query[row]) continue
      const bonus = matched + (starts[column] === 1 ? wordStart : 0) + (column === 0 ? nameStart : 0)
      const at = row * columns + column
      if (row === 0) {
        best[at] = bonus - Math.min(column, 3)
        continue
      }
      const beside = column === 0 ? none : (best[(row - 1) * columns + column - 1] ?? none) + joined
      const previous = Math.max(beside, reach)
      if (previous <= none / 2) continue
      best[at] = previous + bonus
      from[at] = beside >= reach ? column - 1 : reachFrom
    }
  }
  const last = (rows - 1) * columns
  let end = -1
  for (let column = rows - 1; column < columns; column += 1) {
    if ((best[last + column] ?? none) > (end === -1 ? none / 2 : (best[last + end] ?? none))) end = column
  }
  if (end === -1) return null
  return { score: best[last + end] ?? none, ranges: rangesOf(from, rows, columns, end) }
}

function rangesOf(from: Int16Array, rows: number, columns: number, end: number): [number, number][] {
  const ranges: [number, number][] = []
  for (let row = rows - 1, column = end; row >= 0; row -= 1) {
    const first = ranges[0]
    if (first !== undefined && first[0] === column + 1) first[0] = column
    else ranges.unshift([column, column + 1])
    column = from[row * columns + column] ?? -1
  }
  return ranges
}
