import { sql } from 'kysely'
import type { Compilable, Expression, Kysely } from 'kysely'
import { andThen } from './soon.ts'
import type { Soon } from './soon.ts'
import type { Arg, Db } from './store.ts'
import { prepared } from './store.ts'
import type { Tables } from './tables.ts'

/** Computes the size of the long texts of rows in bytes, without reading them. */
export interface Weigher<Args> {
  /** Of all rows together. */
  sum: (db: Db, args: Args) => Soon<number>
  /** Of each row, in order. */
  each: (db: Db, args: Args) => Soon<number[]>
}

/** The length of a text in bytes; neither database reads a long text to compute it. */
export const bytesOf = (column: string) => sql<number>`octet_length(${sql.ref(column)})`

/** Weighs the rows of a query that gives their `bytes`. */
export const weigher = <Args extends object>(
  sizes: (db: Kysely<Tables>, arg: Arg<Args & { workspace: string }>) => Compilable<{ bytes: number }> & Expression<{ bytes: number }>,
): Weigher<Args> => {
  const selectEach = prepared<Args, { bytes: number }>(sizes)
  const selectSum = prepared<Args, { bytes: number | null }>((db, arg) =>
    db.selectFrom(sql<{ bytes: number }>`(${sizes(db, arg)})`.as('weighed')).select((eb) => eb.fn.sum<number | null>('bytes').as('bytes')),
  )
  return {
    sum: (db, args) => andThen(selectSum(db, args), ([row]) => row?.bytes ?? 0),
    each: (db, args) => andThen(selectEach(db, args), (rows) => rows.map(({ bytes }) => bytes)),
  }
}
