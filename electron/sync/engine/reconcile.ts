import { entriesIn } from '../../mirror/queue-layer.ts'
import type { Entry } from '../../queue/entry.ts'
import { isDue } from '../plan/backoff.ts'
import { outcomeOf, planUnreconciled, stopsRound } from '../plan/plan-outcome.ts'
import { reject } from '../plan/plan-retry.ts'
import type { AnswerFacts, Step } from '../plan/step.ts'
import type { Failure } from '../port.ts'
import { slicesOf } from '../slices.ts'
import { contextOf, type EngineDeps } from './engine-deps.ts'
import { answerFactsIn } from '../../mirror/plan-facts.ts'
import { pushItemOf } from './push-item.ts'
import { checkRollback } from './rollback.ts'
import { stillSending } from './still-sending.ts'
import { writeOutcomes, type TimesStale } from './write-outcomes.ts'
import { writeSteps } from '../../mirror/write-steps.ts'

/** How many reads run at once. */
const width = 4

/** Reconciles every entry whose outcome a crash or a lost answer left unknown; returns the failure that ended it, or null. */
export async function reconcile(deps: EngineDeps, timesStale: TimesStale, isHalted: () => boolean): Promise<Failure | null> {
  const unknown = deps.mirror.snapshot((tx) => entriesIn(tx, 'sending')).filter(({ nextAttemptAt }) => isDue(nextAttemptAt, deps.now()))
  const others = unknown.filter(({ kind }) => kind !== 'rollback')
  const rollbacks = unknown.filter(({ kind }) => kind === 'rollback')
  // Each rollback is reconciled alone: it reads its whole environment, and no other answer may be written during that.
  for (const entries of [...slicesOf(others, width), ...slicesOf(rollbacks, 1)]) {
    if (isHalted()) return null
    const failures = await Promise.all(entries.map((entry) => reconcileOne(deps, entry, timesStale, isHalted)))
    const failure = failures.find((each) => each !== null)
    if (failure !== undefined) return failure
  }
  return null
}

async function reconcileOne(deps: EngineDeps, entry: Entry, timesStale: TimesStale, isHalted: () => boolean): Promise<Failure | null> {
  const { mirror, port } = deps
  if (entry.kind === 'rollback') {
    const checked = await checkRollback(deps, entry, isHalted)
    return checked.do === 'stop' ? checked.failure : null
  }
  const read = await port.reconcile(mirror.snapshot((tx) => pushItemOf(tx, entry)))
  if (!read.ok) {
    if (stopsRound(read.error)) return read.error
    writeUnknown(deps, entry, (unknown, facts) => planUnreconciled(unknown, read.error, facts))
  } else if (read.value.is === 'unknowable') {
    const { message } = read.value
    writeUnknown(deps, entry, (unknown, facts) => [reject(unknown, message, facts)])
  } else await writeOutcomes(deps, [{ entry, outcome: outcomeOf(entry, read.value) }], timesStale)
  return null
}

/** Writes the steps for an entry whose outcome is still unknown. */
function writeUnknown(deps: EngineDeps, entry: Entry, plan: (unknown: Entry, facts: AnswerFacts) => Step[]): void {
  const context = { ...contextOf(deps), timesStale: 0 }
  deps.mirror.write((tx) => {
    const unknown = stillSending(tx, entry)
    if (unknown !== null) writeSteps(tx, plan(unknown, answerFactsIn(tx, context)), context)
  })
  deps.onChange(['queue', 'sync'])
}
