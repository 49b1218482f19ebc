import { isUnverified } from '../../cipher/stored-value.ts'
import { enqueue } from '../../mirror/enqueue.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getVariable, getWorking } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import { changedFields, type Fields } from '../../queue/fields.ts'
import type { EditContext } from '../edits/edit-context.ts'

/**
 * Queues a new type or secrecy for many variables. Skips variables that already have it, are Unverified, or no longer exist. Returns how many
 * don't exist.
 */
export function updateMany(
  tx: Tx,
  context: EditContext,
  rows: readonly { id: string; seen: Seen }[],
  wanted: Pick<Fields, 'type' | 'isSecret'>,
): number {
  let gone = 0
  for (const { id, seen } of rows) {
    const row = getVariable(tx, id)
    const environment = row && getWorking(tx, row.parentId)
    if (row === null || environment === null) {
      gone += 1
      continue
    }
    if (row.fields.value !== undefined && isUnverified(row.fields.value.sealed)) continue
    const saw = seenRow(tx, id, seen)
    const base = saw?.fields ?? null
    const patch = changedFields(base ?? {}, wanted)
    if (Object.keys(patch).length === 0) continue
    context.remember?.(tx, id, saw)
    enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: id, ancestors: ancestorsBelow(environment), patch, base }, context)
  }
  return gone
}
