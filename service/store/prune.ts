import { dropDeletions } from './archive.ts'
import { withoutTimeout } from './without-timeout.ts'
import type { Write } from './write.ts'

export interface Pruned {
  /** Tombstones removed from the change feed. */
  tombstones: number
  /** Deleted projects and environments that cannot be restored any more. */
  deletions: number
  /** Entries removed from the audit list. */
  audit: number
}

/**
 * Removes tombstones, deleted projects and environments, and audit entries from before `before` (ISO 8601). Records, versions and values
 * remain. Tombstones are removed from the old end of the feed up to the first younger one, and the clock records how far: a follower
 * further behind gets 410, because it can no longer learn what was deleted.
 */
export const prune = async (write: Write, before: string): Promise<Pruned> => {
  const { kysely } = withoutTimeout(write)
  const younger = await kysely
    .selectFrom('tombstones')
    .select((eb) => eb.fn.min<number | null>('seq').as('seq'))
    .where('workspace_id', '=', write.workspaceId)
    .where('at', '>=', before)
    .executeTakeFirstOrThrow()
  let old = kysely.selectFrom('tombstones').where('workspace_id', '=', write.workspaceId)
  if (younger.seq !== null) old = old.where('seq', '<', younger.seq)
  const { last, count } = await old
    .select((eb) => [eb.fn.max<number | null>('seq').as('last'), eb.fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  if (last !== null) {
    await kysely.deleteFrom('tombstones').where('workspace_id', '=', write.workspaceId).where('seq', '<=', last).execute()
    await kysely.updateTable('clock').set({ pruned_to: last }).where('workspace_id', '=', write.workspaceId).execute()
  }
  // Deletions go with their tombstones: without one, a new record could take the id.
  const deletions = await dropDeletions(write, before)
  const entries = await kysely.deleteFrom('audit').where('workspace_id', '=', write.workspaceId).where('at', '<', before).executeTakeFirst()
  return { tombstones: count, deletions, audit: Number(entries.numDeletedRows) }
}
