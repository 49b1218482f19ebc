import { deletedDays } from '../protocol/limits.ts'
import { dropOldAnswers } from './answers.ts'
import { dropDeletions } from './archive.ts'
import type { Store } from './store.ts'
import { writeIn } from './write.ts'

const deletedMs = deletedDays * 24 * 3_600_000

/** Drops what has had its time at `now`: kept answers, and deleted projects and environments. */
export const clean = async (store: Store, now: number): Promise<void> => {
  await dropOldAnswers(store, now)
  const before = new Date(now - deletedMs).toISOString()
  const old = await store.kysely.selectFrom('deletions').select('workspace_id').distinct().where('deleted_at', '<', before).execute()
  // Among the writes, because a restore must find all of a deletion or nothing.
  for (const { workspace_id } of old)
    await writeIn(store, workspace_id, { at: new Date(now).toISOString(), by: 'service' }, (write) => dropDeletions(write, before))
}
