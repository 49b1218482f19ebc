import { labelProblem, noteProblem } from '../../../service/protocol/names.ts'
import type { Commands } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import { operationsOn } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { versionsOf } from '../../mirror/versions-layer.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { toPreview, planFromWorking } from '../../mirror/preview-rollback.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { queueVersionOperation } from '../edits/queue-operation.ts'
import { invalid, notFound, taken } from '../edits/refusals.ts'
import { findMirrored } from './find-version.ts'
import { isMoved, isWaiting } from './version-errors.ts'

/** Queues a snapshot. Returns the local id of the future version. */
export function createVersion(
  tx: Tx,
  context: EditContext,
  input: Omit<Commands['versions.create']['args'], 'workspaceId'>,
): Result<{ id: string; changeId: string }> {
  const environment = getWorking(tx, input.environmentId)
  if (environment?.kind !== 'environment') return notFound('environment')
  const label = input.label?.trim()
  const note = input.note?.trim()
  const badLabel = label === undefined || label === '' ? null : labelProblem(label)
  if (badLabel !== null) return invalid('label', badLabel)
  const badNote = note === undefined ? null : noteProblem(note)
  if (badNote !== null) return invalid('note', badNote)
  if (label !== undefined && label !== '' && isTaken(tx, environment.id, label)) return taken('version', label)
  const rowId = context.newId()
  const detail = { ...(label ? { label } : {}), ...(note ? { note } : {}), remoteId: context.newId() }
  const operation = { kind: 'snapshot' as const, rowKind: 'version' as const, rowId, ancestors: ancestorsBelow(environment), detail }
  return ok({ id: rowId, changeId: queueVersionOperation(tx, context, operation) })
}

function isTaken(tx: Tx, environmentId: string, label: string): boolean {
  const remoteId = getBase(tx, environmentId)?.remoteId
  const onService = remoteId !== undefined && versionsOf(tx, remoteId).some((version) => version.label === label)
  return onService || operationsOn(tx, environmentId).some((operation) => operation.kind === 'snapshot' && operation.detail.label === label)
}

/** Queues a rollback. `fingerprint`: identifies the preview that the user approved. */
export function rollBack(
  tx: Tx,
  context: EditContext,
  { versionId, fingerprint }: Omit<Commands['versions.rollback']['args'], 'workspaceId'>,
): Result<{ changeId: string }> {
  const found = findMirrored(tx, versionId)
  if (!found.ok) return found
  const { version, environment } = found.value
  if (operationsOn(tx, environment.id).some((operation) => operation.kind === 'rollback')) return isWaiting()
  const agreed = toPreview(planFromWorking(tx, environment.id, versionId))
  if (agreed.fingerprint !== fingerprint) return isMoved()
  const operation = { kind: 'rollback' as const, rowKind: 'version' as const, rowId: versionId, ancestors: ancestorsBelow(environment) }
  return ok({ changeId: queueVersionOperation(tx, context, { ...operation, detail: { label: version.label, agreed } }) })
}
