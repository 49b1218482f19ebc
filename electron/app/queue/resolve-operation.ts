import { ok, type Result } from '../../bridge/result.ts'
import { enqueueOperation } from '../../mirror/enqueue-operation.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { dropEntry, operationsOf } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { InviteOperation, Operation, RollbackOperation, SetRoleOperation } from '../../queue/entry.ts'
import { toPreview, planFromWorking } from '../../mirror/preview-rollback.ts'
import { invalid } from '../edits/refusals.ts'
import type { Choice } from './resolve-conflict.ts'

/**
 * Applies the user's choice to an operation in conflict. A kept operation goes to the end of the queue, because the user decided on it now.
 */
export function resolveOperation(tx: Tx, context: EnqueueContext, operation: Operation, choice: Choice): Result<null> {
  if (choice.take === 'edit') return invalid('choice', 'There’s nothing to edit here: keep yours or theirs.')
  if (choice.take === 'theirs') {
    dropEntry(tx, operation)
    return ok(null)
  }
  if (operation.kind === 'rollback') return rollBackAnyway(tx, context, operation)
  dropEntry(tx, operation)
  if (operation.kind === 'invite' || operation.kind === 'set-role') keepRole(tx, context, operation)
  return ok(null)
}

/** Queues the role that the user chose last for the member: a later choice waits behind the operation, and replaces it. */
function keepRole(tx: Tx, context: EnqueueContext, { rowId, ancestors, detail }: InviteOperation | SetRoleOperation): void {
  const later = operationsOf(tx, rowId)
  if (later.some(({ kind }) => kind === 'remove')) return
  const { email, remote } = detail
  const newer = later.findLast((operation) => operation.kind === 'set-role')
  const roleId = newer?.detail.roleId ?? detail.roleId
  for (const each of later) dropEntry(tx, each)
  const core = { rowKind: 'member' as const, rowId, ancestors }
  if (remote === undefined) enqueueOperation(tx, { ...core, kind: 'invite', detail: { email, roleId } }, context)
  else if (remote !== roleId) enqueueOperation(tx, { ...core, kind: 'set-role', detail: { email, roleId, base: remote } }, context)
}

/** Queues the rollback again, approved with its new preview. */
function rollBackAnyway(tx: Tx, context: EnqueueContext, operation: RollbackOperation): Result<null> {
  const { rowId, ancestors } = operation
  const agreed = toPreview(planFromWorking(tx, ancestors[0], rowId))
  dropEntry(tx, operation)
  const detail = { label: operation.detail.label, agreed }
  enqueueOperation(tx, { kind: 'rollback', rowKind: 'version', rowId, ancestors, detail }, context)
  return ok(null)
}
