import { ok, type Result } from '../../bridge/result.ts'
import { isUnverified } from '../../cipher/stored-value.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getVariable } from '../../mirror/working-layer.ts'
import type { Row, Variable } from '../../queue/entry.ts'
import { changedFields, mergeableOf } from '../../queue/fields.ts'
import { changedSinceSeen, invalid, notFound, unverifiedValue } from './refusals.ts'

/** Whether a variable is as the screen showed it. If not, a copy would contain data that the user has not seen. */
export const isAsSeen = (row: Variable, saw: Row | null): boolean =>
  saw !== null && Object.keys(changedFields(mergeableOf(saw), mergeableOf(row))).length === 0

/**
 * Returns a variable to copy. Errors: it no longer exists, has no value here yet, is Unverified, or was changed by others since it was
 * shown.
 */
export function sourceAsSeen(tx: Tx, { id, seen }: { id: string; seen: Seen }): Result<Variable> {
  const row = getVariable(tx, id)
  if (row === null) return notFound('variable')
  if (row.fields.value !== undefined && isUnverified(row.fields.value.sealed)) return unverifiedValue()
  if (row.fields.value === undefined) return invalid('value', 'This variable’s value hasn’t been downloaded yet.')
  return isAsSeen(row, seenRow(tx, id, seen)) ? ok(row) : changedSinceSeen(row.fields.name)
}
