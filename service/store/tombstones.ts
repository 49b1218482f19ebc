import { sql } from 'kysely'
import type { Db } from './store.ts'
import type { Write } from './write.ts'

export type Resource = 'workspace' | 'project' | 'environment' | 'variable' | 'version' | 'member'

const rowsAtOnce = 500

/** Leaves a tombstone in the change feed for each of these records. */
export const bury = async (write: Write, resource: Resource, ids: readonly string[]): Promise<void> => {
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const rows = ids.slice(start, start + rowsAtOnce).map((id) => ({ seq: write.nextSeq(), resource, id, at: write.at }))
    await write.kysely.insertInto('tombstones').values(rows).execute()
  }
}

/** Leaves a tombstone for every variable (or version) of one environment, without reading them here. */
export const buryAllIn = async (write: Write, table: 'variables' | 'versions', environmentId: string): Promise<number> => {
  const resource: Resource = table === 'variables' ? 'variable' : 'version'
  const counted = await write.kysely
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow()
  const { count } = counted
  if (count === 0) return 0
  const before = write.reserveSeqs(count)
  await write.kysely
    .insertInto('tombstones')
    .columns(['seq', 'resource', 'id', 'at'])
    .expression((eb) =>
      eb
        .selectFrom(table)
        .select([
          sql<number>`cast(${before} as bigint) + row_number() over (order by ordinal)`.as('seq'),
          sql<string>`cast(${resource} as text)`.as('resource'),
          'id',
          sql<string>`cast(${write.at} as text)`.as('at'),
        ])
        .where('environment_id', '=', environmentId),
    )
    .execute()
  return count
}

/** Which of these ids are of records of this kind that were deleted. */
export const deletedAmong = async (db: Db, resource: Resource, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.kysely.selectFrom('tombstones').select('id').where('id', 'in', ids).where('resource', '=', resource).execute()
  return new Set(rows.map(({ id }) => id))
}
