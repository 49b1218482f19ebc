import type { UnverifiedRow, UnverifiedValues } from '../../bridge/rows.ts'
import { readUnverified, type LastVerified, type Unverified } from '../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { enqueue } from '../../mirror/enqueue.ts'
import { revOf, seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getVariable, getWorking, pathFrom } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import type { Row } from '../../queue/entry.ts'
import { changedFields, sameField, type Fields } from '../../queue/fields.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { whereOf } from '../queue/describe-change.ts'

/** Applies a decision to the value that the user saw. False: the value has changed, or the decision can't be applied. */
export type Decision = (tx: Tx, context: EditContext, cipher: WorkspaceCipher, row: { id: string; seen: Seen }) => boolean

const unverifiedOf = (row: Row | null): Unverified | null =>
  row?.fields.value === undefined ? null : readUnverified(row.fields.value.sealed)

/** Returns the variables with Unverified values, without the values. */
export const listUnverified = (tx: Tx, cipher: WorkspaceCipher, ids: readonly string[]): UnverifiedRow[] =>
  ids.flatMap((id) => {
    const row = getVariable(tx, id)
    const unverified = unverifiedOf(row)
    if (row === null || unverified === null) return []
    const base = getBase(tx, id)
    const last = restorable(tx, row, unverified)
    return [
      {
        id,
        name: row.fields.name,
        where: whereOf(tx, { ancestors: pathFrom(tx, row.parentId) }),
        doubt: unverified.doubt,
        canAccept: cipher.open(unverified.value) !== null,
        canRestore: last !== null,
        lastName: last === null || last.name === row.fields.name ? null : last.name,
        updatedAt: base?.updatedAt ?? null,
        updatedBy: base?.updatedBy ?? null,
        rev: revOf(tx, id),
      },
    ]
  })

/**
 * Returns the received value and the last verified one, for the screen only. Each is null if it does not exist or the key does not open it.
 */
export function showUnverified(tx: Tx, cipher: WorkspaceCipher, id: string): UnverifiedValues {
  const unverified = unverifiedOf(getWorking(tx, id))
  const last = unverified?.last ?? null
  return {
    value: unverified === null ? null : cipher.open(unverified.value),
    last: last === null ? null : cipher.open(last.sealed),
    rev: revOf(tx, id),
  }
}

/** Queues the received value as an edit of the user. It is sealed again when it is sent. */
export const acceptValue: Decision = (tx, context, cipher, row) =>
  decide(tx, context, row, ({ value }) => {
    const text = cipher.open(value)
    return text === null ? null : { value: cipher.seal(text) }
  })

/** Queues the last verified value, with its name, type and secrecy. */
export const restoreVerified: Decision = (tx, context, cipher, row) =>
  decide(tx, context, row, (unverified, variable) => {
    const last = restorable(tx, variable, unverified)
    const text = last === null ? null : cipher.open(last.sealed)
    return last === null || text === null ? null : { name: last.name, value: cipher.seal(text), type: last.type, isSecret: last.isSecret }
  })

/** Returns the last verified value, if it belongs to the variable's environment and no other variable has its name. */
function restorable(tx: Tx, { id, parentId, fields }: Row, { last }: Unverified): LastVerified | null {
  if (last === null || parentId === null || last.environmentId !== getBase(tx, parentId)?.remoteId) return null
  const { name } = last
  const namesake = findWorking(tx, 'variable', parentId, name)
  return name !== fields.name && namesake !== null && namesake.id !== id ? null : last
}

function decide(
  tx: Tx,
  context: EditContext,
  { id, seen }: { id: string; seen: Seen },
  fieldsOf: (unverified: Unverified, row: Row) => Fields | null,
): boolean {
  const row = getWorking(tx, id)
  const saw = seenRow(tx, id, seen)
  const unverified = unverifiedOf(row)
  const environment = row?.parentId == null ? null : getWorking(tx, row.parentId)
  if (row === null || saw === null || unverified === null || environment === null) return false
  if (!sameField(row.fields.value, saw.fields.value)) return false
  const fields = fieldsOf(unverified, row)
  if (fields === null) return false
  context.remember?.(tx, id)
  const patch = changedFields(saw.fields, fields)
  enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: id, ancestors: ancestorsBelow(environment), patch, base: saw.fields }, context)
  return true
}
