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
const pieceAtStart = 2100
/** What one letter brings at most where the query is found here and there. */
const perLetter = 12

/** The names that may hold a query, for the next one that goes on from it: who types a letter more finds among these alone. */
interface Narrowed {
  query: Uint16Array
  /** Twice the number of each name, plus one where the query is not in it in one piece; the first `count` are valid. */
  list: Uint32Array
  count: number
}

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
  /** The sorts of characters that words of a name begin with. */
  let heads = new Uint32Array(1 << 12)
  let narrowed: Narrowed | null = null

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
      heads = grown(heads)
    }
    let before = 0
    let begins = 0
    for (let at = 0; at < name.length; at += 1) {
      const code = name.charCodeAt(at)
      const folded = foldCode(code)
      codes[from + at] = folded
      starts[from + at] = at === 0 || beginsWord(before, code) ? 1 : 0
      if (starts[from + at] === 1) begins |= sortBit(folded)
      before = code
    }
    sorts[index] = sortsOf(name)
    heads[index] = begins
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
      narrowed = null
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
      narrowed = null
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
      const head = sortBit(query[0] ?? 0)
      const before = narrowed !== null && goesOn(narrowed.query, query) ? narrowed : null
      const list = before?.list ?? new Uint32Array(names.length)
      const total = before?.count ?? names.length
      let count = 0
      for (let at = 0; at < total; at += 1) {
        const entry = before === null ? at * 2 : (list[at] ?? 0)
        const index = entry >> 1
        if (((sorts[index] ?? 0) & wanted) !== wanted) continue
        const [from, to] = [offsets[index] ?? 0, offsets[index + 1] ?? 0]
        const mayBeWhole = (entry & 1) === 0
        const whole = ((heads[index] ?? 0) & head) === 0 ? piece : pieceAtStart
        // What cannot get among the best any more is not looked at, and stays for the next letter.
        if ((mayBeWhole ? whole : query.length * perLetter) + shortness(to - from) <= best.bar()) {
          list[count] = entry
          count += 1
          continue
        }
        const score = guess(query, mayBeWhole, codes, starts, from, to)
        if (score < 0) continue
        list[count] = index * 2 + (score < piece ? 1 : 0)
        count += 1
        if (score > best.bar()) best.offer(score, hit(index, query))
      }
      narrowed = { query, list, count }
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

/** Whether a query is another one with more behind it. */
const goesOn = (before: Uint16Array, query: Uint16Array): boolean =>
  before.length <= query.length && before.every((code, at) => code === query[at])

/**
 * A quick guess of how well a query fits codes[from, to): -1 not at all; one piece beats scattered letters, at the beginning of a
 * word beats within one, and shorter names come first. `mayBeWhole`: whether it can be there in one piece.
 */
function guess(query: Uint16Array, mayBeWhole: boolean, codes: Uint16Array, starts: Uint8Array, from: number, to: number): number {
  const length = query.length
  const first = query[0]
  let found = -1
  for (let at = mayBeWhole ? from : to; at + length <= to; at += 1) {
    if (codes[at] !== first) continue
    let next = 1
    while (next < length && codes[at + next] === query[next]) next += 1
    if (next < length) continue
    if (starts[at] === 1) return (at === from ? pieceAtStart : pieceAtWord) + shortness(to - from)
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
  return row < length ? -1 : words * perLetter + joins * 8 + shortness(to - from)
}

/** Up to 64 for the shortest names. */
const shortness = (length: number): number => Math.max(0, 64 - length)

function grown<A extends Uint8Array | Uint16Array | Uint32Array>(array: A): A {
  const Same = array.constructor as new (length: number) => A
  const more = new Same(array.length * 2)
  more.set(array)
  return more
}
