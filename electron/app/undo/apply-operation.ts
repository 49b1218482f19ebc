import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { enqueueOperation } from '../../mirror/enqueue-operation.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import { discardChange } from '../queue/discard-change.ts'
import type { StepRefusal } from './apply-step.ts'
import type { OperationStep, Direction } from './step.ts'

/**
 * Removes an operation from the queue (undo), or queues it again (redo). Returns the present id of its entry. A sent operation can't be
 * undone: the user has to choose another operation that reverses it.
 */
export function applyOperation(
  tx: Tx,
  context: EnqueueContext,
  { operation, changeId }: OperationStep,
  direction: Direction,
): Result<string, StepRefusal> {
  if (direction === 'redo') return ok(enqueueOperation(tx, operation, context) ?? changeId)
  if (getEntry(tx, changeId) === null) return err({ refusal: sentRefusal(operation), overtaken: true })
  const discarded = discardChange(tx, context, changeId)
  return discarded.ok ? ok(changeId) : err({ refusal: discarded.error, overtaken: false })
}

function sentRefusal(operation: NewOperation): AppError {
  const message = sentWords[operation.kind]
  return operation.kind === 'rollback'
    ? { kind: 'rolled-back', message, environmentId: operation.ancestors[0] }
    : { kind: 'invalid-input', message }
}

const sentWords: Record<NewOperation['kind'], string> = {
  snapshot: 'The version has been saved, and versions can’t be deleted.',
  rollback: 'The rollback is done. To undo it, roll back to the version saved just before it.',
  invite: 'The invitation has been sent. Remove the member instead.',
  'set-role': 'The role has been changed. Change it again instead.',
  remove: 'The member has been removed. Invite them again instead.',
}

export function labelOfOperation(operation: NewOperation): string {
  switch (operation.kind) {
    case 'snapshot':
      return operation.detail.label === undefined ? 'Save a version' : `Save version ${operation.detail.label}`
    case 'rollback':
      return `Roll back to ${operation.detail.label}`
    case 'invite':
      return `Invite ${operation.detail.email}`
    case 'set-role':
      return `Change the role of ${operation.detail.email}`
    case 'remove':
      return `Remove ${operation.detail.email}`
  }
}
