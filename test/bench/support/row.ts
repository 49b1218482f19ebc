export type Unit = 'ms' | 's' | 'MB' | 'kB' | '/s'

/** What has to hold of a row: of ours alone, of ours divided by the rival, or of ours minus the rival. */
export type Goal = { of: 'value' | 'ratio' | 'difference' } & ({ atMost: number } | { atLeast: number })

/** One line of the table: the same figure of ours and of a rival, once for each round. */
export interface Row {
  /** What is measured. Unique in its case. */
  what: string
  unit: Unit
  ours: readonly number[]
  rival?: { what: string; values: readonly number[] }
  goal?: Goal
}

/** What a case exports as `bench`: it measures, and gives its rows. */
export type Bench = () => Promise<Row[]>

/** A case that cannot be measured here; the message says what to do. */
export class NotMeasuredError extends Error {}

export const ratioAtMost = (limit: number): Goal => ({ of: 'ratio', atMost: limit })
export const ratioAtLeast = (limit: number): Goal => ({ of: 'ratio', atLeast: limit })
export const moreThanRivalAtMost = (limit: number): Goal => ({ of: 'difference', atMost: limit })
export const atMost = (limit: number): Goal => ({ of: 'value', atMost: limit })

/** The median of the middle, and how far the rounds were apart. */
export interface Spread {
  median: number
  low: number
  high: number
}

/** A row with its verdict. `ratio` and `difference` are those of each round, ours and rival side by side. */
export interface Summary {
  what: string
  unit: Unit
  ours: Spread
  rival: (Spread & { what: string }) | null
  ratio: Spread | null
  goal: string | null
  /** What the goal is held against, and what that is; null without a goal. */
  judged: (Spread & Pick<Goal, 'of'>) | null
  /** How many times the limit is kept (above 1) or broken (below 1); null without a goal. */
  room: number | null
  met: boolean | null
}

/** The value below which `part` (0 to 1) of the numbers lie. */
export const quantile = (numbers: readonly number[], part: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

const spreadOf = (numbers: readonly number[]): Spread => ({
  median: median(numbers),
  low: Math.min(...numbers),
  high: Math.max(...numbers),
})

const goalText = (goal: Goal, unit: Unit): string => {
  const [sign, limit] = 'atMost' in goal ? ['≤', goal.atMost] : ['≥', goal.atLeast]
  if (goal.of === 'ratio') return `${sign} ${limit} ×`
  return `${sign} ${goal.of === 'difference' ? '+' : ''}${limit} ${unit}`
}

/** Judges a row by its medians. */
export const summarize = ({ what, unit, ours, rival, goal }: Row): Summary => {
  const each = (combine: (own: number, other: number) => number): Spread | null =>
    rival === undefined ? null : spreadOf(ours.map((own, round) => combine(own, rival.values[round] ?? median(rival.values))))
  const ratio = rival !== undefined && median(rival.values) > 0 ? each((own, other) => own / other) : null
  const base = {
    what,
    unit,
    ours: spreadOf(ours),
    rival: rival === undefined ? null : { what: rival.what, ...spreadOf(rival.values) },
    ratio,
  }
  if (goal === undefined) return { ...base, goal: null, judged: null, room: null, met: null }
  const judged = { value: base.ours, ratio, difference: each((own, other) => own - other) }[goal.of]
  if (judged === null) throw new Error(`${what} has a goal beside a rival, and no rival`)
  // Of nothing there is always room.
  const room = 'atMost' in goal ? goal.atMost / Math.max(judged.median, goal.atMost / 1000) : judged.median / goal.atLeast
  return { ...base, goal: goalText(goal, unit), judged: { of: goal.of, ...judged }, room, met: room >= 1 }
}

const digits = (value: number): string =>
  Math.abs(value) >= 99.5 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(2)))

/** A spread as a person reads it: the median, and in brackets how far the rounds were apart. */
export const spreadText = ({ median, low, high }: Spread): string =>
  low === high ? digits(median) : `${digits(median)} (${digits(low)} to ${digits(high)})`

/** The median alone, as a person reads it. */
export const medianText = (spread: Spread): string => digits(spread.median)
