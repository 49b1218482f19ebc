import { enqueue } from '../../mirror/enqueue.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import type { Row, Variable } from '../../queue/entry.ts'
import { changedFields } from '../../queue/fields.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { addVariable } from './edit-variable.ts'

export type PutOutcome = 'copied' | 'skipped' | 'overwritten'

/**
 * Queues a variable with these fields, its value already sealed, in an environment. An existing variable of that name is skipped, or gets
 * the value, type and secrecy. Its fields that others changed since the user saw them become a conflict.
 */
export function putVariable(
  tx: Tx,
  context: EditContext,
  environment: Row,
  fields: Variable['fields'],
  onTaken: 'skip' | 'overwrite',
  seen: Seen,
): PutOutcome {
  const ancestors = ancestorsBelow(environment)
  const existing = findWorking(tx, 'variable', environment.id, fields.name)
  if (existing === null) {
    addVariable(tx, context, environment, fields)
    return 'copied'
  }
  if (onTaken === 'skip') return 'skipped'
  const saw = seenRow(tx, existing.id, seen)
  // If the variable had another name or environment then, the user has seen only its name.
  const isAsSeen = saw === null || (saw.parentId === environment.id && saw.fields.name === fields.name)
  const base = isAsSeen ? (saw?.fields ?? null) : { name: fields.name }
  const patch = changedFields(base ?? {}, fields)
  if (Object.keys(patch).length === 0) return 'overwritten'
  context.remember?.(tx, existing.id, saw)
  enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: existing.id, ancestors, patch, base }, context)
  return 'overwritten'
}
