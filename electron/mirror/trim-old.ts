import { build, type Tx } from './tx.ts'

/**
 * Deletes the rows of a table that were written more than `keptMs` before `now`, the time of the trims. A row with a date after `now`, from a
 * time when the clock was ahead, goes with the first row that was written after it.
 */
export function trimOld(tx: Tx, table: 'past' | 'history' | 'deleted', now: number, keptMs: number): void {
  const isOld = build
    .selectFrom(table)
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('at', '<', now - keptMs)
  tx.run(
    build.deleteFrom(table).where(({ eb, or, and }) => or([eb('at', '<', now - keptMs), and([eb('at', '>', now), eb('seq', '<', isOld)])])),
  )
}
