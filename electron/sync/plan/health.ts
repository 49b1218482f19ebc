import type { Failure } from '../port.ts'
import { retryDelay } from './backoff.ts'
import { failureWords } from './failure-words.ts'

/**
 * How a round ended. done: `due` is when the next delayed entry is due; null: none is delayed. halted: sync was stopped or paused before
 * everything was read.
 */
export type RoundEnd =
  { is: 'done'; due: number | null } | { is: 'halted' } | { is: 'failed'; failure: Failure } | { is: 'wrong-workspace' }

/** A failure that affects the whole workspace. `message`: one sentence for the user. */
export interface Problem {
  kind: 'offline' | 'unauthorized' | 'wrong-workspace' | 'not-a-service' | 'service' | 'disk' | 'damaged' | 'bug'
  message: string
}

/** How the last rounds ended, and when the next one may begin. */
export interface Health {
  phase: 'idle' | 'offline' | 'paused'
  problem: Problem | null
  /** Rounds that failed in a row. */
  failures: number
  /** When the next round is due; null: when there is something to do, or the user did something about the problem. */
  nextAttemptAt: number | null
  /** The service asked for no requests until then. Only the user's own "sync now" ignores this. */
  quietUntil: number
  /** When the service answered again after failures; null: it has not failed, or still does. */
  backSince: number | null
}

export const healthy: Health = { phase: 'idle', problem: null, failures: 0, nextAttemptAt: null, quietUntil: 0, backSince: null }

/** The longest Retry-After that sync follows, in milliseconds. */
const longestQuietMs = 60 * 60 * 1000
/** How long after an outage the engine pulls more often, to catch up with the changes of others. */
const catchUpMs = 20_000

interface Sources {
  now: number
  random: number
}

export function healthAfter(before: Health, end: RoundEnd, { now, random }: Sources): Health {
  if (end.is === 'done') return { ...healthy, nextAttemptAt: end.due, backSince: before.failures > 0 ? now : before.backSince }
  if (end.is === 'halted') return before
  const failures = before.failures + 1
  const stopped = { ...before, failures, nextAttemptAt: null, quietUntil: 0, backSince: null }
  if (end.is === 'wrong-workspace') {
    const message = 'The API key belongs to another workspace. Enter the key of this one; your changes are kept.'
    return { ...stopped, phase: 'paused', problem: { kind: 'wrong-workspace', message } }
  }
  const { kind, retryAfterMs } = end.failure
  const problem = { kind: problemKinds[kind], message: failureWords(end.failure) }
  if (kind === 'unauthorized') return { ...stopped, phase: 'paused', problem }
  const nextAttemptAt = now + retryDelay(failures, random, retryAfterMs)
  return { ...stopped, phase: 'offline', problem, nextAttemptAt, quietUntil: retryAfterMs === null ? 0 : now + retryAfterMs }
}

/** Returns the health after a round that failed on this computer. */
export function healthAfterThrow(before: Health, problem: Problem, { now, random }: Sources): Health {
  const failures = before.failures + 1
  const nextAttemptAt = now + retryDelay(failures, random, null)
  return { ...before, phase: 'offline', problem, failures, nextAttemptAt, quietUntil: 0, backSince: null }
}

const problemKinds: Record<Failure['kind'], Problem['kind']> = {
  offline: 'offline',
  busy: 'service',
  unauthorized: 'unauthorized',
  'not-a-service': 'not-a-service',
  failed: 'service',
  refused: 'service',
  disk: 'disk',
}

/** Returns how long to rest before the next round, in milliseconds; null: until something happens. */
export function restOf({ phase, nextAttemptAt, backSince }: Health, now: number, pollMs: number, probeMs: number): number | null {
  if (phase === 'paused') return null
  const isCatchingUp = backSince !== null && now - backSince < catchUpMs
  const rest = isCatchingUp ? Math.min(pollMs, probeMs) : pollMs
  if (nextAttemptAt === null) return rest
  const dueIn = Math.max(0, nextAttemptAt - now)
  return phase === 'idle' ? Math.min(dueIn, rest) : dueIn
}

/** Whether the service asked for no requests at this time, within the longest Retry-After that sync follows. */
export const isQuiet = ({ quietUntil }: Health, now: number): boolean => quietUntil > now && quietUntil - now <= longestQuietMs

/** Whether to probe the service while waiting: it may be back long before the next attempt. */
export const isWorthProbing = (health: Health, now: number): boolean =>
  health.phase === 'offline' && !isQuiet(health, now) && health.problem?.kind !== 'disk' && health.problem?.kind !== 'damaged'
