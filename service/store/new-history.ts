import { sql } from 'kysely'
import { leastGap } from './begin-run.ts'
import type { Runner } from './store.ts'

/**
 * Begins a new history of every workspace after older data were put back: a new epoch of its own, so that followers of the feed start
 * again, and a position in the commit order that no earlier history can have reached (microseconds since 1970), so that no ETag of what was
 * undone will ever match again. `undone` is the last commit of the data that were replaced, where it is known: a clock that is behind doesn't
 * tell.
 */
export const startNewHistory = async (
  { kysely }: Pick<Runner, 'kysely'>,
  now: number,
  randomBytes: (length: number) => Uint8Array,
  undone = 0,
): Promise<void> => {
  const earliest = sql`cast(${Math.max(now * 1000, undone + 1)} as bigint)`
  for (const { workspace_id } of await kysely.selectFrom('clock').select('workspace_id').execute()) {
    const epoch = Buffer.from(randomBytes(8)).toString('hex')
    await sql`
      update clock set epoch = ${epoch}, seq = case when seq < ${earliest} then ${earliest} else seq + ${leastGap} end where workspace_id = ${workspace_id}
    `.execute(kysely)
  }
}
