import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { mergeAfterRefusal } from '../../mirror/after-refusal.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { getEntryAt } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { setState } from '../../mirror/workspace-state.ts'
import { isChange, type BaseRow, type Entry } from '../../queue/entry.ts'
import { valueLength } from '../../queue/fields.ts'
import { planOutcome } from '../plan/plan-outcome.ts'
import { planRecord } from '../plan/plan-record.ts'
import { sendAgain } from '../plan/plan-retry.ts'
import type { Outcome, RemoteRow } from '../port.ts'
import { slicesOf } from '../slices.ts'
import { confirmedAt, emptyDeleted } from './empty-deleted.ts'
import { contextOf, type EngineDeps } from './engine-deps.ts'
import { changeBetween, noteAnswered, withDescendants } from './note-restart.ts'
import { stillSending } from './still-sending.ts'
import { answerFactsIn, factsIn } from '../../mirror/plan-facts.ts'
import { writeSteps } from '../../mirror/write-steps.ts'

/** How often in this run each entry (by `seq`) was answered with a newer record. */
export type TimesStale = Map<number, number>

/** The most outcomes in one transaction: this many take some 20 milliseconds. */
const mostAtOnce = 100

/** A sent entry and its outcome; null: the service did not do it, and sync can send it again. */
export interface Answered {
  entry: Entry
  outcome: Outcome | null
}

/**
 * Writes the outcomes of the entries of one request, in order, some in each transaction. After a crash between two transactions, the
 * remaining entries are still `sending`, and sync reconciles them. Before that, the rows below a confirmed deletion may be removed.
 */
export async function writeOutcomes(deps: EngineDeps, answered: readonly Answered[], timesStale: TimesStale): Promise<void> {
  for (const { entry, outcome } of answered) await emptyDeleted(deps, entry, outcome)
  for (const [index, slice] of slicesOf(answered, mostAtOnce, weightOf).entries()) {
    if (index > 0) await yieldToOthers()
    deps.mirror.write((tx) => {
      noteAnswered(
        tx,
        slice.flatMap(({ entry, outcome }) => {
          const told = toldBy(tx, entry, outcome)
          writeOutcome(tx, entry, outcome, deps, timesStale)
          return told.flatMap((row) => changeBetween(tx, row, getBase(tx, row.id)))
        }),
      )
    })
    deps.onChange(['projects', 'environments', 'variables', 'versions', 'members', 'queue', 'sync'])
  }
}

/** Returns the base rows that an outcome may change although the user did not. */
function toldBy(tx: Tx, { rowId }: Entry, outcome: Outcome | null): BaseRow[] {
  const isDeleted = outcome?.is === 'missing' || (outcome?.is === 'stale' && outcome.current === null)
  const base = isDeleted || outcome?.is === 'stale' ? getBase(tx, rowId) : null
  if (base === null) return []
  return isDeleted ? withDescendants(tx, base) : [base]
}

/** Returns the characters of the values that were sent and answered. */
const weightOf = ({ entry, outcome }: Answered): number =>
  valueLength(isChange(entry) ? entry.patch : null) + valueLength(answeredRow(outcome)?.fields)

function answeredRow(outcome: Outcome | null): RemoteRow | null {
  switch (outcome?.is) {
    case 'confirmed':
      return outcome.row
    case 'stale':
      return outcome.current
    case 'taken':
      return outcome.holder
    default:
      return null
  }
}

function writeOutcome(tx: Tx, sent: Entry, outcome: Outcome | null, deps: EngineDeps, timesStale: TimesStale): void {
  const context = contextOf(deps)
  const entry = stillSending(tx, sent)
  if (entry === null) {
    // The entry left the queue with its parent while its request was under way. Its record is written like any pulled one.
    const row = outcome?.is === 'confirmed' ? outcome.row : null
    const parentId = sent.ancestors[0] ?? null
    if (row === null || sent.ancestors.some((id) => getBase(tx, id) === null)) return
    const plan = planRecord(row, parentId, factsIn(tx, context))
    if (plan !== 'held') writeSteps(tx, plan, context)
    return
  }
  const begunAt = confirmedAt(tx, entry)
  if (begunAt !== null) setState(tx, `deleting-${entry.rowId}`, null)
  const times = timesStale.get(entry.seq) ?? 0
  if (outcome?.is === 'stale') timesStale.set(entry.seq, times + 1)
  else timesStale.delete(entry.seq)
  const facts = answerFactsIn(tx, { ...context, timesStale: times })
  const steps = outcome === null ? [sendAgain(entry, facts)] : planOutcome(entry, outcome, facts)
  writeSteps(tx, steps, begunAt === null ? context : { ...context, now: begunAt })
  const isRejected = steps.some((step) => step.do === 'advance' && step.event.is === 'reject')
  const after = isRejected ? getEntryAt(tx, entry.seq) : null
  if (after?.state === 'failed') mergeAfterRefusal(tx, after, context)
}
