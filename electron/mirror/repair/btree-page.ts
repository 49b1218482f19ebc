import type { Pages } from './read-pages.ts'
import { decodeRecord, varint, type Value } from './record.ts'

export interface StoredRow {
  rowid: number
  values: Value[]
}

/** The content of one page of a tree. `broken` counts unreadable entries. */
export type TreePage =
  | { kind: 'rows'; rows: StoredRow[]; broken: number }
  | { kind: 'entries'; entries: Value[][]; children: number[]; broken: number }
  | { kind: 'branch'; children: number[]; broken: number }

const indexBranch = 2
const tableBranch = 5
const indexLeaf = 10
const tableLeaf = 13

/** Reads one page entry by entry, so that a damaged entry doesn't affect the others. Null: it isn't a page of a tree. */
export function treePage(pages: Pages, number: number): TreePage | null {
  const page = pages.page(number)
  if (page === null) return null
  // The first page begins with the header of the file.
  const start = number === 1 ? 100 : 0
  const type = page[start]
  if (type !== indexBranch && type !== tableBranch && type !== indexLeaf && type !== tableLeaf) return null
  const isBranch = type === indexBranch || type === tableBranch
  const count = page.readUInt16BE(start + 3)
  const first = start + (isBranch ? 12 : 8)
  if (first + count * 2 > pages.pageSize) return null
  const cells = Array.from({ length: count }, (_, n) => page.readUInt16BE(first + n * 2))
  const children = isBranch ? [page.readUInt32BE(start + 8)] : []
  let broken = 0
  const each = <T>(read: (at: number) => T | null): T[] =>
    cells.flatMap((at) => {
      const found = at >= first + count * 2 && at < pages.pageSize ? read(at) : null
      if (found === null) broken += 1
      return found === null ? [] : [found]
    })
  if (type === tableLeaf) {
    const rows = each((at) => rowAt(pages, page, at))
    return { kind: 'rows', rows, broken }
  }
  if (isBranch) children.unshift(...each((at) => (at + 4 <= pages.pageSize ? page.readUInt32BE(at) : null)))
  if (type === tableBranch) return { kind: 'branch', children, broken }
  const entries = each((at) => entryAt(pages, page, isBranch ? at + 4 : at))
  return { kind: 'entries', entries, children, broken }
}

function rowAt(pages: Pages, page: Buffer, at: number): StoredRow | null {
  const size = varint(page, at)
  const rowid = size && varint(page, size.end)
  if (size === null || rowid === null) return null
  const payload = payloadAt(pages, page, rowid.end, size.value, pages.pageSize - 35)
  const values = payload && decodeRecord(payload)
  return values === null ? null : { rowid: rowid.value, values }
}

function entryAt(pages: Pages, page: Buffer, at: number): Value[] | null {
  const size = varint(page, at)
  if (size === null) return null
  const payload = payloadAt(pages, page, size.end, size.value, Math.floor(((pages.pageSize - 12) * 64) / 255) - 23)
  return payload && decodeRecord(payload)
}

/** Returns the bytes of an entry, including those on overflow pages. `most`: how many may be on the page itself. */
function payloadAt(pages: Pages, page: Buffer, at: number, size: number, most: number): Buffer | null {
  if (size < 0 || size > pages.numbers.length * pages.pageSize) return null
  const least = Math.floor(((pages.pageSize - 12) * 32) / 255) - 23
  const fitting = least + ((size - least) % (pages.pageSize - 4))
  const here = size <= most ? size : fitting <= most ? fitting : least
  if (at + here > pages.pageSize) return null
  const parts = [page.subarray(at, at + here)]
  let left = size - here
  if (left > 0 && at + here + 4 > pages.pageSize) return null
  let next = left > 0 ? page.readUInt32BE(at + here) : 0
  while (left > 0) {
    const over = pages.page(next)
    if (over === null) return null
    const taken = Math.min(left, pages.pageSize - 4)
    parts.push(over.subarray(4, 4 + taken))
    left -= taken
    next = over.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

/** The reachable part of one tree. */
interface Walked {
  /** Pages with rows. */
  leaves: number[]
  /** Entries of an index. */
  entries: Value[][]
  /** Whether every page and every entry of it could be read. */
  whole: boolean
}

/** Follows a tree from its root. Skips pages that are unreadable or form a circle; the tree then isn't whole. */
export function walkTree(pages: Pages, root: number): Walked {
  const walked: Walked = { leaves: [], entries: [], whole: true }
  const seen = new Set<number>()
  const open = [root]
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const page = seen.has(number) ? null : treePage(pages, number)
    seen.add(number)
    if (page === null || page.broken > 0) walked.whole = false
    if (page?.kind === 'rows') walked.leaves.push(number)
    if (page?.kind === 'entries') for (const entry of page.entries) walked.entries.push(entry)
    if (page?.kind === 'entries' || page?.kind === 'branch') open.push(...page.children)
  }
  return walked
}
