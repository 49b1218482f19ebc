import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { getMember } from '../../mirror/members-layer.ts'
import { operationsOf, restoreEntry } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getVersionByRemote, lastRollback } from '../../mirror/versions-layer.ts'
import type { NewOperation } from '../../queue/coalesce-operation.ts'
import type { Operation, OperationKind } from '../../queue/entry.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { queueOperation } from '../edits/queue-operation.ts'
import { discardChange } from '../queue/discard-change.ts'
import type { StepRefusal } from './apply-step.ts'
import type { AppliedStep, Direction, OperationStep, Step } from './step.ts'

/**
 * Takes an operation back (undo), or queues it again (redo). Returns the step as it is recorded now. A sent operation can't be undone: the
 * user has to choose another operation that reverses it. One that its user has discarded since has nothing to undo.
 */
export function applyOperation(
  tx: Tx,
  context: EditContext,
  step: Step,
  asked: OperationStep,
  direction: Direction,
): Result<AppliedStep, StepRefusal> {
  const done: AppliedStep = { step, moved: new Map() }
  if (direction === 'redo') {
    let again = asked
    queueOperation(tx, { ...context, rememberOperation: (each) => (again = each) }, asked.operation)
    return ok({ ...done, step: { ...step, asked: again } })
  }
  const { operation, removed, added } = asked
  const unsent = added.flatMap((entry) => unsentOf(tx, entry) ?? [])
  if (unsent.length < added.length) {
    return isDone(tx, asked) ? err({ refusal: sentRefusal(operation), overtaken: true }) : ok({ ...done, isIdle: true })
  }
  for (const { id } of unsent) {
    const discarded = discardChange(tx, context, id)
    if (!discarded.ok) return err({ refusal: discarded.error, overtaken: false })
  }
  // Under another id each: a request with the present one may have been made with other bytes since.
  for (const entry of removed) restoreEntry(tx, { ...entry, id: context.newId(), attempts: 0 })
  return ok(done)
}

/**
 * Returns the queued operation that an added one has become, or null. A retry or a refusal gives it another id, and the answer to a conflict
 * another place; then a role may be given by an invitation, or the other way round. An earlier invitation is not the role that it took over.
 */
const unsentOf = (tx: Tx, { rowId, kind, createdAt }: Operation): Operation | null =>
  operationsOf(tx, rowId).findLast(
    (each) => each.kind === kind || (purposeOf(each.kind) === purposeOf(kind) && each.createdAt >= createdAt),
  ) ?? null

const purposeOf = (kind: OperationKind): OperationKind => (kind === 'set-role' ? 'invite' : kind)

/** Whether the mirror shows the result of an operation. */
function isDone(tx: Tx, { operation, added }: OperationStep): boolean {
  const { rowId } = operation
  switch (operation.kind) {
    case 'snapshot':
      return getVersionByRemote(tx, operation.detail.remoteId) !== null
    case 'rollback': {
      const environment = getBase(tx, operation.ancestors[0])
      const last = environment && lastRollback(tx, environment.remoteId)
      return last?.version_id === rowId && added.every(({ createdAt }) => createdAt <= last.at)
    }
    case 'invite':
      return getMember(tx, rowId) !== null
    case 'set-role':
      return getMember(tx, rowId)?.role_id === operation.detail.roleId
    case 'remove':
      return getMember(tx, rowId) === null
  }
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
