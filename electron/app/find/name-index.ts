import { align, type Alignment } from './align.ts'
import type { BestOf } from './best-of.ts'
import { beginsWord, foldCode, sortBit } from './fold.ts'

/** Names packed for search, each once, with what bears it. */
export interface NameIndex<Bearer> {
  add(name: string, bearer: Bearer): void
  /** Takes a bearer off a name; one that nobody bears any more is not found. */
  remove(name: string, bearer: Bearer): void
  /** Offers every name that holds the query, by a quick guess of how well. */
  scan(query: Uint16Array, best: BestOf<Hit<Bearer>>): void
  /** How many names there are. */
  size(): number
}

/** A name that holds the query. */
export interface Hit<Bearer> {
  name: string
  bearers: readonly Bearer[]
  /** Where and how well, looked at closely. */
  align(): Alignment | null
}

/** A guess ranks whole pieces over scattered letters; `align` then ranks what is left among itself. */
const piece = 1000
const pieceAtWord = 2000

/** An empty index. Names are compared as `foldCode` folds them. */
export function createNameIndex<Bearer>(): NameIndex<Bearer> {
  const names: string[] = []
  const bearers: Bearer[][] = []
  const known = new Map<string, number>()
  // All names one after the other; name n is from offsets[n] to offsets[n + 1]. Flat arrays: the scan passes a few megabytes at each key.
  let codes = new Uint16Array(1 << 16)
  let starts = new Uint8Array(1 << 16)
  let offsets = new Uint32Array(1 << 12)
  let sorts = new Uint32Array(1 << 12)

  function pack(name: string): void {
    const index = names.length
    const from = offsets[index] ?? 0
    while (codes.length < from + name.length) {
      codes = grown(codes)
      starts = grown(starts)
    }
    if (offsets.length < index + 2) {
      offsets = grown(offsets)
      sorts = grown(sorts)
    }
    let before = 0
    for (let at = 0; at < name.length; at += 1) {
      const code = name.charCodeAt(at)
      const folded = foldCode(code)
      codes[from + at] = folded
      starts[from + at] = at === 0 || beginsWord(before, code) ? 1 : 0
      before = code
    }
    sorts[index] = sortsOf(name)
    offsets[index + 1] = from + name.length
    names.push(name)
  }

  const hit = (index: number, query: Uint16Array): Hit<Bearer> => ({
    name: names[index] ?? '',
    bearers: bearers[index] ?? [],
    align() {
      const [from, to] = [offsets[index] ?? 0, offsets[index + 1] ?? 0]
      return align(query, codes.subarray(from, to), starts.subarray(from, to))
    },
  })

  return {
    add(name, bearer) {
      const index = known.get(name)
      if (index !== undefined) {
        bearers[index]?.push(bearer)
        sorts[index] = sortsOf(name)
        return
      }
      known.set(name, names.length)
      bearers.push([bearer])
      pack(name)
    },
    remove(name, bearer) {
      const index = known.get(name)
      if (index === undefined) return
      const left = (bearers[index] ?? []).filter((other) => other !== bearer)
      bearers[index] = left
      // A name without any sort of character holds no query.
      if (left.length === 0) sorts[index] = 0
    },
    scan(query, best) {
      let wanted = 0
      for (const code of query) wanted |= sortBit(code)
      for (let index = 0; index < names.length; index += 1) {
        if (((sorts[index] ?? 0) & wanted) !== wanted) continue
        const score = guess(query, codes, starts, offsets[index] ?? 0, offsets[index + 1] ?? 0)
        if (score >= 0 && score > best.bar()) best.offer(score, hit(index, query))
      }
    },
    size: () => names.length,
  }
}

/** Which sorts of characters a name has. */
function sortsOf(name: string): number {
  let sorts = 0
  for (let at = 0; at < name.length; at += 1) sorts |= sortBit(foldCode(name.charCodeAt(at)))
  return sorts
}

/**
 * A quick guess of how well a query fits codes[from, to): -1 not at all; one piece beats scattered letters, at the beginning of a
 * word beats within one, and shorter names come first.
 */
function guess(query: Uint16Array, codes: Uint16Array, starts: Uint8Array, from: number, to: number): number {
  const length = query.length
  const first = query[0]
  let found = -1
  for (let at = from; at + length <= to; at += 1) {
    if (codes[at] !== first) continue
    let next = 1
    while (next < length && codes[at + next] === query[next]) next += 1
    if (next < length) continue
    if (starts[at] === 1) return pieceAtWord + (at === from ? 100 : 0) + shortness(to - from)
    found = at
  }
  if (found !== -1) return piece + shortness(to - from)
  // In order, here and there: each at the next beginning of a word where there is one, else as early as possible.
  let row = 0
  let words = 0
  let joins = 0
  let last = -2
  for (let at = from; at < to && row < length; at += 1) {
    if (codes[at] !== query[row]) continue
    if (starts[at] === 1) words += 1
    else if (at === last + 1) joins += 1
    last = at
    row += 1
  }
  return row < length ? -1 : words * 12 + joins * 8 + shortness(to - from)
}

/** Up to 64 for the shortest names. */
const shortness = (length: number): number => Math.max(0, 64 - length)

function grown<A extends Uint8Array | Uint16Array | Uint32Array>(array: A): A {
  const Same = array.constructor as new (length: number) => A
  const more = new Same(array.length * 2)
  more.set(array)
  return more
}
