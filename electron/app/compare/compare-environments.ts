import type { StampColumns } from '../../mirror/reads/compare-columns.ts'
import { referenceOf, stateOf } from './judge-cells.ts'

/** All names of some environments, and how each stands; positions in the arrays are those of `names`. */
export interface Comparison {
  names: string[]
  /** 1: missing somewhere. */
  missing: Uint8Array
  /** 1: not everywhere known to be the same; what is missing somewhere is not. */
  differs: Uint8Array
  /** By environment, in the order given. */
  counts: { missing: number; empty: number; different: number }[]
}

type Stamp = string | undefined

/** Lays the environments' variables, each list in JavaScript's order of names, side by side in one pass. */
export function compareEnvironments(environments: readonly (readonly StampColumns[])[], emptyStamp: string | null): Comparison {
  const names: string[] = []
  const missing: number[] = []
  const differs: number[] = []
  const counts = environments.map(() => ({ missing: 0, empty: 0, different: 0 }))
  // One row at a time, in the same array: this runs for a hundred thousand variables while the user waits.
  const stamps: Stamp[] = environments.map(() => undefined)
  const row = createCursor(environments, stamps)
  for (let name = row.next(); name !== null; name = row.next()) {
    const gap = stamps.includes(undefined)
    const same = !gap && allSame(stamps)
    names.push(name)
    missing.push(Number(gap))
    differs.push(Number(!same))
    if (!same || stamps[0] === emptyStamp) count(counts, stamps, emptyStamp)
  }
  return { names, missing: Uint8Array.from(missing), differs: Uint8Array.from(differs), counts }
}

/** Steps through all names in order; each step writes the environments' stamps of that name into `stamps`. */
function createCursor(environments: readonly (readonly StampColumns[])[], stamps: Stamp[]): { next(): string | null } {
  const at = new Uint32Array(environments.length)
  const heads: Stamp[] = environments.map(([first]) => first?.name)
  return {
    next() {
      let least: Stamp
      for (const head of heads) if (head !== undefined && (least === undefined || (head !== least && head < least))) least = head
      if (least === undefined) return null
      for (let index = 0; index < heads.length; index += 1) {
        const here = heads[index] === least
        const position = at[index] ?? 0
        stamps[index] = here ? environments[index]?.[position]?.stamp : undefined
        if (!here) continue
        at[index] = position + 1
        heads[index] = environments[index]?.[position + 1]?.name
      }
      return least
    },
  }
}

function allSame(stamps: readonly Stamp[]): boolean {
  const [first] = stamps
  if (first === undefined || first === '') return false
  for (const stamp of stamps) if (stamp !== first) return false
  return true
}

function count(counts: Comparison['counts'], stamps: readonly Stamp[], emptyStamp: string | null): void {
  const reference = referenceOf(stamps, emptyStamp)
  for (let index = 0; index < stamps.length; index += 1) {
    const stamp = stamps[index]
    const state = stamp === undefined ? 'missing' : stateOf(stamp, reference, emptyStamp)
    const counter = counts[index]
    if (counter !== undefined && (state === 'missing' || state === 'empty' || state === 'different')) counter[state] += 1
  }
}
