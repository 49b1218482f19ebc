import { deletedDays } from '../protocol/limits.ts'
import { dropOldAnswers, withOldAnswers } from './answers.ts'
import { dropDeletions } from './archive.ts'
import type { Store } from './store.ts'
import type { Write } from './write.ts'
import { moveTrimClock } from './trim-clock.ts'
import { writeIn } from './write.ts'

const deletedMs = deletedDays * 24 * 3_600_000

/** Removes the kept answers and the deleted projects and environments that have expired at `now`, the latter by the clock of the trims. */
export const clean = async (store: Store, now: number): Promise<void> => {
  // Runs as a write, because a restore must find all of a deletion or nothing, and usage is counted.
  const inEach = async (workspaces: readonly string[], work: (write: Write) => Promise<unknown>): Promise<void> => {
    for (const id of workspaces) await writeIn(store, id, { at: new Date(now).toISOString(), by: 'service' }, work)
  }
  await inEach(await withOldAnswers(store, now), (write) => dropOldAnswers(write, now))
  const before = new Date((await moveTrimClock(store, now)) - deletedMs).toISOString()
  const old = await store.kysely.selectFrom('deletions').select('workspace_id').distinct().where('deleted_at', '<', before).execute()
  await inEach(
    old.map(({ workspace_id }) => workspace_id),
    (write) => dropDeletions(write, before),
  )
}
