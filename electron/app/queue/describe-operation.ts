import type { ConflictRow, ConflictSide, QueueRow } from '../../bridge/rows.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Operation } from '../../queue/entry.ts'
import { planFromWorking } from '../../mirror/preview-rollback.ts'
import { previewOf } from '../versions/show-version.ts'

/** Returns the label of an operation's version, or the e-mail of its member. */
export function nameOfOperation(operation: Operation): string {
  if (operation.rowKind === 'member') return operation.detail.email
  return operation.detail.label ?? ''
}

/** Returns the columns of the queue list that depend on the operation. */
export const partsOfOperation = (operation: Operation): Pick<QueueRow, 'name' | 'fields' | 'counts'> => ({
  name: nameOfOperation(operation),
  fields: operation.kind === 'set-role' ? ['roleId'] : [],
  counts: operation.kind === 'rollback' ? operation.detail.agreed.counts : null,
})

/** Returns the conflict of an operation, for the user to decide. */
export function conflictOfOperation(tx: Tx, operation: Operation): Pick<ConflictRow, 'fields' | 'rollback'> {
  if (operation.kind === 'rollback') {
    const [environmentId] = operation.ancestors
    const now = previewOf(tx, environmentId, planFromWorking(tx, environmentId, operation.rowId))
    return { fields: [], rollback: { agreed: operation.detail.agreed.counts, now } }
  }
  if (operation.kind !== 'invite' && operation.kind !== 'set-role') return { fields: [], rollback: null }
  const was = operation.kind === 'set-role' ? operation.detail.base : undefined
  return {
    fields: [{ field: 'roleId', was: side(was), mine: side(operation.detail.roleId), theirs: side(operation.detail.remote) }],
    rollback: null,
  }
}

const side = (text: string | undefined): ConflictSide => (text === undefined ? { state: 'absent', text: null } : { state: 'shown', text })
