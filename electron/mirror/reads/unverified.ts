import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'

/** What the index of Unverified values is made for, word for word. */
const isUnverified = sql<boolean>`sealed >= 'u1:' AND sealed < 'u1;'`

/** How many values are Unverified. */
export async function unverifiedCount({ read }: Mirror): Promise<number> {
  const { n } = await read
    .selectFrom('working')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(isUnverified)
    .executeTakeFirstOrThrow()
  return n
}

/** Their local ids, by environment and name: so many at most. */
export async function unverifiedIds({ read }: Mirror, limit: number): Promise<string[]> {
  const rows = await read.selectFrom('working').select('id').where(isUnverified).orderBy('parent_id').orderBy('name').limit(limit).execute()
  return rows.map(({ id }) => id)
}
