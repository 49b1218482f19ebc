import { CompiledQuery } from 'kysely'
import type { Kysely } from 'kysely'
import { Refusal } from './refusal.ts'
import type { Db, Store } from './store.ts'
import { prepared } from './store.ts'
import type { Tables } from './tables.ts'

/** One write, in a transaction that holds the clock, so that writes come one after another in commit order. */
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

/** A write that waits for its turn. */
interface WaitingWrite {
  at: string
  by: string
  work(write: Write): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** What stopped a group, and whose work it was. */
class StoppedBy extends Error {
  readonly culprit: WaitingWrite
  constructor(culprit: WaitingWrite, cause: unknown) {
    super('a write failed', { cause })
    this.culprit = culprit
  }
}

const setMark = CompiledQuery.raw('savepoint one_write')
const dropMark = CompiledQuery.raw('release savepoint one_write')
const undoToMark = CompiledQuery.raw('rollback to savepoint one_write')

/** Most writes that share a commit: nobody waits long for the others. */
const groupLimit = 64

/** Runs each work of the group in turn, one transaction for all. Gives what to tell each once it is committed. */
const runGroup = async (store: Store, group: readonly WaitingWrite[]): Promise<(() => void)[]> => {
  let committing = false
  const run = async (trx: Kysely<Tables>): Promise<(() => void)[]> => {
    const db: Db = { kysely: trx, compiled: store.compiled }
    const [clock] = await takePlace(db, {})
    if (clock === undefined) throw new Error('the clock row is missing')
    let seq = clock.seq - 1
    const nextSeq = () => ++seq
    const reserveSeqs = (count: number) => {
      const before = seq
      seq += count
      return before
    }
    const told: (() => void)[] = []
    for (const one of group) {
      const before = seq
      // A write alone is undone with its transaction.
      if (group.length > 1) await trx.executeQuery(setMark)
      try {
        const value = await one.work({ kysely: trx, compiled: store.compiled, at: one.at, by: one.by, nextSeq, reserveSeqs })
        told.push(() => one.resolve(value))
      } catch (error) {
        if (group.length === 1 || !(error instanceof Refusal)) throw new StoppedBy(one, error)
        await trx.executeQuery(undoToMark)
        seq = before
        told.push(() => one.reject(error))
      }
      if (group.length > 1) await trx.executeQuery(dropMark)
    }
    if (seq > clock.seq) await moveClock(db, { seq })
    committing = true
    return told
  }
  try {
    return await store.kysely.transaction().execute(run)
  } catch (error) {
    // SQLite is in this process: what it could not commit it did not.
    if (committing && store.kind === 'postgres') throw new UnknownOutcomeError('the commit was not confirmed', { cause: error })
    throw error
  }
}

/** Commits a group and tells each of its writes how it went. One that fails is left out, and the others run again without it. */
const commitGroup = async (store: Store, group: readonly WaitingWrite[]): Promise<void> => {
  let rest = group
  while (rest.length > 0) {
    try {
      for (const tell of await runGroup(store, rest)) tell()
      return
    } catch (error) {
      if (!(error instanceof StoppedBy)) {
        for (const one of rest) one.reject(error)
        return
      }
      error.culprit.reject(error.cause)
      rest = rest.filter((one) => one !== error.culprit)
    }
  }
}

/** The writes of each store that wait for their commit, in order; those being committed are still among them. */
const waitingOf = new WeakMap<Store, WaitingWrite[]>()

const commitWaiting = async (store: Store, waiting: WaitingWrite[]): Promise<void> => {
  // What comes while a group is being committed is the next group.
  while (waiting.length > 0) {
    const group = waiting.slice(0, groupLimit)
    await commitGroup(store, group)
    waiting.splice(0, group.length)
  }
}

/**
 * Runs `work` in a transaction, when all that came before is done, and resolves once it is committed. On PostgreSQL the clock row is locked
 * first, on SQLite the write lock is: two writes never overlap, in one process or in several, so what `work` reads stays true
 * until it commits, and a reader of the feed who has seen commit n has seen every commit before it.
 * Writes that wait at the same time share one commit, each between savepoints: a commit waits for the disk, and takes longer than all
 * else. A throw inside `work` undoes everything it did, and nothing of the others; `work` may run again when another of its group failed.
 * Throws UnknownOutcomeError when nobody can tell whether the write stands.
 */
export const writeIn = <T>(store: Store, who: { at: string; by: string }, work: (write: Write) => Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const waiting = waitingOf.get(store) ?? []
    waitingOf.set(store, waiting)
    // The value is what `work` gave; only the list of all forgets its type.
    waiting.push({ at: who.at, by: who.by, work, resolve: (value) => resolve(value as T), reject })
    // Requests that have arrived together are read before this runs.
    if (waiting.length === 1) setImmediate(() => void commitWaiting(store, waiting))
  })
