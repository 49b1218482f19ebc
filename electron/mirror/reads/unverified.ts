import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'

/** The condition of the partial indexes on Unverified values. SQLite uses an index only for the same text. */
export const isUnverified = sql<boolean>`sealed >= 'u1:' AND sealed < 'u1;'`

export async function unverifiedCount({ read }: Mirror): Promise<number> {
  const { n } = await read
    .selectFrom('working')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(isUnverified)
    .executeTakeFirstOrThrow()
  return n
}

/** Returns the local ids of up to `limit` variables with Unverified values, by environment and name. */
export async function unverifiedIds({ read }: Mirror, limit: number): Promise<string[]> {
  const rows = await read
    .selectFrom('working')
    .select('id')
    .where(isUnverified)
    .orderBy('parent_id')
    .orderBy('name_key')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
