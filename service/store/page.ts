import type { Kysely, Selectable } from 'kysely'
import { errorCodes } from '../protocol/error-codes.ts'
import { pageBytes } from '../protocol/limits.ts'
import { Refusal } from './refusal.ts'
import { andThen } from './soon.ts'
import type { Soon } from './soon.ts'
import { countOf, prepared, type Arg, type Db } from './store.ts'
import type { Tables } from './tables.ts'
import { bytesOf, weigher } from './weigh.ts'

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

/** The most bytes that a record has in an answer besides its long texts: names of 255 characters, an address, ids, times. */
const recordBytes = 1536

/** The room for an answer with so many bytes of long texts in `count` records. */
export const roomFor = (bytes: number, count: number): number => bytes + count * recordBytes

/**
 * How many of the next `limit` rows a page may hold so that its long texts stay within 4 MiB, computed before any of them is read. Waits
 * until there is room for an answer of that size. `isCut`: the page ends early, and others follow.
 */
export const weighPage = <At>(db: Db, at: At, limit: number, weighing: Weighing<At>): Soon<{ count: number; isCut: boolean }> =>
  // One row more than wanted is read, to learn whether another page follows.
  andThen(weighing.sum(at, limit + 1), (bytes) => {
    if (bytes <= pageBytes) return andThen(db.admit?.(roomFor(bytes, limit)), () => ({ count: limit, isCut: false }))
    return andThen(weighing.each(at, limit + 1), (sizes) => {
      const count = Math.min(countThatFits(sizes), limit)
      const cut = sizes.slice(0, count).reduce((sum, size) => sum + size, 0)
      return andThen(db.admit?.(roomFor(cut, count)), () => ({ count, isCut: count < sizes.length }))
    })
  })

/**
 * Reads up to `limit` rows after `from`; `read` gives up to `count` of them. A page of large values is shorter. Without a `weighing` it
 * makes no room for the answer.
 */
export const readPage = <Row, At>(
  db: Db,
  from: At,
  limit: number,
  read: (from: At, count: number) => Soon<Row[]>,
  weighing?: Weighing<At>,
): Soon<{ rows: Row[]; more: boolean }> => {
  const whole = { count: limit, isCut: false }
  return andThen(weighing === undefined ? whole : weighPage(db, from, limit, weighing), ({ count, isCut }) =>
    // The extra row shows whether another page follows.
    andThen(read(from, isCut ? count : count + 1), (rows) => ({ rows: rows.slice(0, count), more: isCut || rows.length > count })),
  )
}

/** A page of a list: `cursor` is where it continues, `limit` how many rows it may have. */
export interface PageQuery {
  cursor?: string | undefined
  limit: number
}

const noLongTexts: Weighing<number> = { sum: () => 0, each: () => [] }

type Listed = 'projects' | 'environments' | 'variables' | 'versions' | 'members'

/**
 * A function that lists a table by `ordinal`, page by page. `under`: the column of the parent whose rows are listed; without it all of the
 * workspace are. `weighed`: the column of long texts, of which a page has 4 MiB at most. Throws a 400 Refusal for an invalid cursor.
 */
export const lister = <T extends Listed, Item>(
  table: T,
  shape: (row: Selectable<Tables[T]>) => Item,
  { under, weighed }: { under?: 'project_id' | 'environment_id'; weighed?: 'value' | 'note' } = {},
): ((db: Db, query: PageQuery, parentId?: string) => Soon<Page<Item>>) => {
  type Args = { parent: string; from: number; count: number }
  // Kysely types the columns of one table, not of one of several.
  const rowsOf = (db: Kysely<Tables>, arg: Arg<Args & { workspace: string }>) => {
    const all = db.selectFrom(table as 'variables').where('workspace_id', '=', arg('workspace'))
    const listed = under === undefined ? all : all.where(under as 'environment_id', '=', arg('parent'))
    return listed
      .where('ordinal', '>', arg('from'))
      .orderBy('ordinal')
      .limit(countOf(arg('count')))
  }
  const select = prepared<Args, Selectable<Tables[T]> & { ordinal: number }>((db, arg) => rowsOf(db, arg).selectAll())
  const sizes = weighed && weigher<Args>((db, arg) => rowsOf(db, arg).select(bytesOf(weighed).as('bytes')))
  return (db, query, parent = '') => {
    const weighing: Weighing<number> =
      sizes === undefined
        ? noLongTexts
        : {
            sum: (from, count) => sizes.sum(db, { parent, from, count }),
            each: (from, count) => sizes.each(db, { parent, from, count }),
          }
    const read = (from: number, count: number) => select(db, { parent, from, count })
    return andThen(readPage(db, parseCursor(query.cursor), query.limit, read, weighing), ({ rows, more }) => {
      const last = rows.at(-1)
      return { items: rows.map(shape), nextCursor: more && last !== undefined ? String(last.ordinal) : null }
    })
  }
}
