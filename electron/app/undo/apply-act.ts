import { err, ok, type Result } from '../../bridge/result.ts'
import { enqueueAct } from '../../mirror/enqueue-act.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { getQueued } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { NewAct } from '../../queue/coalesce-operation.ts'
import { discardChange } from '../queue/discard-change.ts'
import type { StepRefusal } from './apply-step.ts'
import type { ActStep, Direction } from './step.ts'

/**
 * Takes an act back out of the queue, or queues it again; gives the id under which it stands there now. One that was sent cannot be
 * taken back, and what undoes it is another act, which is the user's to choose.
 */
export function applyAct(tx: Tx, context: EnqueueContext, { act, changeId }: ActStep, direction: Direction): Result<string, StepRefusal> {
  if (direction === 'redo') return ok(enqueueAct(tx, act, context) ?? changeId)
  if (getQueued(tx, changeId) === null) return err({ refusal: { kind: 'invalid-input', message: sentWords[act.kind] }, overtaken: true })
  const discarded = discardChange(tx, changeId)
  return discarded.ok ? ok(changeId) : err({ refusal: discarded.error, overtaken: false })
}

const sentWords: Record<NewAct['kind'], string> = {
  snapshot: "The version has been saved, and versions can't be deleted. Skipped: nothing was changed.",
  rollback: 'The rollback is done. To undo it, roll back to the version saved just before it. Skipped: nothing was changed.',
  invite: 'The invitation has been sent. Remove the member instead. Skipped: nothing was changed.',
  'set-role': 'The role has been changed. Change it again instead. Skipped: nothing was changed.',
  remove: 'The member has been removed. Invite them again instead. Skipped: nothing was changed.',
}

/** What an act does, as a menu says it. */
export function labelOfAct(act: NewAct): string {
  switch (act.kind) {
    case 'snapshot':
      return act.detail.label === undefined ? 'Save a version' : `Save version ${act.detail.label}`
    case 'rollback':
      return `Roll back to ${act.detail.label}`
    case 'invite':
      return `Invite ${act.detail.email}`
    case 'set-role':
      return `Change the role of ${act.detail.email}`
    case 'remove':
      return `Remove ${act.detail.email}`
  }
}
