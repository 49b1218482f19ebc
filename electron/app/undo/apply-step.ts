import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { lastDeleted } from '../../mirror/deleted-layer.ts'
import { enqueue } from '../../mirror/enqueue.ts'
import { keepWithdrawn, seenNow, versionIdsBelow } from '../../mirror/past-layer.ts'
import { advance, changesOfRow, dropEntry, hasOperationAfter, restoreEntry, rowsInConflict } from '../../mirror/queue-layer.ts'
import { rebaseRow } from '../../mirror/rebase-row.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking, idsBelow, pathFrom, refreshRow, workingRows } from '../../mirror/working-layer.ts'
import { isAttempted, isOperation, type Change, type Row } from '../../queue/entry.ts'
import { agree, changedFields, fieldNames, mergeableOf, pickFields, sameField, type FieldName, type Fields } from '../../queue/fields.ts'
import { mergeRow } from '../../sync/merge.ts'
import { conflictReason } from '../../sync/plan/conflict-reason.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { requeued } from '../../queue/transition.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { deleteParent } from '../edits/edit-parents.ts'
import { deleteVariable } from '../variables/edit-variable.ts'
import type { Direction, RowImage, Step } from './step.ts'

/** Why a step was not applied. `overtaken`: it can never be applied, because the state that it left no longer exists. */
export interface StepRefusal {
  refusal: AppError
  overtaken: boolean
}

/** One row of a step, with its expected state and its target state. */
interface Turn extends Pick<RowImage, 'id' | 'kind' | 'parentId' | 'saw' | 'asked' | 'dropped' | 'versions'> {
  expected: Fields | null
  target: Fields | null
}

/**
 * Applies a step backwards (undo) or forwards (redo). It runs in the caller's transaction, which must roll back on a refusal. Only fields
 * that the step changed are touched. Returns the local ids that had to change, old to new: a row whose deletion may have reached the
 * service is created as a new record. `evenInConflict`: also applies to rows in conflict. Their conflict stays open if it still has an edit
 * of the user.
 */
export function applyStep(
  tx: Tx,
  context: EditContext,
  step: Step,
  direction: Direction,
  { evenInConflict = false } = {},
): Result<Map<string, string>, StepRefusal> {
  const ids = step.images.map(({ id }) => id)
  const rows = workingRows(tx, ids)
  const turns = step.images.map(({ id, kind, parentId, before, after, saw, asked, dropped, versions }): Turn => {
    const row = { id, kind, parentId }
    if (direction === 'redo') return { ...row, expected: before, target: after, ...(saw && { saw }), ...(versions && { versions }) }
    const target = evenInConflict ? before : formerOf(rows.get(id), { before, after, ...(saw && { saw }) })
    return { ...row, expected: after, target, ...(asked && { asked }), ...(dropped && { dropped }) }
  })
  // Deletions come first, because they free names that other rows of the step need.
  turns.sort((a, b) => rankOf(a) - rankOf(b))
  const own = new Set(ids)
  const removed = new Set(turns.flatMap(({ id, target }) => (target === null ? [id] : [])))
  const inConflict = evenInConflict ? new Set<string>() : rowsInConflict(tx, ids)
  for (const turn of turns) {
    const row = rows.get(turn.id) ?? null
    // A deletion in conflict is undone like any other.
    if (inConflict.has(turn.id)) return err(notYet(`${quoted(turn, row)} is in conflict. Resolve that first, then ${direction} again.`))
    const refusal = refusalOf(tx, turn, row, { own, removed })
    if (refusal !== null) return err(refusal)
  }
  const moved = new Map<string, string>()
  const withdrawn = new Set<string>()
  const waiting = new Map(turns.map((turn) => [turn.id, turn]))
  const unnamed = new Set<string>()
  for (const turn of turns) {
    waiting.delete(turn.id)
    const done = applyTurn(tx, context, turn, { moved, withdrawn, waiting, unnamed, takesBack: evenInConflict })
    if (!done.ok) return done
    if (evenInConflict) dropEmptyConflict(tx, turn.id)
  }
  return ok(moved)
}

/**
 * Returns the fields that undo restores. If others had changed the row before the edit and have undone that since, these are the fields
 * that the user saw.
 */
function formerOf(row: Row | undefined, { before, after, saw }: Pick<RowImage, 'before' | 'after' | 'saw'>): Fields | null {
  if (before === null || after === null || saw === undefined || row === undefined) return before
  const edited = fieldNames.filter((field) => !sameField(before[field], after[field]))
  const isStillSet = edited.every((field) => sameField(mergeableOf(row)[field], after[field]))
  return isStillSet ? { ...before, ...pickFields(saw, edited) } : before
}

const rankOf = ({ expected, target }: Turn): number =>
  target === null ? 0 : expected !== null && expected.parent !== target.parent ? 1 : 2

/** Drops a change in conflict that no longer sets any field. The row then shows the remote values. */
function dropEmptyConflict(tx: Tx, id: string): void {
  const last = changesOfRow(tx, id).at(-1)
  if (last?.kind !== 'update' || last.state !== 'conflict' || Object.keys(last.patch).length > 0) return
  dropEntry(tx, last)
  refreshRow(tx, id)
}

/** Refuses a row that others have changed since. `own`: all rows of the step. `removed`: the rows that it removes. */
function refusalOf(
  tx: Tx,
  turn: Turn,
  row: Row | null,
  { own, removed }: Record<'own' | 'removed', ReadonlySet<string>>,
): StepRefusal | null {
  const { id, expected, target } = turn
  const now = row && { ...row, fields: mergeableOf(row) }
  const name = quoted(turn, now)
  if (target === null) {
    if (now === null) return null
    if (!agree(now.fields, turn.saw ?? expected ?? {})) return overtaken(`${name} was changed since.`)
    // A variable has no rows below it, and the check of a removed parent includes all rows below.
    if (now.kind === 'variable' || (now.parentId !== null && removed.has(now.parentId))) return null
    if (idsBelow(tx, now).some((below) => !own.has(below))) return overtaken(`Something was added to ${lowered(name)} since.`)
    if (versionIdsBelow(tx, id).some((version) => turn.versions?.includes(version) !== true))
      return overtaken(`A version of ${lowered(name)} was saved since.`)
    return null
  }
  if (expected === null) {
    return now === null || agree(now.fields, target) ? null : overtaken(`${name} exists again, with other content.`)
  }
  if (now === null) return overtaken(`${name} was deleted since.`)
  const fields = turnedFields(turn).filter((field) => !sameField(now.fields[field], expected[field]))
  return fields.some((field) => !sameField(now.fields[field], target[field])) ? overtaken(`${name} was changed since.`) : null
}

/** Returns the fields that a step changed. */
const turnedFields = ({ expected, target }: Turn): FieldName[] =>
  fieldNames.filter((field) => !sameField(expected?.[field], target?.[field]))

interface Progress {
  moved: Map<string, string>
  /** Rows that came back, with all rows below them, because their unsent deletion was dropped. */
  withdrawn: Set<string>
  /** The turns to come, by their rows. */
  waiting: ReadonlyMap<string, Turn>
  /** Rows that made room for another row of the step, and have a temporary name or slug until their turn. */
  unnamed: Set<string>
  /** See `NewChange`. */
  takesBack: boolean
}

function applyTurn(tx: Tx, context: EditContext, turn: Turn, progress: Progress): Result<null, StepRefusal> {
  const { target } = turn
  const { moved, withdrawn } = progress
  const was = target?.parent ?? turn.parentId
  const parentId = was === null ? null : (moved.get(was) ?? was)
  // A row below a withdrawn deletion comes back with it, from base and queue, which may be newer than the recorded step.
  if (target !== null && parentId !== null && withdrawn.has(parentId)) {
    withdrawn.add(turn.id)
    restoreDropped(tx, context, turn)
    return ok(null)
  }
  const now = getWorking(tx, turn.id)
  if (target === null) {
    if (now !== null) remove(tx, context, now)
    return ok(null)
  }
  if (now === null) return comeBack(tx, context, turn, { target, parentId }, progress)
  return change(tx, context, turn, now, target, progress, turn.saw && pickFields(turn.saw, turnedFields(turn)))
}

function remove(tx: Tx, context: EditContext, { id, kind }: Row): void {
  if (kind === 'variable') deleteVariable(tx, context, id, seenNow)
  else deleteParent(tx, context, kind, id, seenNow)
}

function comeBack(
  tx: Tx,
  context: EditContext,
  turn: Turn,
  { target, parentId }: { target: Fields; parentId: string | null },
  progress: Progress,
): Result<null, StepRefusal> {
  const { moved, withdrawn } = progress
  if (parentId !== null && getWorking(tx, parentId) === null) {
    return err(overtaken(`${quoted(turn, null)} can’t be restored: its project or environment was deleted.`))
  }
  // Created again, it would come back without its versions; a deletion that was answered is undone with them.
  if (isUnanswered(tx, turn.id) && versionIdsBelow(tx, turn.id).length > 0)
    return err(notYet(`${quoted(turn, null)} may already be deleted on the service. Try again once the service has answered.`))
  const taken = claimKey(tx, context, turn, parentId, target, progress)
  if (taken !== null) return err(taken)
  const deletion = withdrawDeletion(tx, context, turn.id)
  if (deletion !== null) {
    withdrawn.add(turn.id)
    const now = getWorking(tx, turn.id)
    const dropped = turn.dropped ?? []
    restoreDropped(tx, context, { dropped: dropped.filter(isOperation) })
    // Keep remote changes made while it was deleted here. If the deletion had answered a conflict, that conflict opens again.
    const isAsked = turn.asked?.conflict != null
    const saw = isAsked ? null : deletion.base
    // If the user had neither seen nor changed the row, it comes back with the remote values.
    if (now !== null && !isAsked && saw === null && dropped.every(isOperation)) return ok(null)
    if (now !== null) return askAgain(tx, context, turn, now, change(tx, context, turn, now, target, progress, saw))
  }
  // Create the row under a new id if the old one is still in use. A deletion that is being sent will remove the row with its queued
  // changes, and a deleted record may come back under its local id.
  const traces = getBase(tx, turn.id) !== null || changesOfRow(tx, turn.id).length > 0 || lastDeleted(tx, turn.id) !== null
  const id = traces ? context.newId() : turn.id
  if (traces) moved.set(turn.id, id)
  const { parent: _parent, ...patch } = target
  enqueue(tx, { kind: 'create', rowKind: turn.kind, rowId: id, ancestors: pathFrom(tx, parentId), patch, base: null }, context)
  return ok(null)
}

const pathNow = (tx: Tx, [parentId = null]: readonly (string | null)[]): string[] => pathFrom(tx, parentId)

/** Requeues the changes that a withdrawn deletion had dropped. */
function restoreDropped(tx: Tx, { newId }: EditContext, { dropped = [] }: Pick<Turn, 'dropped'>): void {
  for (const entry of dropped) {
    const back = restoreEntry(tx, requeued(entry, newId))
    const was = { ancestors: back.ancestors, leaves: isOperation(back) ? [] : back.leaves }
    // Its environment may have moved to another project since.
    const now = { ancestors: pathNow(tx, was.ancestors), leaves: pathNow(tx, was.leaves) }
    if (JSON.stringify(now) !== JSON.stringify(was)) advance(tx, back, { is: 'revise', id: newId(), ...now })
  }
  // Rebase them: others may have changed the rows while these changes were not queued.
  const changes = dropped.filter((entry) => !isOperation(entry))
  for (const rowId of new Set(changes.map((change) => change.rowId))) {
    rebaseRow(tx, newId, rowId, ({ state, kind, rowKind }) => state === 'sending' || (kind === 'delete' && rowKind !== 'variable'))
    refreshRow(tx, rowId)
  }
}

/**
 * Opens a conflict again that the undone edit had answered. Otherwise the restored values would overwrite the remote ones without the
 * user's choice. `now`: the row without the restored values.
 */
function askAgain<T>(tx: Tx, { newId }: EditContext, { id, asked }: Turn, now: Row, done: T): T {
  const last = changesOfRow(tx, id).at(-1)
  if (asked?.conflict == null || last?.kind !== 'update' || last.state === 'conflict' || isAttempted(last)) return done
  // The remaining edits of the row must not overwrite remote values either.
  const remote = mergeableOf(now)
  const local = { ...asked.base, ...last.patch }
  const revised = advance(tx, last, { is: 'revise', id: newId(), base: asked.base })
  if (asked.conflict.kind === 'fields' && mergeRow(asked.base, local, remote).conflicts.length === 0)
    rebaseRow(tx, newId, id, ({ state }) => state === 'sending')
  else if (revised !== null)
    advance(tx, revised, {
      is: 'park',
      reason: asked.reason ?? conflictReason(asked.conflict.kind),
      conflict: { ...asked.conflict, remote },
    })
  refreshRow(tx, id)
  return done
}

/** Whether a row's deletion is being sent, or its answer was lost. */
function isUnanswered(tx: Tx, id: string): boolean {
  const last = changesOfRow(tx, id).at(-1)
  return last?.kind === 'delete' && last.state === 'sending'
}

/** Removes an unsent deletion from the queue and returns it; null: the row has none. */
function withdrawDeletion(tx: Tx, { now }: EditContext, id: string): Change | null {
  const last = changesOfRow(tx, id).at(-1)
  if (last?.kind !== 'delete' || last.state === 'sending') return null
  // A later snapshot or rollback depends on the deletion.
  const [parentId] = last.ancestors
  if (last.rowKind === 'variable' && parentId !== undefined && hasOperationAfter(tx, parentId, last.seq)) return null
  dropEntry(tx, last)
  refreshRow(tx, id)
  keepWithdrawn(tx, last, now)
  return last
}

/** Queues the target fields of a turn. `saw`: the row as the user last saw it, if others have changed it since. */
function change(
  tx: Tx,
  context: EditContext,
  turn: Turn,
  now: Row,
  target: Fields,
  progress: Progress,
  saw?: Fields | null,
): Result<null, StepRefusal> {
  const fields = new Set(turnedFields(turn))
  if (progress.unnamed.has(turn.id)) fields.add(turn.kind === 'variable' ? 'name' : 'slug')
  const base = { ...mergeableOf(now), ...saw }
  for (const field of fields) {
    if (target[field] !== undefined || now.fields[field] === undefined) continue
    if (!forgetField(tx, context, turn.id, field))
      return err(overtaken(`${quoted(turn, now)} can’t be undone: its previous state is unknown.`))
  }
  const wanted = Object.fromEntries([...fields].map((field) => [field, target[field]])) as Fields
  const patch = changedFields(base, wanted)
  if (Object.keys(patch).length === 0) return ok(null)
  const { parent } = patch
  if (parent !== undefined && getWorking(tx, parent) === null) {
    return err(overtaken(`${quoted(turn, now)} can’t be moved back: its environment was deleted.`))
  }
  const taken = claimKey(tx, context, turn, parent ?? now.parentId, parent === undefined ? patch : { ...now.fields, ...patch }, progress)
  if (taken !== null) return err(taken)
  const path = parent === undefined ? {} : { leaves: pathFrom(tx, now.parentId) }
  const ancestors = pathFrom(tx, parent ?? now.parentId)
  const { takesBack } = progress
  enqueue(tx, { kind: 'update', rowKind: turn.kind, rowId: turn.id, ancestors, patch, base, takesBack, ...path }, context)
  // The undone edit had ended a conflict by setting the former value, so the conflict opens again.
  const theirs = turn.asked?.conflict?.kind === 'fields' ? getBase(tx, turn.id) : null
  return theirs === null ? ok(null) : askAgain(tx, context, turn, theirs, ok(null))
}

/** Makes a field unknown again that only an unsent change set; false: the change may have been sent. */
function forgetField(tx: Tx, { newId }: EditContext, id: string, field: FieldName): boolean {
  if (getBase(tx, id)?.fields[field] !== undefined) return false
  for (const each of changesOfRow(tx, id)) {
    if (each.patch[field] === undefined) continue
    if (each.kind !== 'update' || each.state === 'sending') return false
    const { [field]: _forgotten, ...patch } = each.patch
    if (Object.keys(patch).length === 0) dropEntry(tx, each)
    else advance(tx, each, { is: 'revise', id: newId(), patch })
  }
  refreshRow(tx, id)
  return true
}

/**
 * Returns a refusal if another row has taken the name or slug in the meantime. A row of the step that gets another one, or
 * another parent, in a later turn makes room: rows may have exchanged names or places.
 */
function claimKey(
  tx: Tx,
  context: EditContext,
  turn: Turn,
  parentId: string | null,
  fields: Fields,
  { waiting, unnamed }: Progress,
): StepRefusal | null {
  const key = naturalKey(turn.kind, fields)
  const other = key === null ? null : findWorking(tx, turn.kind, parentId, key)
  if (other === null || other.id === turn.id) return null
  const later = waiting.get(other.id)
  if (later === undefined || !leavesKey(later)) return overtaken(`Another ${turn.kind} is now named “${key}”.`)
  const { id, kind } = other
  unnamed.add(id)
  const patch = kind === 'variable' ? { name: context.newId() } : { slug: context.newId() }
  enqueue(
    tx,
    { kind: 'update', rowKind: kind, rowId: id, ancestors: pathFrom(tx, other.parentId), patch, base: mergeableOf(other) },
    context,
  )
  return null
}

/** Whether a turn gives its row another name, slug or parent, whatever the row has by then. */
const leavesKey = ({ kind, expected, target, saw }: Turn): boolean =>
  expected !== null &&
  target !== null &&
  saw === undefined &&
  (naturalKey(kind, expected) !== naturalKey(kind, target) || expected.parent !== target.parent)

function quoted({ kind, expected, target }: Turn, now: Row | null): string {
  const name = now?.fields.name ?? expected?.name ?? target?.name
  return name === undefined ? `The ${kind}` : `The ${kind} “${name}”`
}

/** Changes a phrase for the middle of a sentence. */
const lowered = (name: string): string => name.replace(/^The/, 'the')

const overtaken = (what: string): StepRefusal => ({
  refusal: { kind: 'invalid-input', message: `${what} Nothing was changed.` },
  overtaken: true,
})

const notYet = (message: string): StepRefusal => ({ refusal: { kind: 'invalid-input', message }, overtaken: false })
