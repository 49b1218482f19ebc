import { align, type Alignment } from '../../match/align.ts'
import type { BestOf } from './best-of.ts'
import { foldCode, sortBit } from '../../match/fold.ts'
import { foldInto } from '../../match/match-text.ts'

/** Names packed for search, each once, with the rows that have the name. */
export interface NameIndex<Bearer> {
  add(name: string, bearer: Bearer): void
  /** Removes rows from a name; a name without rows is no longer found. */
  remove(name: string, isGone: (bearer: Bearer) => boolean): void
  /** Offers every name that contains the query's characters in order, with an estimated score. */
  scan(query: Uint16Array, best: Pick<BestOf<Hit<Bearer>>, 'bar' | 'offer'>): void
}

export interface Hit<Bearer> {
  name: string
  bearers: readonly Bearer[]
  /** The exact match and its score. */
  align(): Alignment | null
}

/** Estimated scores: a match in one piece ranks above scattered letters. `align` then scores the best estimates exactly. */
const piece = 1000
const pieceAtWord = 2000
const pieceAtStart = 2100
/** The most that one letter adds to the estimate of a scattered match. */
const perLetter = 12

/** The names that may match a query. A query that extends it searches only these. */
interface Narrowed {
  query: Uint16Array
  /** For each name, twice its index, plus one if it doesn't contain the query in one piece. Only the first `count` are valid. */
  list: Uint32Array
  count: number
}

interface Named<Bearer> {
  name: string
  bearers: Bearer[]
}

/** Creates an empty index. Names are compared as `foldCode` folds them. */
export function createNameIndex<Bearer>(): NameIndex<Bearer> {
  const packed = new PackedNames()
  const named: Named<Bearer>[] = []
  const known = new Map<string, number>()
  let narrowed: Narrowed | null = null

  const hit = ({ name, bearers }: Named<Bearer>, index: number, query: Uint16Array): Hit<Bearer> => ({
    name,
    bearers,
    align: () => packed.align(index, query),
  })

  return {
    add(name, bearer) {
      narrowed = null
      const index = known.get(name)
      if (index === undefined) {
        known.set(name, named.length)
        named.push({ name, bearers: [bearer] })
        packed.add(name)
      } else {
        named[index]?.bearers.push(bearer)
        packed.show(index, name)
      }
    },
    remove(name, isGone) {
      narrowed = null
      const index = known.get(name)
      const one = index === undefined ? undefined : named[index]
      if (index === undefined || one === undefined) return
      one.bearers = one.bearers.filter((bearer) => !isGone(bearer))
      if (one.bearers.length === 0) packed.hide(index)
    },
    scan(query, best) {
      const before = narrowed !== null && goesOn(narrowed.query, query) ? narrowed : null
      narrowed = packed.scan(query, before, best.bar, (score, index) => {
        const one = named[index]
        if (one !== undefined) best.offer(score, hit(one, index, query))
      })
    },
  }
}

/**
 * All names one after the other, name n from offsets[n] to offsets[n + 1]. In flat arrays, because a scan reads a few megabytes at each key
 * press.
 */
class PackedNames {
  #count = 0
  #codes = new Uint16Array(1 << 16)
  #starts = new Uint8Array(1 << 16)
  #offsets = new Uint32Array(1 << 12)
  #sorts = new Uint32Array(1 << 12)
  /** The kinds of characters that the words of a name begin with. */
  #heads = new Uint32Array(1 << 12)

  add(name: string): void {
    const index = this.#count
    const from = this.#offsets[index] ?? 0
    while (this.#codes.length < from + name.length) {
      this.#codes = grown(this.#codes)
      this.#starts = grown(this.#starts)
    }
    if (this.#offsets.length < index + 2) {
      this.#offsets = grown(this.#offsets)
      this.#sorts = grown(this.#sorts)
      this.#heads = grown(this.#heads)
    }
    this.#heads[index] = foldInto(name, this.#codes, this.#starts, from)
    this.#offsets[index + 1] = from + name.length
    this.#count += 1
    this.show(index, name)
  }

  show(index: number, name: string): void {
    this.#sorts[index] = sortsOf(name)
  }

  /** A name without any kind of character matches no query. */
  hide(index: number): void {
    this.#sorts[index] = 0
  }

  align(index: number, query: Uint16Array): Alignment | null {
    const [from, to] = [this.#offsets[index] ?? 0, this.#offsets[index + 1] ?? 0]
    return align(query, this.#codes.subarray(from, to), this.#starts.subarray(from, to))
  }

  /**
   * Offers the matches that exceed the bar, among all names, or among those that an earlier query left. Returns the names that may match
   * this query.
   */
  scan(query: Uint16Array, before: Narrowed | null, bar: () => number, offer: (score: number, index: number) => void): Narrowed {
    const [codes, starts, offsets, sorts, heads] = [this.#codes, this.#starts, this.#offsets, this.#sorts, this.#heads]
    let wanted = 0
    for (const code of query) wanted |= sortBit(code)
    const head = sortBit(query[0] ?? 0)
    const list = before?.list ?? new Uint32Array(this.#count)
    const total = before?.count ?? this.#count
    let count = 0
    for (let at = 0; at < total; at += 1) {
      const entry = before === null ? at * 2 : (list[at] ?? 0)
      const index = entry >> 1
      if (((sorts[index] ?? 0) & wanted) !== wanted) continue
      const [from, to] = [offsets[index] ?? 0, offsets[index + 1] ?? 0]
      const mayBeWhole = (entry & 1) === 0
      const whole = ((heads[index] ?? 0) & head) === 0 ? piece : pieceAtStart
      // A name that can't exceed the bar is kept for the next letter without looking at it.
      if ((mayBeWhole ? whole : query.length * perLetter) + shortness(to - from) <= bar()) {
        list[count] = entry
        count += 1
        continue
      }
      const score = guess(query, mayBeWhole, codes, starts, from, to)
      if (score < 0) continue
      list[count] = index * 2 + (score < piece ? 1 : 0)
      count += 1
      if (score > bar()) offer(score, index)
    }
    return { query, list, count }
  }
}

/** Returns the kinds of characters in a name, as bits. */
function sortsOf(name: string): number {
  let sorts = 0
  for (let at = 0; at < name.length; at += 1) sorts |= sortBit(foldCode(name.charCodeAt(at)))
  return sorts
}

/** Whether a query begins with the earlier one. */
const goesOn = (before: Uint16Array, query: Uint16Array): boolean =>
  before.length <= query.length && before.every((code, at) => code === query[at])

/**
 * Estimates how well a query matches codes[from, to); -1: not at all. One piece beats scattered letters, the beginning of a word beats its
 * middle, and shorter names come first. `mayBeWhole`: whether it can match in one piece.
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
  // Scattered letters: each as early as possible.
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
