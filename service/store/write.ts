import type { Kysely } from 'kysely'
import { Refusal } from './refusal.ts'
import type { Db, Store } from './store.ts'
import { prepared } from './store.ts'
import type { AuditTable, Tables } from './tables.ts'
import { grown, noQuotas } from './usage.ts'
import type { Quotas, Usage } from './usage.ts'

/** One write, in a transaction that holds the clock of its workspace, so that writes come one after another in commit order. */
export interface Write extends Db {
  /** When this write happens, ISO 8601. */
  readonly at: string
  /** Who writes: the member's e-mail. */
  readonly by: string
  /** Entries of the audit list, inserted with those of the others that share the commit. */
  readonly audit: AuditTable[]
  /** The next place in the commit order. Each changed record takes its own, before it is written. */
  nextSeq(): number
  /** Takes `count` places at once and gives the place before the first of them. */
  reserveSeqs(count: number): number
  /**
   * Counts what this write adds to the workspace, or takes from it. Called before the first statement that adds. Throws a 413 Refusal where
   * something grows beyond its quota.
   */
  use(more: Partial<Usage>): void
}

// Taking the first place locks the clock as well. A write that changes no record leaves a gap, which nobody minds.
const takePlace = prepared<object, { seq: number } & Usage>((db, arg) =>
  db
    .updateTable('clock')
    .set((eb) => ({ seq: eb('seq', '+', 1) }))
    .where('workspace_id', '=', arg('workspace'))
    .returning(['seq', 'records', 'versions', 'bytes']),
)
const moveClock = prepared<{ seq: number } & Usage, unknown>((db, arg) =>
  db
    .updateTable('clock')
    .set({ seq: arg('seq'), records: arg('records'), versions: arg('versions'), bytes: arg('bytes') })
    .where('workspace_id', '=', arg('workspace')),
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

/** Most writes that share a commit: nobody waits long for the others. */
const groupLimit = 64
const auditRowsAtOnce = 500

/** Numbers the writes of one transaction, in which `db` runs; `end` writes what they left for the end. */
const takeClock = async (db: Db, quotas: Quotas) => {
  const [clock] = await takePlace(db, {})
  if (clock === undefined) throw new Error('the clock row is missing')
  let seq = clock.seq - 1
  const { records, versions, bytes } = clock
  let usage: Usage = { records, versions, bytes }
  const audit: AuditTable[] = []
  /** How often places were taken: nothing is written before one is. */
  let taken = 0
  const reserveSeqs = (count: number) => {
    const before = seq
    seq += count
    taken++
    return before
  }
  return {
    writeOf: ({ at, by }: { at: string; by: string }): Write => ({
      ...db,
      at,
      by,
      audit,
      nextSeq: () => reserveSeqs(1) + 1,
      reserveSeqs,
      use: (more) => {
        usage = grown(usage, more, quotas)
      },
    }),
    taken: () => taken,
    usage: () => usage,
    /** Takes back what a write counted that was refused before it wrote. */
    resetUsage: (before: Usage) => {
      usage = before
    },
    end: async () => {
      for (let start = 0; start < audit.length; start += auditRowsAtOnce)
        await db.kysely
          .insertInto('audit')
          .values(audit.slice(start, start + auditRowsAtOnce))
          .execute()
      const isUsed = usage.records !== records || usage.versions !== versions || usage.bytes !== bytes
      if (seq > clock.seq || isUsed) await moveClock(db, { seq: Math.max(seq, clock.seq), ...usage })
    },
  }
}

/** Runs each work of the group in turn, one transaction for all. Gives what to tell each once it is committed. */
const runGroup = async (store: Store, workspaceId: string, group: readonly WaitingWrite[]): Promise<(() => void)[]> => {
  let committing = false
  const run = async (trx: Kysely<Tables>): Promise<(() => void)[]> => {
    const clock = await takeClock({ kysely: trx, compiled: store.compiled, workspaceId }, store.quotas ?? noQuotas)
    const told: (() => void)[] = []
    for (const one of group) {
      const [before, held] = [clock.taken(), clock.usage()]
      try {
        const value = await one.work(clock.writeOf(one))
        told.push(() => one.resolve(value))
      } catch (error) {
        // What has taken no place has written nothing: there is nothing to undo. Alone it is undone with its place of the clock.
        if (group.length === 1 || !(error instanceof Refusal) || clock.taken() > before) throw new StoppedBy(one, error)
        clock.resetUsage(held)
        told.push(() => one.reject(error))
      }
    }
    await clock.end()
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
const commitGroup = async (store: Store, workspaceId: string, group: readonly WaitingWrite[]): Promise<void> => {
  let rest = group
  while (rest.length > 0) {
    try {
      for (const tell of await runGroup(store, workspaceId, rest)) tell()
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

/** The writes of each workspace that wait for their commit, in order; those being committed are still among them. */
const waitingOf = new WeakMap<Store, Map<string, WaitingWrite[]>>()

const commitWaiting = async (store: Store, workspaceId: string, waiting: WaitingWrite[]): Promise<void> => {
  // What comes while a group is being committed is the next group.
  while (waiting.length > 0) {
    const group = waiting.slice(0, groupLimit)
    await commitGroup(store, workspaceId, group)
    waiting.splice(0, group.length)
  }
}

/**
 * Runs `work` on a workspace in a transaction, when all that came before is done there, and resolves once it is committed. On PostgreSQL the
 * workspace's clock row is locked first, on SQLite the write lock is: two writes of a workspace never overlap, in one process or in several, so
 * what `work` reads stays true until it commits, and a reader of the feed who has seen commit n has seen every commit before it. Writes of
 * different workspaces do not wait for each other on PostgreSQL.
 * Writes that wait at the same time share one commit: a commit waits for the disk, and takes longer than all else. A throw inside `work`
 * undoes everything it did, and nothing of the others; `work` may run again when another of its group failed. It takes a place in the commit
 * order before it writes anything, and throws its Refusals before that, or else the others have to run again.
 * Throws UnknownOutcomeError when nobody can tell whether the write stands.
 */
export const writeIn = <T>(
  store: Store,
  workspaceId: string,
  who: { at: string; by: string },
  work: (write: Write) => Promise<T>,
): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const ofStore = waitingOf.get(store) ?? new Map<string, WaitingWrite[]>()
    waitingOf.set(store, ofStore)
    const waiting = ofStore.get(workspaceId) ?? []
    ofStore.set(workspaceId, waiting)
    // The value is what `work` gave; only the list of all forgets its type.
    waiting.push({ at: who.at, by: who.by, work, resolve: (value) => resolve(value as T), reject })
    // Requests that have arrived together are read before this runs.
    if (waiting.length === 1) setImmediate(() => void commitWaiting(store, workspaceId, waiting))
  })

/** The first write of a new workspace, inside a transaction of the caller: makes its clock, which begins at `seq` in the history `epoch`. */
export const writeFirst = async <T>(
  db: Db,
  clock: { seq: number; epoch: string },
  who: { at: string; by: string },
  work: (write: Write) => Promise<T>,
): Promise<T> => {
  await db.kysely
    .insertInto('clock')
    .values({ workspace_id: db.workspaceId, seq: clock.seq, epoch: clock.epoch, pruned_to: 0, records: 0, versions: 0, bytes: 0 })
    .execute()
  const taken = await takeClock(db, noQuotas)
  const value = await work(taken.writeOf(who))
  await taken.end()
  return value
}
