import type { BaseRow, RollbackPreview, RollbackOperation } from '../../queue/entry.ts'
import type { EntryEvent } from '../../queue/transition.ts'
import type { Failure } from '../port.ts'
import { conflictReason } from './conflict-reason.ts'
import { versionDeleted } from './plan-operation-outcome.ts'
import { compareWithPreview } from './plan-rollback.ts'

const otherEnvironment =
  'This version belongs to another environment, or to one that was deleted and created again. Discard this rollback, then choose a version from the list.'
const environmentDeleted = 'The environment and its versions no longer exist on the service. Discard this rollback.'

/** The facts about a rollback, after its version and its environment were read. */
export interface RollbackFacts {
  environment: Pick<BaseRow, 'remoteId'> | null
  version: { environmentRemoteId: string; isMirrored: boolean } | null
  /** The preview of the rollback for the environment as the service has it. */
  now: RollbackPreview
}

/** go: send it. end: the environment equals the version except for `apart` variables. advance: it waits for the user, or to be sent again. */
export type RollbackDecision = { do: 'go' } | { do: 'end'; apart: number } | { do: 'advance'; event: EntryEvent }

/**
 * Decides on a rollback whose environment has just been read. It is sent only if it still does what the preview showed. If its answer was
 * lost, an environment that equals the version shows that it was done. If the service has answered, only the end is left to do.
 */
export function decideRollback(rollback: RollbackOperation, facts: RollbackFacts): RollbackDecision {
  const problem = problemOf(facts)
  if (problem !== null) return { do: 'advance', event: { is: 'reject', reason: problem } }
  const { detail, state } = rollback
  const { now } = facts
  const { added, updated, removed } = now.counts
  if (detail.said !== undefined) return { do: 'end', apart: added + updated + removed }
  const wasSent = state === 'sending'
  switch (compareWithPreview(now, detail.agreed, wasSent)) {
    case 'equal':
      return { do: 'end', apart: 0 }
    case 'agreed':
      return wasSent ? { do: 'advance', event: { is: 'delay', nextAttemptAt: null, reason: null } } : { do: 'go' }
    case 'stale': {
      const conflict = { kind: 'stale-rollback' as const, remote: null, by: null }
      const parked = { ...detail, offered: now }
      return { do: 'advance', event: { is: 'park', conflict, reason: conflictReason('stale-rollback'), detail: parked } }
    }
  }
}

function problemOf({ environment, version }: RollbackFacts): string | null {
  if (environment === null) return environmentDeleted
  if (version === null || !version.isMirrored) return versionDeleted
  // An environment that was created again is another record: a rollback to its old versions would change rows that this user has not seen.
  return version.environmentRemoteId === environment.remoteId ? null : otherEnvironment
}

/** Returns the event of a rollback whose version or environment could not be read; it is tried again at `nextAttemptAt`. */
export function afterUnread({ state, detail }: RollbackOperation, { kind, message }: Failure, nextAttemptAt: number): EntryEvent {
  // A rollback that the service has done can't be refused any more: its values still have to be sealed again.
  if (kind === 'refused' && detail.said === undefined) return { is: 'reject', reason: message }
  return { is: state === 'sending' ? 'unanswered' : 'delay', nextAttemptAt, reason: message }
}
