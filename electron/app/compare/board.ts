import { compareKeyed, nameKey, type KeyedName } from '../../mirror/name-key.ts'
import { referenceOf, isReferenceUnique, stateOf } from './judge-cells.ts'

/** Equal values have equal stamps. undefined: the variable is missing. '': its value can't be compared. */
export type Stamp = string | undefined

export interface BoardRow {
  name: string
  /** One for each environment, in their order. */
  stamps: readonly Stamp[]
  /** Whether the variable is missing in an environment. */
  missing: boolean
  /** Whether the values are not known to be equal everywhere. True if the variable is missing in an environment. */
  differs: boolean
  /** Whether it is a secret, or its secrecy is unknown, in any environment of the project. */
  isSecret: boolean
}

export interface BoardCount {
  missing: number
  empty: number
  different: number
}

/** All names of some environments in natural order, each with its stamps. */
export interface Board {
  rows: BoardRow[]
  /** By environment, in the given order. */
  counts: BoardCount[]
  /** The stamp of the empty value; null: unknown. */
  emptyStamp: string | null
}

/**
 * Merges the environments' variables by name in one pass. Each list must be in the order of `nameKey`; a list that several environments
 * share is read once. `secrets` has one character per name: '0' if it is known not to be secret.
 */
export function makeBoard(
  environments: readonly { names: readonly string[]; stamps: readonly string[]; secrets: string }[],
  emptyStamp: string | null,
): Board {
  const board = emptyBoard(environments.length, emptyStamp)
  const shared = Map.groupBy(environments.keys(), (index) => environments[index]?.names ?? [])
  // A single list is in order: its names need no keys.
  const headOf = shared.size === 1 ? unkeyedAt : keyedAt
  const lists = [...shared].map(([names, owners]) => ({ names, owners, at: 0, head: headOf(names, 0) }))
  const nowhere = environments.map((): Stamp => undefined)
  for (;;) {
    let least: KeyedName | null = null
    for (const { head } of lists) if (head !== null && (least === null || compareKeyed(head, least) < 0)) least = head
    if (least === null) return board
    const stamps = nowhere.slice()
    let isSecret = false
    for (const list of lists) {
      if (list.head?.name !== least.name) continue
      for (const index of list.owners) {
        stamps[index] = environments[index]?.stamps[list.at]
        isSecret ||= environments[index]?.secrets[list.at] !== '0'
      }
      list.at += 1
      list.head = headOf(list.names, list.at)
    }
    append(board, least.name, stamps, isSecret)
  }
}

type HeadAt = (names: readonly string[], at: number) => KeyedName | null

const unkeyedAt: HeadAt = (names, at) => {
  const name = names[at]
  return name === undefined ? null : { name, key: '' }
}

const keyedAt: HeadAt = (names, at) => {
  const name = names[at]
  return name === undefined ? null : { name, key: nameKey(name) }
}

export function rowOf({ rows }: Board, name: string): BoardRow | undefined {
  const row = rows[placeOf(rows, name)]
  return row?.name === name ? row : undefined
}

/** Replaces the stamps of a name; removes the row if no environment has the name any more. */
export function putRow(board: Board, name: string, stamps: readonly Stamp[], isSecret: boolean): void {
  const before = rowOf(board, name)
  const now = stamps.every((stamp) => stamp === undefined) ? [] : [toRow(name, stamps, isSecret)]
  board.rows.splice(placeOf(board.rows, name), before === undefined ? 0 : 1, ...now)
  if (before !== undefined) count(board, before, -1)
  for (const row of now) count(board, row, 1)
}

/**
 * Returns the board of some of the environments, given by position. Leaves out names that none of them has. A name that is secret anywhere
 * in the project stays secret.
 */
export function choose(board: Board, environments: readonly number[]): Board {
  const chosen = emptyBoard(environments.length, board.emptyStamp)
  for (const row of board.rows) {
    const stamps = environments.map((index) => row.stamps[index])
    if (stamps.some((stamp) => stamp !== undefined)) append(chosen, row.name, stamps, row.isSecret)
  }
  return chosen
}

const emptyBoard = (environments: number, emptyStamp: string | null): Board => ({
  rows: [],
  counts: Array.from({ length: environments }, () => ({ missing: 0, empty: 0, different: 0 })),
  emptyStamp,
})

function append(board: Board, name: string, stamps: readonly Stamp[], isSecret: boolean): void {
  const row = toRow(name, stamps, isSecret)
  board.rows.push(row)
  count(board, row, 1)
}

function toRow(name: string, stamps: readonly Stamp[], isSecret: boolean): BoardRow {
  const missing = stamps.includes(undefined)
  return { name, stamps, missing, differs: missing || !allSame(stamps), isSecret }
}

function allSame(stamps: readonly Stamp[]): boolean {
  const [first] = stamps
  if (first === undefined || first === '') return false
  for (const stamp of stamps) if (stamp !== first) return false
  return true
}

/** Adds a row to the counts of the board, or subtracts it. */
function count({ counts, emptyStamp }: Board, { stamps, differs }: BoardRow, by: 1 | -1): void {
  // Most rows are the same everywhere, and don't count.
  if (!differs && stamps[0] !== emptyStamp) return
  const reference = referenceOf(stamps, emptyStamp)
  const isAlone = isReferenceUnique(stamps, reference, emptyStamp)
  for (let index = 0; index < stamps.length; index += 1) {
    const stamp = stamps[index]
    const state = stamp === undefined ? 'missing' : isAlone && stamp === reference ? 'different' : stateOf(stamp, reference, emptyStamp)
    const counter = counts[index]
    if (counter !== undefined && (state === 'missing' || state === 'empty' || state === 'different')) counter[state] += by
  }
}

/** Returns the index of a name in ordered rows, or the index at which to insert it. */
function placeOf(rows: readonly BoardRow[], name: string): number {
  const wanted = { name, key: nameKey(name) }
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >> 1
    const row = rows[middle]
    if (row !== undefined && compareKeyed({ name: row.name, key: nameKey(row.name) }, wanted) < 0) from = middle + 1
    else to = middle
  }
  return from
}
