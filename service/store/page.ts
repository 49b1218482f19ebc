import { errorCodes } from '../protocol/error-codes.ts'
import { pageBytes } from '../protocol/limits.ts'
import { Refusal } from './refusal.ts'
import { andThen } from './soon.ts'
import type { Soon } from './soon.ts'
import type { Db } from './store.ts'

/** A page of a list and where the next begins. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** Where a list continues: after the row with this ordinal. Throws a 400 Refusal for an invalid cursor. */
export const parseCursor = (cursor: string | undefined): number => {
  if (cursor === undefined) return 0
  const ordinal = /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (!Number.isSafeInteger(ordinal)) throw new Refusal(errorCodes.badRequest, 'This cursor isn’t from this list. Start again without it.')
  return ordinal
}

/** The size of the long texts of rows in bytes, computed by the database without reading them. */
export interface Weighing<At> {
  /** Of the first `count` rows together. */
  sum: (at: At, count: number) => Soon<number>
  /** Of each of the first `count` rows, in order. */
  each: (at: At, count: number) => Soon<number[]>
}

/** How many rows of these sizes make a page of 4 MiB at most: at least one. */
export const countThatFits = (sizes: readonly number[]): number => {
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size
    if (index > 0 && bytes > pageBytes) return index
  }
  return sizes.length
}

/**
 * How many of the next `limit` rows a page may hold so that its long texts stay within 4 MiB, computed before any of them is read. Waits
 * until there is room for an answer of that size. `isCut`: the page ends early, and others follow.
 */
export const weighPage = <At>(db: Db, at: At, limit: number, weighing: Weighing<At>): Soon<{ count: number; isCut: boolean }> =>
  // One row more than wanted is read, to learn whether another page follows.
  andThen(weighing.sum(at, limit + 1), (bytes) => {
    if (bytes <= pageBytes) return andThen(db.admit?.(bytes), () => ({ count: limit, isCut: false }))
    return andThen(weighing.each(at, limit + 1), (sizes) => {
      const count = Math.min(countThatFits(sizes), limit)
      const cut = sizes.slice(0, count).reduce((sum, size) => sum + size, 0)
      return andThen(db.admit?.(cut), () => ({ count, isCut: count < sizes.length }))
    })
  })

/** Reads up to `limit` rows after `from`; `read` gives up to `count` of them. A page of large values is shorter. */
export const readPage = <Row>(
  db: Db,
  from: number,
  limit: number,
  read: (from: number, count: number) => Soon<Row[]>,
  weighing?: Weighing<number>,
): Soon<{ rows: Row[]; more: boolean }> => {
  const whole = { count: limit, isCut: false }
  return andThen(weighing === undefined ? whole : weighPage(db, from, limit, weighing), ({ count, isCut }) =>
    // The extra row shows whether another page follows.
    andThen(read(from, isCut ? count : count + 1), (rows) => ({ rows: rows.slice(0, count), more: isCut || rows.length > count })),
  )
}

/** One page of a list ordered by `ordinal`. */
export const listPage = <Row extends { ordinal: number }, T>(
  db: Db,
  query: { cursor?: string | undefined; limit: number },
  read: (from: number, count: number) => Soon<Row[]>,
  shape: (row: Row) => T,
  weighing?: Weighing<number>,
): Soon<Page<T>> =>
  andThen(readPage(db, parseCursor(query.cursor), query.limit, read, weighing), ({ rows, more }) => {
    const last = rows.at(-1)
    return { items: rows.map(shape), nextCursor: more && last !== undefined ? String(last.ordinal) : null }
  })
