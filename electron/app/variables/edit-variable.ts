import { variableNameProblem } from '../../../service/protocol/names.ts'
import type { Commands } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import { isUnverified } from '../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { enqueue, enqueueNew } from '../../mirror/enqueue.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import { changesOfRow } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getVariable, getWorking, pathFrom } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import type { Row } from '../../queue/entry.ts'
import { changedFields, sameField, type Fields } from '../../queue/fields.ts'
import { guessSecret } from '../../transfer/guess-secret.ts'
import { dropParked } from '../edits/drop-parked.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { damagedValue, invalid, notFound, taken, unverifiedValue } from '../edits/refusals.ts'
import { valueProblem } from '../edits/value-problem.ts'
import { isDamagedValue } from '../repair/is-damaged-value.ts'

type CreateInput = Omit<Commands['variables.create']['args'], 'workspaceId'>
type UpdateInput = Omit<Commands['variables.update']['args'], 'workspaceId'>

/** Queues a new variable with a sealed value. Returns its local id, and whether it is a secret. */
export function createVariable(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  input: CreateInput,
): Result<{ id: string; isSecret: boolean }> {
  const environment = getWorking(tx, input.environmentId)
  if (environment?.kind !== 'environment') return notFound('environment')
  const { name, value, type } = input
  const problem = variableNameProblem(name)
  if (problem !== null) return invalid('name', problem)
  const tooLarge = valueProblem(value)
  if (tooLarge !== null) return invalid('value', tooLarge)
  if (findWorking(tx, 'variable', environment.id, name) !== null) return taken('variable', name)
  const isSecret = input.isSecret ?? guessSecret(name)
  return ok({ id: addVariable(tx, context, environment, { name, value: cipher.seal(value), type, isSecret }), isSecret })
}

/** Queues a new variable with these fields. Its name must be free in the environment. Returns its local id. */
export function addVariable(tx: Tx, context: EditContext, environment: Row, patch: Fields): string {
  const rowId = context.newId()
  context.remember?.(tx, rowId, 'new')
  enqueueNew(tx, { rowKind: 'variable', rowId, ancestors: ancestorsBelow(environment), patch }, context)
  return rowId
}

/**
 * Queues the fields that differ from those the user saw. If others changed the same fields since, or deleted the variable, the edit becomes
 * a conflict that keeps the typed values.
 */
export function updateVariable(tx: Tx, context: EditContext, cipher: WorkspaceCipher, { id, seen, ...input }: UpdateInput): Result<null> {
  const saw = seenRow(tx, id, seen)
  const row = getWorking(tx, id) ?? saw
  const environment = row?.parentId ? getWorking(tx, row.parentId) : null
  if (row?.kind !== 'variable' || environment === null) return notFound('variable')
  if (input.name !== undefined && input.name !== saw?.fields.name) {
    const problem = variableNameProblem(input.name)
    if (problem !== null) return invalid('name', problem)
    if ((findWorking(tx, 'variable', environment.id, input.name)?.id ?? id) !== id) return taken('variable', input.name)
  }
  const tooLarge = input.value === undefined ? null : valueProblem(input.value)
  if (tooLarge !== null) return invalid('value', tooLarge)
  if (input.value === undefined && row.fields.value !== undefined && isUnverified(row.fields.value.sealed)) return unverifiedValue()
  if (input.value === undefined && waitsDamaged(tx, cipher, id)) return damagedValue()
  context.remember?.(tx, id, saw)
  const { name, type, isSecret } = input
  const value = input.value === undefined ? undefined : cipher.seal(input.value)
  const base = saw?.fields ?? null
  const patch = changedFields(base ?? {}, { name, value, type, isSecret })
  enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: id, ancestors: ancestorsBelow(environment), patch, base }, context)
  return ok(null)
}

/** Whether a change of the row is parked because its value is damaged. Another edit of the row would send that value. */
const waitsDamaged = (tx: Tx, cipher: WorkspaceCipher, id: string): boolean =>
  changesOfRow(tx, id).some(({ state, patch }) => state === 'failed' && patch.value !== undefined && isDamagedValue(cipher, patch.value))

/**
 * Queues the deletion of a variable, and returns true. Returns false if it no longer exists. The deletion becomes a conflict if others changed
 * the variable since the user saw it, or if it was in conflict.
 */
export function deleteVariable(tx: Tx, context: EditContext, id: string, seen: Seen): boolean {
  const row = getVariable(tx, id)
  const environment = row && getWorking(tx, row.parentId)
  if (row === null || environment === null) return false
  context.remember?.(tx, id, seenRow(tx, id, seen))
  const base = dropParked(tx, context, row, seen)
  const left = getWorking(tx, id)
  // The history keeps the typed value of a dropped change, because no other copy exists.
  if (!sameField(row.fields.value, left?.fields.value)) keepHistory(tx, row, { whose: 'mine', why: 'deleted' }, context.now)
  const remote = getBase(tx, id)
  if (left === null && remote === null) return true
  // A parked move was dropped above, so the row is in its environment on the service, even if the user has deleted that.
  const ancestors = pathFrom(tx, left?.parentId ?? remote?.parentId ?? environment.id)
  enqueue(tx, { kind: 'delete', rowKind: 'variable', rowId: id, ancestors, patch: {}, base }, context)
  return true
}
