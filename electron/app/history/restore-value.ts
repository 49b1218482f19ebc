import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { enqueue } from '../../mirror/enqueue.ts'
import type { HistoryEntry } from '../../mirror/history-layer.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import { changedFields, fieldNames, pickFields } from '../../queue/fields.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { presentOf } from './list-history.ts'
import { secrecyOfKept } from './secrecy-of-kept.ts'

const parentDeleted: AppError = {
  kind: 'not-found',
  message: 'The environment of this value was deleted. Reveal the value and copy it to where you want it.',
}
const unreadable: AppError = {
  kind: 'value-unreadable',
  message: 'This workspace’s key can’t read this value, so it can’t be restored.',
}

/**
 * Queues a kept value as an edit of the variable that `presentOf` finds for it. If there is none, queues a new variable. A value that the
 * history masks makes its variable a secret. Returns the variable's local id.
 */
export function restoreValue(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  entry: HistoryEntry,
  { variableId, seen }: { variableId: string | null; seen: Seen },
): Result<{ id: string }> {
  const { row, environment } = presentOf(tx, entry, variableId)
  if (environment === null) return err(parentDeleted)
  const value = cipher.tagged(entry.sealed)
  if (value.tag === null) return err(unreadable)
  const ancestors = ancestorsBelow(environment)
  const secrecy = secrecyOfKept(tx, [entry])(entry)
  if (row !== null) {
    const saw = seenRow(tx, row.id, seen)
    const base = saw?.fields ?? null
    const isExposed = secrecy === true && row.fields.isSecret === false
    const patch = changedFields(base ?? {}, { value, ...(isExposed && { isSecret: true }) })
    if (Object.keys(patch).length === 0) return ok({ id: row.id })
    context.remember?.(tx, row.id, saw)
    enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: row.id, ancestors, patch, base }, context)
    return ok({ id: row.id })
  }
  const id = context.newId()
  context.remember?.(tx, id)
  const patch = pickFields({ name: entry.name, value, type: entry.type ?? 'string', isSecret: secrecy ?? true }, fieldNames)
  enqueue(tx, { kind: 'create', rowKind: 'variable', rowId: id, ancestors, patch, base: null }, context)
  return ok({ id })
}
