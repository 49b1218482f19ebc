import { sql } from 'kysely'
import type { Store } from './store.ts'

/**
 * How far a start moves the commit order if the clock of the computer is behind it: more than the commits of any run, and so little that
 * numbers stay exact for millions of starts.
 */
export const leastGap = 1_000_000_000

/**
 * Begins a run of the service: leaves a gap in the commit order of every workspace, up to a position that no run before has reached
 * (microseconds since 1970). If an older database was put back by hand, what was undone is inside the gap, and no cursor or ETag of it is
 * taken for one of this history.
 */
export const beginRun = async (store: Store, now: number): Promise<void> => {
  const earliest = sql<number>`cast(${now * 1000} as bigint)`
  const begin = sql<number>`case when seq < ${earliest} then ${earliest} else seq + ${leastGap} end`
  await store.kysely.transaction().execute(async (trx) => {
    // First, because it waits for the writes of other processes.
    await sql`update clock set gap_after = seq, gap_before = ${begin}, seq = ${begin}`.execute(trx)
    await sql`insert into gaps (workspace_id, gap_after, gap_before) select workspace_id, gap_after, gap_before from clock`.execute(trx)
  })
}
