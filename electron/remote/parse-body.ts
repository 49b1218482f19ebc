import { setImmediate as nextTurn } from 'node:timers/promises'

/** Deepest nesting of an answer; the specification's have six levels. */
const deepest = 32
/**
 * The most values of one record, and of everything outside the records. Usually both have a few dozen. An empty list takes two bytes in the
 * body and fifty in memory.
 */
const valuesOfOne = 10_000
/** Values of all records. */
const valuesOfAll = 5_000_000
/** Records of one answer: far above the largest page. */
const mostRecords = 500_000
/**
 * Bytes of one text: the longest sealed value of our service, 1 MiB, and room for escaped slashes. To write a longer one could hold the
 * application for more than 50 ms.
 */
export const longestText = 1.25 * 1024 * 1024
/** How many bytes to scan or parse before other work gets its turn: this takes some milliseconds. */
const sliceBytes = 256 * 1024
/** The fixed cost of parsing one record, in bytes of parsing: half a million records of ten bytes are more work than five megabytes. */
const recordCost = 64
/** A body below this size is parsed in one go. */
const smallBytes = 1024 * 1024
/** The most bytes of one record, and of everything outside the records: each is parsed in one go, and no other work can run meanwhile. */
const mostAtOnce = longestText + smallBytes

const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Where the records of a list begin and end in a body, or why it is not parsed. */
interface Records {
  /** The brackets around them. */
  from: number
  to: number
  /** The byte after each record but the last: its comma. */
  commas: number[]
  /** The number of members, items and brackets inside. */
  values: number
}

/**
 * Parses the JSON of a body. Returns undefined if it is not UTF-8, not JSON, or has far more levels or values than an answer of a service
 * has. The body is scanned for that before it is parsed, because parsing 60 MB of brackets takes seconds and gigabytes. A long list is
 * parsed record by record, and other work gets its turn in between.
 */
export async function parseBody(bytes: Uint8Array): Promise<unknown> {
  const scanned = await scan(bytes)
  if (scanned === null) return undefined
  try {
    if (bytes.length <= smallBytes || scanned.commas.length === 0) return JSON.parse(textOf(bytes))
    return await parseRecords(bytes, scanned)
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })
const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

async function parseRecords(bytes: Uint8Array, { from, to, commas }: Records): Promise<unknown> {
  // The list is parsed separately. A random mark, which no answer contains by chance, takes its place.
  const mark = crypto.randomUUID()
  const skeleton = `${textOf(bytes.subarray(0, from))}["${mark}"]${textOf(bytes.subarray(to + 1))}`
  const records: unknown[] = []
  let begin = from + 1
  let parsedSince = 0
  for (const end of [...commas, to]) {
    records.push(JSON.parse(textOf(bytes.subarray(begin, end))))
    parsedSince += end - begin + recordCost
    begin = end + 1
    if (parsedSince < sliceBytes) continue
    parsedSince = 0
    await nextTurn()
  }
  return JSON.parse(skeleton, (_key, value: unknown) => (Array.isArray(value) && value[0] === mark ? records : value))
}

/** Scans a body without parsing it. Null: it must not be parsed. */
async function scan(bytes: Uint8Array): Promise<Records | null> {
  const body = new BodyScan()
  let restAt = sliceBytes
  for (let at = 0; at < bytes.length; at++) {
    if (at >= restAt) {
      restAt = at + sliceBytes
      await nextTurn()
    }
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfString(bytes, at)
      if (at < 0) return null
    } else if (byte === openArray || byte === openObject) {
      if (!body.opens(at, byte)) return null
    } else if (byte === closeArray || byte === closeObject) {
      if (!body.closes(at)) return null
    } else if (byte === comma && !body.separates(at)) return null
  }
  return body.ends(bytes.length)
}

/** Counts the values of a body, and finds its longest list of records. Each function returns false for a body that must not be parsed. */
class BodyScan {
  #depth = 0
  /** The number of values of the current record; outside of lists, of everything that is parsed in one go. */
  #values = 0
  #outside = 0
  #list: Records | null = null
  #longest: Records = { from: 0, to: 0, commas: [], values: 0 }
  #listDepth = 0
  /** Where the current record begins. */
  #recordAt = 0

  opens(at: number, byte: number): boolean {
    this.#depth += 1
    this.#values += 1
    if (this.#depth > deepest || this.#values > valuesOfOne) return false
    // `data` is the list, or has it as `items`.
    if (byte === openArray && this.#list === null && this.#depth <= 3) {
      this.#list = { from: at, to: at, commas: [], values: 0 }
      this.#listDepth = this.#depth
      this.#recordAt = at
      this.#outside = this.#values
      this.#values = 0
    }
    return true
  }

  closes(at: number): boolean {
    if (this.#list !== null && this.#depth === this.#listDepth) {
      if (at - this.#recordAt > mostAtOnce) return false
      this.#list.to = at
      this.#list.values += this.#values
      // Only one list is parsed record by record.
      const isLonger = this.#list.commas.length > this.#longest.commas.length
      const [longer, shorter] = isLonger ? [this.#list, this.#longest] : [this.#longest, this.#list]
      this.#longest = longer
      this.#list = null
      this.#values = this.#outside + shorter.values
      if (this.#values > valuesOfOne) return false
    }
    this.#depth -= 1
    return true
  }

  /** A comma. */
  separates(at: number): boolean {
    this.#values += 1
    if (this.#list === null || this.#depth !== this.#listDepth) return this.#values <= valuesOfOne
    this.#list.commas.push(at)
    this.#list.values += this.#values
    this.#values = 0
    const isWithinLimit = at - this.#recordAt <= mostAtOnce
    this.#recordAt = at
    return isWithinLimit && this.#list.commas.length <= mostRecords && this.#list.values <= valuesOfAll
  }

  /** Returns the longest list; null: the body must not be parsed. */
  ends(length: number): Records | null {
    // A list without an end would be parsed at once.
    if (this.#depth !== 0) return null
    const beside = length - (this.#longest.commas.length === 0 ? 0 : this.#longest.to - this.#longest.from)
    return beside > mostAtOnce ? null : this.#longest
  }
}

/** Returns where the string that begins at `start` ends; -1 if it does not end, or is longer than any value. */
function endOfString(bytes: Uint8Array, start: number): number {
  const last = Math.min(bytes.length, start + longestText)
  for (let at = start + 1; at < last; at++) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === backslash) at += 1
  }
  return -1
}
