import { allEntries } from '../../mirror/queue-layer.ts'
import type { Entry } from '../../queue/entry.ts'
import { isDue } from '../plan/backoff.ts'
import { outcomeOf, planUnreconciled, stopsRound } from '../plan/plan-outcome.ts'
import type { Failure } from '../port.ts'
import type { EngineDeps } from './engine-deps.ts'
import { answerFactsIn } from './facts.ts'
import { pushItemOf } from './push-item.ts'
import { checkRollback } from './rollback.ts'
import { writeOutcomes, type TimesStale } from './write-outcomes.ts'
import { writeSteps } from './write-steps.ts'

/** So many reads are under way at once. */
const width = 4

/** Reads what became of every entry whose outcome a crash or a lost answer left unknown; gives the failure that ended it. */
export async function reconcile(deps: EngineDeps, timesStale: TimesStale, isHalted: () => boolean): Promise<Failure | null> {
  const unknown = deps.mirror
    .snapshot(allEntries)
    .filter(({ state, nextAttemptAt }) => state === 'sending' && isDue(nextAttemptAt, deps.now()))
  for (let at = 0; at < unknown.length; at += width) {
    if (isHalted()) return null
    const failures = await Promise.all(unknown.slice(at, at + width).map((entry) => reconcileOne(deps, entry, timesStale)))
    const failure = failures.find((each) => each !== null)
    if (failure !== undefined) return failure
  }
  return null
}

async function reconcileOne(deps: EngineDeps, entry: Entry, timesStale: TimesStale): Promise<Failure | null> {
  const { mirror, port } = deps
  if (entry.kind === 'rollback') {
    const checked = await checkRollback(deps, entry)
    return checked.do === 'stop' ? checked.failure : null
  }
  const read = await port.reconcile(mirror.snapshot((tx) => pushItemOf(tx, entry)))
  if (read.ok) {
    writeOutcomes(deps, [{ entry, outcome: outcomeOf(entry, read.value) }], timesStale)
    return null
  }
  const { error } = read
  if (stopsRound(error)) return error
  mirror.write((tx) => writeSteps(tx, planUnreconciled(entry, error, answerFactsIn(tx, deps, 0)), deps))
  deps.onChange(['queue', 'sync'])
  return null
}
