import { errorCodes } from '../protocol/error-codes.ts'
import { pageBytes } from '../protocol/limits.ts'
import { Refusal } from './refusal.ts'
import type { Soon } from './soon.ts'

/** A page of a list and where the next begins. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** Where a list goes on: after the row with this ordinal. Throws a 400 Refusal for a cursor that no list gave. */
export const parseCursor = (cursor: string | undefined): number => {
  if (cursor === undefined) return 0
  const ordinal = /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (!Number.isSafeInteger(ordinal))
    throw new Refusal(errorCodes.badRequest, 'The cursor is not one that this list gave. Start again without it.')
  return ordinal
}

const firstSlice = 50

/**
 * Reads up to `limit` rows in slices that grow, and ends early once `size` adds up to 16 MiB, so
 * that a page of large values cannot exhaust the process. `read` gives up to `count` rows after `from`
 * in order; `place` is a row's position. At least one row is taken when there is one.
 */
export const readPage = async <Row>(
  from: number,
  limit: number,
  options: { read: (from: number, count: number) => Soon<Row[]>; place: (row: Row) => number; size: (row: Row) => number },
): Promise<{ rows: Row[]; last: number; more: boolean }> => {
  const rows: Row[] = []
  let last = from
  let bytes = 0
  let slice = firstSlice
  for (;;) {
    const wanted = Math.min(slice, limit - rows.length)
    // One more than wanted tells whether anything follows.
    const read = await options.read(last, wanted + 1)
    for (const row of read.slice(0, wanted)) {
      bytes += options.size(row)
      if (rows.length > 0 && bytes > pageBytes) return { rows, last, more: true }
      rows.push(row)
      last = options.place(row)
    }
    if (read.length <= wanted) return { rows, last, more: false }
    if (rows.length >= limit) return { rows, last, more: true }
    slice *= 4
  }
}

/** One page of a list ordered by `ordinal`. */
export const listPage = async <Row extends { ordinal: number }, T>(
  query: { cursor?: string | undefined; limit: number },
  read: (from: number, count: number) => Soon<Row[]>,
  shape: (row: Row) => T,
  size: (row: Row) => number = () => 0,
): Promise<Page<T>> => {
  const page = await readPage(parseCursor(query.cursor), query.limit, { read, place: (row) => row.ordinal, size })
  return { items: page.rows.map(shape), nextCursor: page.more ? String(page.last) : null }
}
