import { codeOf } from './error-code.ts'
import { Refusal, workspaceDeleted } from './refusal.ts'
import type { Db, Store } from './store.ts'
import { prepared, StalePlanError } from './store.ts'
import type { AuditTable } from './tables.ts'
import { grown, noQuotas, without } from './usage.ts'
import type { Quotas, Usage } from './usage.ts'

/** One write, in a transaction that holds the clock of its workspace, so that writes come one after another in commit order. */
export interface Write extends Db {
  /** When this write happens, ISO 8601. */
  readonly at: string
  /** Who writes: the member's e-mail. */
  readonly by: string
  /** Entries of the audit list, inserted with those of the others that share the commit. */
  readonly audit: AuditTable[]
  /** The next number in the commit order. Each changed record takes its own before it is written. */
  nextSeq(): number
  /** Takes `count` numbers at once and returns the one before the first. */
  reserveSeqs(count: number): number
  /** Whether it has taken a number: nothing is written before that. */
  hasSeq(): boolean
  /**
   * Counts what this write adds to the workspace, or takes from it. Called before the first statement that adds. Throws a 413 Refusal when
   * a figure grows beyond its quota.
   */
  use(more: Partial<Usage>): void
}

// Taking the first number also locks the clock. A write that changes no record leaves a gap, which is harmless.
const takeSeq = prepared<object, { seq: number } & Usage>((db, arg) =>
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

/** A write that waits for its turn. */
interface WaitingWrite {
  at: string
  by: string
  touches: readonly string[] | null
  work(write: Write): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The error that stopped a group, and the write that threw it. */
class StoppedBy extends Error {
  readonly culprit: WaitingWrite
  constructor(culprit: WaitingWrite, cause: unknown) {
    super('a write failed', { cause })
    this.culprit = culprit
  }
}

/** Whether a write stopped only because another one had: PostgreSQL then refuses every later statement of their transaction. */
const isEcho = ({ cause }: Error): boolean => codeOf(cause) === '25P02'

/** The most writes that share a commit, so that none waits long for the others. */
const groupLimit = 64
const auditRowsAtOnce = 500

/** Numbers the writes of the transaction of `db`; `end` sends the statements they deferred. */
const takeClock = async (db: Db, quotas: Quotas) => {
  const [clock] = await takeSeq(db, {})
  if (clock === undefined) throw workspaceDeleted()
  let seq = clock.seq - 1
  const { records, versions, bytes } = clock
  let usage: Usage = { records, versions, bytes }
  const audit: AuditTable[] = []
  const writeOf = ({ at, by }: { at: string; by: string }) => {
    let hasSeq = false
    const used: Partial<Usage>[] = []
    const reserveSeqs = (count: number) => {
      const before = seq
      seq += count
      hasSeq = true
      return before
    }
    const write: Write = {
      ...db,
      at,
      by,
      audit,
      nextSeq: () => reserveSeqs(1) + 1,
      reserveSeqs,
      hasSeq: () => hasSeq,
      use: (more) => {
        usage = grown(usage, more, quotas)
        used.push(more)
      },
    }
    return {
      write,
      /** Undoes its counting. */
      forgetUse: () => {
        for (const more of used) usage = without(usage, more)
      },
    }
  }
  const end = (): Promise<unknown>[] => {
    const sent: Promise<unknown>[] = []
    for (let start = 0; start < audit.length; start += auditRowsAtOnce) {
      const rows = audit.slice(start, start + auditRowsAtOnce)
      sent.push(db.kysely.insertInto('audit').values(rows).execute())
    }
    const isUsed = usage.records !== records || usage.versions !== versions || usage.bytes !== bytes
    if (seq > clock.seq || isUsed) sent.push(Promise.resolve(moveClock(db, { seq: Math.max(seq, clock.seq), ...usage })))
    return sent
  }
  return { writeOf, end }
}

/** The writes of a group in order; neighbours that touch nothing in common are run together. */
const stagesOf = (group: readonly WaitingWrite[]): WaitingWrite[][] => {
  const stages: WaitingWrite[][] = []
  let touched: Set<string> | null = null
  for (const one of group) {
    const { touches } = one
    const stage = stages.at(-1)
    if (stage !== undefined && touched !== null && touches !== null && !touches.some((key) => touched?.has(key))) stage.push(one)
    else {
      stages.push([one])
      touched = touches === null ? null : new Set()
    }
    for (const key of touches ?? []) touched?.add(key)
  }
  return stages
}

/**
 * Runs the writes of a group in one transaction, stage by stage. `take` gives the group once the clock is locked. Returns the result of each,
 * valid once committed.
 */
const runGroup = (store: Store, workspaceId: string, take: () => readonly WaitingWrite[]): Promise<(() => void)[]> =>
  store.transaction(async (trx) => {
    const clock = await takeClock({ ...trx, workspaceId }, store.quotas ?? noQuotas)
    const group = take()
    const told: (() => void)[] = []
    let stopped: Error | null = null
    const run = async (one: WaitingWrite): Promise<void> => {
      const { write, forgetUse } = clock.writeOf(one)
      try {
        const value = await one.work(write)
        told.push(() => one.resolve(value))
      } catch (error) {
        // A write without a number has written nothing, so there is nothing to undo. A single write rolls back with its clock row.
        if (group.length === 1 || !(error instanceof Refusal) || write.hasSeq()) {
          const stop = error instanceof StalePlanError ? error : new StoppedBy(one, error)
          if (stopped === null || (isEcho(stopped) && !isEcho(stop))) stopped = stop
          return
        }
        forgetUse()
        told.push(() => one.reject(error))
      }
    }
    for (const stage of stagesOf(group)) {
      await Promise.all(stage.map(run))
      // It was set inside `run`, which the compiler does not see.
      if (stopped !== null) throw stopped as Error
    }
    return { value: told, sent: clock.end() }
  })

/**
 * Commits the first of the writes that wait, as one group, and resolves each; those that come until the clock is locked are among them, because
 * another process may hold it. A write that fails is left out, and the others run again. Returns how many there were.
 */
const commitGroup = async (store: Store, workspaceId: string, waiting: readonly WaitingWrite[]): Promise<number> => {
  let group: readonly WaitingWrite[] = []
  let rest = group
  const take = () => {
    if (group.length === 0) rest = group = waiting.slice(0, groupLimit)
    return rest
  }
  do {
    try {
      for (const tell of await runGroup(store, workspaceId, take)) tell()
      break
    } catch (error) {
      if (error instanceof StalePlanError) continue
      if (!(error instanceof StoppedBy)) {
        for (const one of take()) one.reject(error)
        break
      }
      error.culprit.reject(error.cause)
      rest = rest.filter((one) => one !== error.culprit)
    }
  } while (rest.length > 0)
  return group.length
}

/** The writes of each workspace that wait for their commit, in order; those being committed are still among them. */
const waitingOf = new WeakMap<Store, Map<string, WaitingWrite[]>>()

const commitWaiting = async (store: Store, workspaceId: string, waiting: WaitingWrite[]): Promise<void> => {
  // Writes that arrive during a commit form the next group.
  while (waiting.length > 0) waiting.splice(0, await commitGroup(store, workspaceId, waiting))
}

/**
 * Runs `work` on a workspace in a transaction, after all earlier writes to it, and resolves once it is committed. On PostgreSQL the
 * workspace's clock row is locked first, on SQLite the write lock is: two writes of a workspace never overlap, in one process or in
 * several, so what `work` reads stays true until it commits, and a reader of the feed who has seen commit n has seen every commit before
 * it. Writes of different workspaces do not wait for each other on PostgreSQL. Writes that wait at the same time share one commit: waiting
 * for the disk takes longest. A throw inside `work` undoes its own changes only; `work` may run again when another of its group failed. It
 * takes a number in the commit order before it writes anything, and throws its Refusals before that; otherwise the others have to run
 * again. `touches` names all that `work` reads and writes: writes without a name in common run at the same time, so that their statements
 * reach PostgreSQL together. Without it, `work` runs alone. Throws UnknownOutcomeError when it is unknown whether the write was committed.
 */
export const writeIn = <T>(
  store: Store,
  workspaceId: string,
  { at, by, touches = null }: { at: string; by: string; touches?: readonly string[] | null },
  work: (write: Write) => Promise<T>,
): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const ofStore = waitingOf.get(store) ?? new Map<string, WaitingWrite[]>()
    waitingOf.set(store, ofStore)
    const waiting = ofStore.get(workspaceId) ?? []
    ofStore.set(workspaceId, waiting)
    // The value is the result of `work`; the list of writes erases its type.
    waiting.push({ at, by, touches, work, resolve: (value) => resolve(value as T), reject })
    // Requests that arrived together are read before this runs.
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
    .values({
      workspace_id: db.workspaceId,
      seq: clock.seq,
      epoch: clock.epoch,
      pruned_to: 0,
      gap_after: 0,
      gap_before: 0,
      records: 0,
      versions: 0,
      bytes: 0,
    })
    .execute()
  const taken = await takeClock(db, noQuotas)
  const value = await work(taken.writeOf(who).write)
  await Promise.all(taken.end())
  return value
}
