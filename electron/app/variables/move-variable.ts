import { enqueue } from '../../mirror/enqueue.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, pathFrom } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import type { Row, Variable } from '../../queue/entry.ts'
import { mergeableOf } from '../../queue/fields.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { deleteVariable } from './edit-variable.ts'
import type { PutOutcome } from './put-variable.ts'

interface MoveInput {
  onTaken: 'skip' | 'overwrite'
  /** The revision at which the user saw the variable. */
  seen: Seen
  /** The revision at which the user saw the target environment. */
  seenThere: Seen
}

/** Queues a move. The variable keeps its fields. With `overwrite` it replaces a variable of the same name in the target. */
export function moveVariable(
  tx: Tx,
  context: EditContext,
  row: Variable,
  environment: Row,
  { onTaken, seen, seenThere }: MoveInput,
): PutOutcome {
  const existing = findWorking(tx, 'variable', environment.id, row.fields.name)
  if (existing !== null && onTaken === 'skip') return 'skipped'
  // A basic service can't move variables: the existing variable would be deleted for a move that never happens.
  if (existing !== null && readProfile(tx)?.kind === 'basic') return 'skipped'
  const saw = seenRow(tx, row.id, seen)
  context.remember?.(tx, row.id, saw)
  if (existing !== null) deleteVariable(tx, context, existing.id, seenThere)
  const leaves = pathFrom(tx, (saw ?? row).parentId)
  const path = { ancestors: ancestorsBelow(environment), leaves }
  const patch = { parent: environment.id }
  enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: row.id, ...path, patch, base: saw && mergeableOf(saw) }, context)
  return existing === null ? 'copied' : 'overwritten'
}
