import type { Entry } from '../../queue/entry.ts'
import { retryDelay } from './backoff.ts'
import type { AnswerFacts, Step } from './step.ts'

/** How often the service may answer one entry with a newer or missing record, before the user has to decide. */
export const maxRetries = 8

/** Rejects an entry that the service certainly refused, or of which no read can show what it did: the user can send it like a new one. */
export const reject = (entry: Entry, reason: string, { newId }: Pick<AnswerFacts, 'newId'>): Step => ({
  do: 'advance',
  entry,
  event: { is: 'reject', reason, id: newId() },
})

/** Sends an entry again that the service has not done: at once the first time, later with growing delays. */
export const sendAgain = (entry: Entry, facts: AnswerFacts): Step => {
  const nextAttemptAt = entry.attempts > 2 ? facts.now + retryDelay(entry.attempts, facts.random(), null) : null
  return { do: 'advance', entry, event: { is: 'delay', nextAttemptAt, reason: nextAttemptAt === null ? null : entry.reason } }
}

/**
 * Sends an entry again after the pull that shows why the service did not do it. After too many requests rejects it, for the reason
 * `inTheEnd`.
 */
export const waitForPull = (entry: Entry, reason: string | null, inTheEnd: string, facts: AnswerFacts): Step =>
  entry.attempts >= maxRetries
    ? reject(entry, inTheEnd, facts)
    : { do: 'advance', entry, event: { is: 'delay', nextAttemptAt: null, reason } }
