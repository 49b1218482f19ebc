import type { Kysely } from 'kysely'
import type { Db, Store } from './store.ts'
import { prepared } from './store.ts'
import type { Tables } from './tables.ts'

/** One write: a transaction that holds the clock, so that writes come one after another in commit order. */
export interface Write extends Db {
  /** When this write happens, ISO 8601. */
  readonly at: string
  /** Who writes: the member's e-mail. */
  readonly by: string
  /** The next place in the commit order. Each changed record takes its own. */
  nextSeq(): number
  /** Takes `count` places at once and gives the place before the first of them. */
  reserveSeqs(count: number): number
}

// Taking the first place locks the clock as well. A write that changes no record leaves a gap, which nobody minds.
const takePlace = prepared<object, { seq: number }>((db) =>
  db
    .updateTable('clock')
    .set((eb) => ({ seq: eb('seq', '+', 1) }))
    .where('id', '=', 1)
    .returning('seq'),
)
const moveClock = prepared<{ seq: number }, unknown>((db, arg) =>
  db
    .updateTable('clock')
    .set({ seq: arg('seq') })
    .where('id', '=', 1),
)

/** The connection broke while a write was being committed: it may stand or not. */
export class UnknownOutcomeError extends Error {}

/**
 * Runs `work` in one transaction. On PostgreSQL the clock row is locked first, on SQLite the write
 * lock is: two writes never overlap, in one process or in several, so what `work` reads stays true
 * until it commits, and a reader of the feed who has seen commit n has seen every commit before it.
 * A throw inside `work` undoes everything. Throws UnknownOutcomeError when nobody can tell whether the write stands.
 */
export const writeIn = async <T>(store: Store, who: { at: string; by: string }, work: (write: Write) => Promise<T>): Promise<T> => {
  let committing = false
  const run = async (trx: Kysely<Tables>): Promise<T> => {
    const db: Db = { kysely: trx, compiled: store.compiled }
    const [clock] = await takePlace(db, {})
    if (clock === undefined) throw new Error('the clock row is missing')
    let seq = clock.seq - 1
    const result = await work({
      ...db,
      ...who,
      nextSeq: () => ++seq,
      reserveSeqs: (count) => {
        const before = seq
        seq += count
        return before
      },
    })
    if (seq > clock.seq) await moveClock(db, { seq })
    committing = true
    return result
  }
  try {
    return await store.kysely.transaction().execute(run)
  } catch (error) {
    // SQLite is in this process: what it could not commit it did not.
    if (committing && store.kind === 'postgres') throw new UnknownOutcomeError('the commit was not confirmed', { cause: error })
    throw error
  }
}
