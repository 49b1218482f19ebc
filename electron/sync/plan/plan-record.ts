import { ancestorsFrom } from '../../queue/ancestors.ts'
import { coveredBy } from '../../queue/covered-by.ts'
import { createElsewhere } from '../../queue/create-elsewhere.ts'
import { isAttempted, isMove, isPlaceholder, type BaseRow, type Change, type Conflict, type Entry, type Row } from '../../queue/entry.ts'
import {
  agree,
  changedFields,
  fieldNames,
  isOnlyReseal,
  mergeableOf,
  pickFields,
  sameField,
  sentFields,
  type FieldName,
  type Fields,
} from '../../queue/fields.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { replayRow } from '../../queue/replay.ts'
import { transition, type EntryEvent } from '../../queue/transition.ts'
import type { RemoteRow } from '../port.ts'
import { conflictReason } from './conflict-reason.ts'
import { rebaseAll } from './rebase.ts'
import type { Facts, Recreation, Step } from './step.ts'

/**
 * The steps to write for a record, none when nothing changed. `held`: a request about the record is unanswered, and sync reads it again
 * after the answer.
 */
export type RecordPlan = readonly Step[] | 'held'

const isSending = (changes: readonly Change[]): boolean => changes.some(({ state }) => state === 'sending')

/**
 * Plans a record that the service shows. `parentId`: the local id of its parent; null for a project. `known`: the base row of the record.
 */
export function planRecord(
  record: RemoteRow,
  parentId: string | null,
  facts: Facts,
  known = facts.baseOf(record.kind, record.remoteId),
): RecordPlan {
  if (known === null) return planNewRecord(record, parentId, facts)
  const claim = isPlaceholder(known) ? claimOn(record, parentId, facts) : null
  if (claim?.state === 'sending') return 'held'
  // Its children arrived first, below a placeholder; the row that the user created for the same record replaces the placeholder.
  if (claim !== null) return [{ do: 'rebind', from: known.id, to: claim.rowId }, ...adopt(record, parentId, claim, facts)]
  const changes = facts.changesOf(known.id)
  if (isSending(changes)) return 'held'
  const fields: Fields = { ...known.fields, ...record.fields }
  const isSame = known.parentId === parentId && known.etag === record.etag && Object.keys(changedFields(known.fields, fields)).length === 0
  return isSame ? [] : writeRecord(known, { ...known, ...stampsOf(record), parentId, fields }, changes, facts)
}

/** Writes the new base of a known row, and rebases its unsent changes onto it. */
export function writeRecord(known: BaseRow, row: BaseRow, changes: readonly Change[], facts: Facts): Step[] {
  const steps: Step[] = [{ do: 'write', row, expected: expectedOf(known, row, changes) }]
  if (known.fields.value && !sameField(known.fields.value, row.fields.value)) {
    steps.push({ do: 'keep', row: known, overwrite: { whose: 'theirs', why: 'changed', by: row.updatedBy } })
  }
  return [...steps, ...rebaseOnto(row, changes, facts), { do: 'refresh', rowId: row.id }]
}

/** Local ids of the ancestors of a base row, nearest first. */
const ancestorsOf = ({ parentId }: BaseRow, facts: Facts): string[] => ancestorsFrom(parentId, (id) => facts.base(id)?.parentId)

/** Rebases the unsent changes of a row onto its new base. */
export function rebaseOnto(row: BaseRow, changes: readonly Change[], facts: Facts): Step[] {
  // Most records have none: their ancestors need not be read.
  if (changes.length === 0) return []
  return rebaseAll(changes, { fields: mergeableOf(row), ancestors: ancestorsOf(row, facts), by: row.updatedBy }, facts.newId)
}

/** The parts of a base row that come with every answer of the service. */
export const stampsOf = ({ remoteId, etag, createdAt, updatedAt, updatedBy }: RemoteRow) => ({
  remoteId,
  etag,
  createdAt,
  updatedAt,
  updatedBy,
})

/**
 * Returns the row as the service would show it if only this user had written it: base, with the fields that an unsent change set to the
 * remote value. It reads the unsent changes, because the working row has only the last of several edits, and is missing in a deleted
 * environment.
 */
function expectedOf(known: BaseRow, remote: Row, changes: readonly Change[]): Pick<Row, 'parentId' | 'fields'> {
  const isMine = (name: FieldName) => changes.some(({ patch }) => patch[name] !== undefined && sameField(patch[name], remote.fields[name]))
  const isMovedAlike = changes.some(({ patch }) => patch.parent !== undefined && patch.parent === remote.parentId)
  const mine = pickFields(remote.fields, fieldNames.filter(isMine))
  return { parentId: isMovedAlike ? remote.parentId : known.parentId, fields: { ...known.fields, ...mine } }
}

/** Plans a record without a base row: it belongs to an unsent create, or becomes a new row. */
function planNewRecord(record: RemoteRow, parentId: string | null, facts: Facts): RecordPlan {
  const claim = claimOn(record, parentId, facts)
  if (claim?.state === 'sending') return 'held'
  if (claim !== null) return adopt(record, parentId, claim, facts)
  const id = facts.idFor(record.kind, record.remoteId)
  const row = { id, kind: record.kind, parentId, fields: record.fields, ...stampsOf(record) }
  return [{ do: 'insert', row }]
}

/** Returns the unsent create that a record belongs to: found by its remote id, its name, or its former name. */
function claimOn(record: RemoteRow, parentId: string | null, facts: Facts): Change | null {
  const own = facts.createOf(record.kind, record.remoteId)
  const key = naturalKey(record.kind, record.fields)
  return own ?? (key === null ? null : (facts.createClaiming(record.kind, parentId, key) ?? renamedMeanwhile(record, parentId, facts)))
}

/**
 * Returns the create of a variable that the user renamed, in an environment that was deleted and then restored: the record still has the
 * former name.
 */
function renamedMeanwhile({ kind, fields }: RemoteRow, parentId: string | null, facts: Facts): Change | null {
  if (kind !== 'variable' || parentId === null || fields.name === undefined) return null
  const claim = facts.createAgain(parentId, fields.name)
  const isThis = claim !== null && claim.base !== null && claim.conflict === null && !isAttempted(claim) && isUnchanged(claim.base, fields)
  return isThis ? claim : null
}

/** Gives a record the local id of an unsent create. The create becomes an update of that record, or a conflict with it. */
export function adopt(record: RemoteRow, parentId: string | null, claim: Change, facts: Facts): Step[] {
  const row = { id: claim.rowId, kind: record.kind, parentId, fields: record.fields, ...stampsOf(record) }
  const steps: Step[] = [{ do: 'write', row, expected: facts.working(row.id) }]
  const changes = facts.changesOf(row.id)
  const isBack = claim.conflict?.kind === 'deleted-remotely' && claim.conflict.remoteId === record.remoteId
  const { base } = claim
  const isFormer = record.remoteId !== claim.remoteId && facts.createOf(record.kind, record.remoteId)?.id === claim.id
  if (base !== null && (isBack || isFormer || isUnchanged(base, record.fields))) {
    // The record still exists, for example in a restored project: the create becomes an update again. That includes a move by the user,
    // which a create has in `ancestors`, not in its patch.
    const patch = changedFields(base, base.parent === undefined ? claim.patch : { ...claim.patch, parent: claim.ancestors[0] })
    const event: EntryEvent = Object.keys(patch).length === 0 ? { is: 'confirm' } : { is: 'found', id: facts.newId(), patch, base }
    const found = transition(claim, event)
    const rest = changes.flatMap((change) => (change.id === claim.id ? (found ?? []) : [change]))
    steps.push({ do: 'advance', entry: claim, event }, ...rebaseOnto(row, rest, facts))
  } else steps.push(...rebaseOnto(row, changes, facts))
  if (claim.conflict?.kind === 'deleted-remotely' && !isBack) steps.push(...askDescendants(row.id, claim.conflict, facts))
  return [...steps, { do: 'refresh', rowId: row.id }]
}

/** Whether a record equals the base of a deleted row, in all fields that both have. */
const isUnchanged = (base: Fields, fields: Fields): boolean => Object.keys(base).length > 0 && agree(base, fields)

/**
 * Asks the user about each row below a parent that would be created again. Others created the deleted parent again first, so the question
 * about that parent no longer covers the rows.
 */
function askDescendants(id: string, { remoteId: _parent, ...conflict }: Conflict, facts: Facts): Step[] {
  return facts.childChanges(id).flatMap((change): Step[] => {
    if (change.kind !== 'create' || change.base === null || change.state !== 'queued' || change.attempts > 0) return []
    return [{ do: 'advance', entry: change, event: { is: 'park', conflict, reason: conflictReason(conflict.kind) } }]
  })
}

/**
 * Plans a row that the service deleted. Without unsent changes at or below it, it is removed. With them it stays, and the user is asked:
 * the row would be created again, together with the rows below it that have changes.
 */
export const planDeleted = (row: BaseRow, by: string | null, facts: Facts): RecordPlan =>
  isSending(facts.changesOf(row.id)) ? 'held' : deletedRow(row, by, facts)

/** Like `planDeleted`, but for a row whose request has just been answered, so that nothing holds it. */
export function deletedRow(row: BaseRow, by: string | null, facts: Facts): Step[] {
  const changes = facts.changesOf(row.id)
  const deletion = changes.find(({ kind }) => kind === 'delete')
  const conflict: Conflict = { kind: 'deleted-remotely', remote: null, by, remoteId: row.remoteId }
  if (deletion !== undefined) {
    // A deletion in conflict is undecided, so others deleted the row.
    const whose = deletion.state === 'conflict' ? ({ whose: 'theirs', by } as const) : ({ whose: 'mine', by: null } as const)
    if (deletion.seen === null || !hasEditedNews(row.id, deletion.seen, facts)) return removeRow(row, whose, facts)
    // The user edited rows that others moved here after the deletion: the deletion does not include these edits.
    const rest = changes.filter(({ id }) => id !== deletion.id)
    return [leave(deletion), ...recreate(row, conflict, facts, rest)]
  }
  if (!changes.some(isEdit) && !hasEditedDescendants(row.id, facts)) return removeRow(row, { whose: 'theirs', by }, facts)
  return recreate(row, conflict, facts)
}

/** Whether the change has something that the user typed: a deletion and a reseal do not. */
const isEdit = ({ kind, patch }: Change): boolean => kind !== 'delete' && !isOnlyReseal(patch)

/** Whether the user has edited a row that others moved below this one after the revision `seen`. */
const hasEditedNews = (id: string, seen: number, facts: Facts): boolean =>
  facts.childChanges(id).some((change) => isEdit(change) && change.base !== null && facts.wasElsewhere(change.rowId, id, seen)) ||
  facts.children(id).some((child) => hasEditedNews(child.id, seen, facts))

const hasEditedDescendants = (id: string, facts: Facts): boolean =>
  facts.childChanges(id).some(isEdit) || facts.children(id).some((child) => hasEditedDescendants(child.id, facts))

/** The environment that an unsent move takes a row to; null: the row is not moved. */
const destinationOf = (changes: readonly Change[]): string | null => changes.findLast((change) => isMove(change))?.ancestors[0] ?? null

/**
 * Turns a deleted row into a row to create again, with everything below it that has unsent changes. `conflict`: the question that the user
 * has to answer first.
 */
function recreate(row: BaseRow, conflict: Conflict | null, facts: Facts, changes = facts.changesOf(row.id)): Step[] {
  const [first] = changes
  const until = beforeOperation(row, changes, facts)
  const fields = replayRow(row, until)?.fields ?? row.fields
  const ancestors = until.findLast((change) => isMove(change))?.ancestors ?? first?.ancestors ?? ancestorsOf(row, facts)
  const steps: Step[] = until.slice(1).map((change): Step => leave(change))
  // Changes queued after a snapshot or rollback stay after it, based on the row as it is at that point.
  let current = mergeableOf({ kind: row.kind, parentId: ancestors[0] ?? null, fields })
  for (const later of changes.slice(until.length)) {
    // A field that others edited too keeps its base, so that it stays a conflict: the user had not seen that edit.
    const touched = fieldNames.filter((name) => later.patch[name] !== undefined)
    const base = { ...current, ...pickFields(later.base ?? {}, touched) }
    steps.push({ do: 'advance', entry: later, event: { is: 'rebase', id: facts.newId(), base } })
    current = { ...current, ...sentFields(later.patch) }
  }
  const remoteId = facts.newId()
  const made: Recreation = { rowKind: row.kind, rowId: row.id, ancestors, patch: fields, base: row.fields, remoteId }
  if (first === undefined) steps.push({ do: 'add', change: made, conflict })
  else {
    const reason = conflict && conflictReason(conflict.kind)
    // Keep the values that the user saw: if the deleted row is restored, an open conflict about it opens again. A row that was bound to a
    // record of its name has no base.
    const bytes = { patch: fields, base: first.base && { ...first.base, ...coveredBy(until) }, ancestors, leaves: [] }
    steps.push({ do: 'advance', entry: first, event: { is: 'recreate', id: facts.newId(), remoteId, conflict, reason, ...bytes } })
  }
  for (const child of facts.children(row.id)) steps.push(...afterParent(child, conflict?.by ?? null, facts))
  steps.push(...askOnce(row.id, facts))
  const kept = { by: conflict?.by ?? null }
  return [...steps, { do: 'forget', row, whose: 'theirs', kept }, { do: 'refresh', rowId: row.id }]
}

/** Asks once, about the deleted parent: rows below that the user was already asked about are queued again, and wait for the parent. */
const askOnce = (parentId: string, facts: Facts): Step[] =>
  facts.childChanges(parentId).flatMap((change): Step[] => {
    if (change.kind !== 'create') return []
    const isAsked = change.conflict?.kind === 'deleted-remotely'
    const answered: Step[] = isAsked ? [{ do: 'advance', entry: change, event: { is: 'retry', id: facts.newId() } }] : []
    return [...answered, ...askOnce(change.rowId, facts)]
  })

/**
 * Returns the changes before the first snapshot or rollback that was queued after the row's first change, in any environment that the row
 * is in or moves to.
 */
function beforeOperation(row: BaseRow, changes: readonly Change[], facts: Facts): readonly Change[] {
  const [first] = changes
  if (first === undefined || row.kind !== 'variable') return changes
  const environments = new Set([row.parentId, ...changes.map((change) => change.ancestors[0])].filter((id) => id != null))
  const later = [...environments].flatMap((id) => facts.operationsOn(id)).filter(({ seq }) => seq > first.seq)
  return changes.filter(({ seq }) => later.every((operation) => seq < operation.seq))
}

/** Plans a row whose parent is created again: with unsent changes it is created again too; without, it is removed with the old parent. */
function afterParent(child: BaseRow, by: string | null, facts: Facts): Step[] {
  const own = facts.changesOf(child.id)
  const isDeleted = own.some(({ kind }) => kind === 'delete')
  if (!isDeleted && isMovedOut(child, own)) return recreateElsewhere(child, by, facts)
  if (!isDeleted && (own.some(isEdit) || hasEditedDescendants(child.id, facts))) return recreate(child, null, facts)
  return removeRow(child, { whose: 'theirs', by }, facts)
}

const isMovedOut = (row: BaseRow, changes: readonly Change[]): boolean => (destinationOf(changes) ?? row.parentId) !== row.parentId

/** Asks whether to create a variable where its unsent move leads: its environment was deleted first. */
const recreateElsewhere = (row: BaseRow, by: string | null, facts: Facts): Step[] =>
  recreate(row, { kind: 'deleted-remotely', remote: null, by, remoteId: row.remoteId }, facts)

/**
 * Removes a row and all rows below it. `deletion`: by whom, so that its values are kept; null: the mirror only forgets the row. `isBelow`:
 * its parent is removed too.
 */
export function removeRow(
  row: BaseRow,
  deletion: { whose: 'mine' | 'theirs'; by: string | null } | null,
  facts: Facts,
  isBelow = false,
): Step[] {
  // flatMap, because push(...steps) cannot take a hundred thousand arguments.
  const steps = facts.children(row.id).flatMap((child) => {
    const own = facts.changesOf(child.id)
    const isKept = deletion !== null && !own.some(({ kind }) => kind === 'delete') && isMovedOut(child, own)
    return isKept ? recreateElsewhere(child, deletion.by, facts) : removeRow(child, deletion, facts, true)
  })
  for (const change of facts.childChanges(row.id)) {
    // The loop above has handled the changes of rows that base has below this one.
    if (facts.base(change.rowId)?.parentId === row.id) continue
    const dropped = dropDescendant(change, facts)
    if (deletion !== null && dropped.some((step) => step.do === 'advance' && step.entry.id === change.id && step.event.is === 'drop'))
      steps.push(...keepUnsent(facts.base(change.rowId), [change]))
    steps.push(...dropped)
  }
  if (deletion !== null)
    steps.push({ do: 'keep', row, overwrite: { ...deletion, why: 'deleted' } }, ...keepUnsent(row, facts.changesOf(row.id)))
  const changes = facts.changesOf(row.id)
  for (const change of changes) steps.push(leave(change))
  // Drop the operations on an environment that the user deleted. After a deletion by others they stay, and the user is told that they can't
  // be done.
  if (deletion?.whose === 'mine') steps.push(...facts.operationsOn(row.id).map(leave))
  // Restoring an environment does not restore a variable that the user had deleted.
  const isOwn = row.kind === 'variable' && deletion?.whose === 'mine' && (!isBelow || changes.some(({ kind }) => kind === 'delete'))
  const kept = deletion === null || isOwn ? null : { by: deletion.by }
  return [...steps, { do: 'forget', row, whose: deletion?.whose ?? 'mine', kept }, { do: 'refresh', rowId: row.id }]
}

/** Keeps the unsent value of a row that is deleted with its parent: the queue has the only copy. */
function keepUnsent(row: BaseRow | null, changes: readonly Change[]): Step[] {
  const mine = replayRow(row, changes)
  if (mine?.fields.value === undefined || sameField(mine.fields.value, row?.fields.value)) return []
  return [{ do: 'keep', row: mine, overwrite: { whose: 'mine', why: 'deleted' } }]
}

/** Drops a change; when it creates a row, the row's later changes and everything queued below it go with it. */
export function dropWithDescendants(change: Change, facts: Facts): Step[] {
  const steps: Step[] = [leave(change)]
  if (change.kind === 'create') {
    steps.push(...dropDescendants(change.rowId, facts))
    steps.push(...facts.changesBeside(change).map(leave))
  }
  return [...steps, { do: 'refresh', rowId: change.rowId }]
}

/** Drops everything queued below a row that will never exist on the service. */
export const dropDescendants = (rowId: string, facts: Facts): Step[] => [
  ...facts.operationsOn(rowId).map(leave),
  ...facts.childChanges(rowId).flatMap((change) => dropDescendant(change, facts)),
]

/** Drops a change below a deleted parent. A variable that was moved out of it is created in its new environment. */
function dropDescendant(change: Change, facts: Facts): Step[] {
  const elsewhere = change.kind === 'create' ? createElsewhere(facts.changesOf(change.rowId)) : null
  if (elsewhere === null) return dropWithDescendants(change, facts)
  const { merged, move, event } = elsewhere
  return [...merged.map(leave), { do: 'advance', entry: move, event }, { do: 'refresh', rowId: change.rowId }]
}

/** Removes an entry of a deleted row from the queue. One that is being sent has nothing left to do: it is confirmed. */
const leave = (entry: Entry): Step => ({ do: 'advance', entry, event: { is: entry.state === 'sending' ? 'confirm' : 'drop' } })
