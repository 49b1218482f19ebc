import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Db } from './store.ts'

/**
 * Begins a new history after older data were put back: a new epoch, so that followers of the feed start again, and a place in the commit
 * order that no earlier history can have reached (microseconds since 1970), so that no ETag of what was undone will ever match again.
 */
export const startNewHistory = async (db: Pick<Db, 'kysely'>, now: number, randomBytes: (length: number) => Uint8Array): Promise<void> => {
  const kysely = db.kysely as unknown as Kysely<never>
  const epoch = Buffer.from(randomBytes(8)).toString('hex')
  const { rows } = await sql<{ seq: number }>`select seq from clock`.execute(kysely)
  const seq = Math.max((rows[0]?.seq ?? 0) + 1, now * 1000)
  await sql`update clock set seq = ${seq}, epoch = ${epoch}`.execute(kysely)
}
