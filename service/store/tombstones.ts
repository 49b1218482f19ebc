import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from './store.ts'
import type { Write } from './write.ts'

export type Resource = 'workspace' | 'project' | 'environment' | 'variable' | 'version' | 'member'

const rowsAtOnce = 500

/** Leaves a tombstone in the change feed for each of these records. */
export const bury = async (write: Write, resource: Resource, ids: readonly string[]): Promise<void> => {
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const rows = ids
      .slice(start, start + rowsAtOnce)
      .map((id) => ({ workspace_id: write.workspaceId, seq: write.nextSeq(), resource, id, at: write.at }))
    await write.kysely.insertInto('tombstones').values(rows).execute()
  }
}

/** Leaves a tombstone for each of the `count` records that this deletion moved to an archive, without reading them here. */
export const buryArchived = async (
  write: Write,
  resource: Resource,
  archive: RawBuilder<unknown>,
  deletionId: string,
  count: number,
): Promise<void> => {
  if (count === 0) return
  const before = write.reserveSeqs(count)
  await sql`
    insert into tombstones (workspace_id, seq, resource, id, at)
    select workspace_id, cast(${before} as bigint) + row_number() over (order by ordinal), cast(${resource} as text), id, cast(${write.at} as text)
    from ${archive} where workspace_id = ${write.workspaceId} and deletion_id = ${deletionId}
  `.execute(write.kysely)
}

/** Removes the tombstones of records restored from the archive: the feed shows each record once. */
export const unbury = async (write: Write, resource: Resource, archive: RawBuilder<unknown>, deletionId: string): Promise<void> => {
  const restored = sql`select id from ${archive} where workspace_id = ${write.workspaceId} and deletion_id = ${deletionId}`
  await sql`delete from tombstones where workspace_id = ${write.workspaceId} and resource = ${resource} and id in (${restored})`.execute(
    write.kysely,
  )
}

/** Which of these ids belong to deleted records of this kind. */
export const deletedAmong = async (db: Db, resource: Resource, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.kysely
    .selectFrom('tombstones')
    .select('id')
    .where('workspace_id', '=', db.workspaceId)
    .where('id', 'in', ids)
    .where('resource', '=', resource)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
