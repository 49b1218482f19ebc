import { keepDeleted } from './deleted-layer.ts'
import { keepDeletedValues } from './history-layer.ts'
import { reusable, textsIn } from './reusable.ts'
import { build, type Tx } from './tx.ts'

const inEnvironment = reusable(({ environmentId, limit }: { environmentId: string; limit: number }) =>
  build
    .selectFrom('base')
    .select('id')
    .where('kind', '=', 'variable')
    .where('parent_id', '=', environmentId)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('queue').select('seq').whereRef('queue.row_id', '=', 'base.id'))))
    .limit(limit),
)
const removals = [
  reusable(({ ids }: { ids: string }) => build.deleteFrom('base').where('id', 'in', textsIn(ids))),
  reusable(({ ids }: { ids: string }) => build.deleteFrom('working').where('id', 'in', textsIn(ids))),
  reusable(({ ids }: { ids: string }) => build.deleteFrom('past').where('row_id', 'in', textsIn(ids))),
]

/**
 * Removes up to `limit` variables without unsent changes from an environment that the user has deleted on the service. Keeps them, like
 * every deleted variable. Returns how many it removed.
 */
export function removeUnedited(tx: Tx, environmentId: string, limit: number, at: number): number {
  const found = tx.all(inEnvironment({ environmentId, limit })).map(({ id }) => id)
  if (found.length === 0) return 0
  const ids = JSON.stringify(found)
  keepDeletedValues(tx, ids, at)
  keepDeleted(tx, found, { whose: 'mine', by: null }, at)
  for (const removal of removals) tx.run(removal({ ids }))
  return found.length
}
