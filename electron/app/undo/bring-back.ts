import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { fieldsOfDeleted, getDeleted, isNothingDeleted, lastDeleted } from '../../mirror/deleted-layer.ts'
import { enqueue } from '../../mirror/enqueue.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, pathFrom } from '../../mirror/working-layer.ts'
import { changedFields, fieldNames, mergeableOf, pickFields, sameField, type Fields } from '../../queue/fields.ts'
import { keepsDeleted, restoreOnService } from '../deleted/restore-on-service.ts'
import type { EditContext } from '../edits/edit-context.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { applyStep, type StepRefusal } from './apply-step.ts'
import type { AppliedStep, RowImage, Step } from './step.ts'

/**
 * Asks the service to restore the projects and environments of a step whose deletion it has confirmed, and syncs. They come back under
 * their local ids, with history and versions. If the service can't restore one, or can't be reached, undo creates it again. Returns
 * whether one was restored. Fails if a restored one can't be read yet, because others may have changed it.
 */
export async function restoreSent(session: WorkspaceSession, { images }: Step): Promise<Result<boolean>> {
  const phase = session.engine?.status().phase
  if (!keepsDeleted(session) || phase === 'paused' || phase === 'offline') return ok(false)
  const isUnknown = (tx: Tx, id: string) => getWorking(tx, id) === null && getBase(tx, id) === null
  const deleted = session.mirror.snapshot((tx) =>
    images.flatMap(({ id, kind, after }) => (kind !== 'variable' && after === null && isUnknown(tx, id) ? (getDeleted(tx, id) ?? []) : [])),
  )
  const ids = new Set(deleted.map(({ id }) => id))
  let isRestored = false
  // An environment comes back with its project.
  for (const { id, remote_id: remoteId } of deleted.filter(({ parent_id: parent }) => parent === null || !ids.has(parent))) {
    const restored = await restoreOnService(session, remoteId)
    if (!restored.ok || !restored.value) continue
    if (session.mirror.snapshot((tx) => isUnknown(tx, id))) return err(notReadYet)
    isRestored = true
  }
  return ok(isRestored)
}

const notReadYet = {
  kind: 'offline',
  message: 'The service restored it, but it couldn’t be read yet. Wait for the next sync, then undo again.',
} as const

/**
 * Undoes a step. For deleted rows that the service has restored, it queues the edits that were unsent. If others have changed a row since,
 * its edit becomes a conflict.
 */
export function undoStep(tx: Tx, context: EditContext, step: Step): Result<AppliedStep, StepRefusal> {
  const applied = applyStep(tx, context, { ...step, images: leftToUndo(tx, context, step) }, 'undo')
  return applied.ok ? ok({ step, moved: applied.value }) : applied
}

/** Queues the unsent edits of rows that the service has restored. Returns the images of the rows that are left to undo. */
function leftToUndo(tx: Tx, context: EditContext, { images }: Step): readonly RowImage[] {
  if (isNothingDeleted(tx)) return images
  const left = new Set<string>()
  return images.filter((image) => {
    const row = getWorking(tx, image.id)
    if (row === null && isLeftDeleted(tx, image, left)) {
      left.add(image.id)
      return false
    }
    const was = row && returnedFrom(tx, image)
    if (!was) return true
    const { patch, base: madeOn } = unsentIn(image, was)
    const base = { ...mergeableOf(row), ...madeOn }
    const ancestors = pathFrom(tx, row.parentId)
    if (Object.keys(patch).length > 0) enqueue(tx, { kind: 'update', rowKind: row.kind, rowId: row.id, ancestors, patch, base }, context)
    return false
  })
}

/**
 * Whether a row stays deleted: its parent is restored and the row is not, because others have deleted it; or its parent stays deleted
 * (`left`). A row with unsent edits is created again.
 */
function isLeftDeleted(tx: Tx, { id, parentId, unsent = [] }: RowImage, left: ReadonlySet<string>): boolean {
  if (parentId === null || unsent.length > 0 || lastDeleted(tx, id) === null) return false
  // It exists on the service: only an unsent deletion hides it.
  if (getBase(tx, id) !== null) return false
  const parent = getBase(tx, parentId)
  return left.has(parentId) || (parent !== null && parent.remoteId === lastDeleted(tx, parentId)?.remote_id)
}

/** Returns the fields that the service last showed before the deletion, if the same record is restored; null: it is not. */
function returnedFrom(tx: Tx, { id, before, after }: RowImage): Fields | null {
  const deleted = before !== null && after === null ? lastDeleted(tx, id) : null
  return deleted !== null && getBase(tx, id)?.remoteId === deleted.remote_id ? fieldsOfDeleted(deleted) : null
}

/**
 * Returns the unsent edits that a row had when it was deleted, with their base, so that an open conflict opens again. `was`: the fields
 * that the service showed before the deletion; edits that had reached it are left out. The parent stays as restored.
 */
function unsentIn({ unsent = [] }: RowImage, was: Fields): { patch: Fields; base: Fields } {
  const [patch, base]: [Fields, Fields] = [{}, {}]
  for (const field of fieldNames.filter((name) => name !== 'parent')) {
    const edits = unsent.filter((change) => change.patch[field] !== undefined)
    const sent = edits.findLast((change) => sameField(change.patch[field], was[field]))
    const [last] = edits.slice(-1)
    if (last === undefined || last === sent) continue
    Object.assign(patch, pickFields(last.patch, [field]))
    Object.assign(base, pickFields(sent?.patch ?? edits[0]?.base ?? {}, [field]))
  }
  return { patch: changedFields(base, patch), base }
}
