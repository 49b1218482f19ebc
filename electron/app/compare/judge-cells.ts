/** The state of one name in one environment. */
export type CellState = 'missing' | 'empty' | 'same' | 'different' | 'unknown'

export interface JudgedCell {
  state: CellState
  /** Equal values of a row have the same number, from 1 on. A missing value has 0. A value that can't be compared has its own number. */
  group: number
}

/**
 * Compares one variable across environments by the stamps of its values (undefined: missing; '': can't be compared). The reference is the
 * most common value; in a tie, the first. If all values occur once, all differ. Empty values have their own state and never become the
 * reference. A stamp made with another key can't be compared with the reference.
 */
export function judgeCells(stamps: readonly (string | undefined)[], emptyStamp: string | null): JudgedCell[] {
  const reference = referenceOf(stamps, emptyStamp)
  const isAlone = isReferenceUnique(stamps, reference, emptyStamp)
  let groups = 0
  const groupOf = new Map<string, number>()
  return stamps.map((stamp): JudgedCell => {
    if (stamp === undefined) return { state: 'missing', group: 0 }
    const known = groupOf.get(stamp)
    const group = known ?? (groups += 1)
    if (stamp !== '') groupOf.set(stamp, group)
    return { state: isAlone && stamp === reference ? 'different' : stateOf(stamp, reference, emptyStamp), group }
  })
}

/** Returns the state of a cell that has a value. */
export function stateOf(stamp: string, reference: string | null, emptyStamp: string | null): Exclude<CellState, 'missing'> {
  if (stamp === '') return 'unknown'
  if (stamp === emptyStamp) return 'empty'
  if (stamp === reference) return 'same'
  return reference !== null && keyOf(stamp) === keyOf(reference) ? 'different' : 'unknown'
}

/** Whether only one environment has the reference and others have different values, so that no value is the common one. */
export function isReferenceUnique(stamps: readonly (string | undefined)[], reference: string | null, emptyStamp: string | null): boolean {
  if (reference === null) return false
  let hasOthers = false
  let votes = 0
  for (const stamp of stamps) {
    if (stamp === reference) votes += 1
    else if (stamp !== undefined && stateOf(stamp, reference, emptyStamp) === 'different') hasOthers = true
    if (votes > 1) return false
  }
  return hasOthers
}

/** Returns the most common stamp; in a tie, the first. Null: no value can be compared. */
export function referenceOf(stamps: readonly (string | undefined)[], emptyStamp: string | null): string | null {
  return stamps.length <= 8 ? referenceOfFew(stamps, emptyStamp) : referenceOfMany(stamps, emptyStamp)
}

// This runs for every name of a project while the user waits. It counts few values without allocating, and many values in one pass.
function referenceOfFew(stamps: readonly (string | undefined)[], emptyStamp: string | null): string | null {
  let reference: string | null = null
  let most = 0
  for (const stamp of stamps) {
    if (stamp === undefined || stamp === '' || stamp === emptyStamp || stamp === reference) continue
    let votes = 0
    for (const other of stamps) if (other === stamp) votes += 1
    if (votes > most) {
      reference = stamp
      most = votes
    }
  }
  return reference
}

/** For more values than this a hash map is quicker. */
const fewValues = 8

function referenceOfMany(stamps: readonly (string | undefined)[], emptyStamp: string | null): string | null {
  const values: string[] = []
  const votes: number[] = []
  let byHash: Map<string, number> | null = null
  for (const stamp of stamps) {
    if (stamp === undefined || stamp === '' || stamp === emptyStamp) continue
    const known = byHash === null ? values.indexOf(stamp) : (byHash.get(stamp) ?? -1)
    if (known >= 0) {
      votes[known] = (votes[known] ?? 0) + 1
      continue
    }
    values.push(stamp)
    votes.push(1)
    if (byHash !== null) byHash.set(stamp, values.length - 1)
    else if (values.length > fewValues) byHash = new Map(values.map((value, index) => [value, index]))
  }
  let most = 0
  for (const [index, count] of votes.entries()) if (count > (votes[most] ?? 0)) most = index
  return values[most] ?? null
}

/** Returns the key id in a stamp; '' for the present key. */
const keyOf = (stamp: string): string => (stamp.includes('.') ? stamp.slice(stamp.indexOf('.')) : '')

/**
 * Returns the mark of each cell of a row. Equal values share a mark: the most common value has 0, others count from 1. All are null if all
 * values are equal. Missing, empty and incomparable cells have their own state, and no mark.
 */
export function markCells(cells: readonly JudgedCell[]): (number | null)[] {
  const compared = ({ state }: JudgedCell) => state === 'same' || state === 'different'
  const marks = new Map<number, number>()
  for (const cell of cells) if (cell.state === 'same') marks.set(cell.group, 0)
  const before = marks.size === 0 ? 1 : 0
  for (const cell of cells) if (cell.state === 'different' && !marks.has(cell.group)) marks.set(cell.group, before + marks.size)
  if (marks.size < 2) return cells.map(() => null)
  return cells.map((cell) => (compared(cell) ? (marks.get(cell.group) ?? null) : null))
}
