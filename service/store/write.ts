import type { Db, Store } from './store.ts'
import { prepared } from './store.ts'

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

/**
 * Runs `work` in one transaction. On PostgreSQL the clock row is locked first, on SQLite the write
 * lock is: two writes never overlap, in one process or in several, so what `work` reads stays true
 * until it commits, and a reader of the feed who has seen commit n has seen every commit before it.
 * A throw inside `work` undoes everything.
 */
export const writeIn = async <T>(store: Store, who: { at: string; by: string }, work: (write: Write) => Promise<T>): Promise<T> =>
  store.kysely.transaction().execute(async (trx) => {
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
    return result
  })
