import { variableNameProblem } from '../../../service/protocol/names.ts'
import type { Commands } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { baseChildren, getBase } from '../../mirror/base-layer.ts'
import { enqueue, type EnqueueContext } from '../../mirror/enqueue.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { moveUnsent, unsentDescendants } from '../../mirror/move-unsent.ts'
import { resealBroughtBack } from '../../mirror/reseal.ts'
import { advance, childChanges, changesOfRow, dropEntry, moveBehind } from '../../mirror/queue-layer.ts'
import { forgetPast, keepGivenUp, keepWithdrawn, newestRev } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking, pathFrom, refreshRow } from '../../mirror/working-layer.ts'
import type { Change, Row } from '../../queue/entry.ts'
import { claimsOf } from '../../queue/natural-key.ts'
import { replayRow } from '../../queue/replay.ts'
import { changedFields, fieldNames, mergeableOf, pickFields, sameField, type Fields } from '../../queue/fields.ts'
import { damagedValue, invalid, nothingToEdit, taken } from '../edits/refusals.ts'
import { valueProblem } from '../edits/value-problem.ts'
import { isDamagedValue } from '../repair/is-damaged-value.ts'
import { holderOf } from './describe-change.ts'
import { dropWithBelow } from './drop-with-below.ts'
import { restack } from './restack.ts'

export type Choice = Commands['conflicts.resolve']['args']['choice']

/** Applies the user's choice to a change in conflict. Errors: those of an invalid name or value; `value-unreadable` for a damaged value. */
export function resolveConflict(tx: Tx, context: EnqueueContext, cipher: WorkspaceCipher, change: Change, choice: Choice): Result<null> {
  if (choice.take === 'edit' && change.conflict?.kind === 'changed-below') return nothingToEdit(change)
  if (choice.take === 'theirs') return takeRemote(tx, context, change)
  const tooLarge = choice.take === 'edit' && choice.fields.value !== undefined ? valueProblem(choice.fields.value) : null
  if (tooLarge !== null) return invalid('value', tooLarge)
  const edited = choice.take === 'edit' ? sealEdits(choice.fields, cipher) : {}
  const problem = nameProblem(tx, change, edited)
  if (problem !== null) return problem
  if (edited.value === undefined && change.patch.value && isDamagedValue(cipher, change.patch.value)) return damagedValue()
  keepMine(tx, context, change, edited)
  return ok(null)
}

function sealEdits({ value, ...rest }: Extract<Choice, { take: 'edit' }>['fields'], cipher: WorkspaceCipher): Fields {
  return pickFields({ ...rest, value: value === undefined ? undefined : cipher.seal(value) }, fieldNames)
}

function nameProblem(tx: Tx, change: Change, edited: Fields) {
  if (change.rowKind !== 'variable' || edited.name === undefined) return null
  const problem = variableNameProblem(edited.name)
  if (problem !== null) return invalid('name', problem)
  const other = findWorking(tx, 'variable', change.ancestors[0] ?? null, edited.name)
  return other !== null && other.id !== change.rowId ? taken('variable', edited.name) : null
}

/** Takes the remote side. The history keeps the user's values. */
function takeRemote(tx: Tx, context: EnqueueContext, change: Change): Result<null> {
  const mine = getWorking(tx, change.rowId)
  const typed = rowWithUnsent(tx, change.rowId)
  if (change.patch.value && typed !== null) {
    keepHistory(
      tx,
      { ...typed, fields: { ...typed.fields, ...change.patch } },
      { whose: 'theirs', why: 'given-up', by: change.conflict?.by ?? null },
      context.now,
    )
  }
  if (change.kind === 'create') {
    keepDescendants(tx, context, change)
    const dropped = dropWithBelow(tx, context, change)
    if (!dropped.ok) return dropped
  } else if (change.conflict?.kind === 'name-taken' && change.conflict.remote === null) {
    // The other record keeps the name. The user's row gets its old name and parent back.
    const { name: _name, slug: _slug, parent: _parent, ...patch } = change.patch
    const ancestors = change.patch.parent === undefined ? change.ancestors : change.leaves
    if (Object.keys(patch).length === 0) dropEntry(tx, change)
    else advance(tx, change, { is: 'rebase', id: context.newId(), patch, ancestors, leaves: [] })
  } else dropEntry(tx, change)
  const restacked = restack(tx, context, change, mine)
  if (!restacked.ok) return restacked
  if (mine !== null) keepGivenUp(tx, mine, context.now)
  // The conflict only counted the remote changes in a project or environment: no screen has shown them.
  if (change.rowKind !== 'variable') keepWithdrawn(tx, change, context.now)
  return ok(null)
}

/** Puts the values of the changes below a dropped create into the history. */
function keepDescendants(tx: Tx, context: EnqueueContext, { rowId, conflict }: Change): void {
  for (const below of childChanges(tx, rowId)) {
    const row = rowWithUnsent(tx, below.rowId)
    const { value } = below.patch
    if (below.rowKind !== 'variable') keepDescendants(tx, context, below)
    else if (row !== null && value !== undefined) {
      const why = sameField(value, below.base?.value) ? ('deleted' as const) : ('given-up' as const)
      keepHistory(tx, { ...row, fields: { ...row.fields, value } }, { whose: 'theirs', why, by: conflict?.by ?? null }, context.now)
    }
  }
}

/** Keeps the user's side, edited or not, on top of the current remote row. */
function keepMine(tx: Tx, context: EnqueueContext, change: Change, edited: Fields): void {
  const { conflict } = change
  const rename = change.rowKind === 'variable' ? edited.name : edited.slug
  if (conflict?.kind === 'name-taken' && conflict.remote !== null && change.base === null && rename !== undefined) {
    splitOff(tx, context, change, edited)
    return
  }
  const freeing = conflict?.kind === 'name-taken' ? freedBy(tx, change, edited) : undefined
  // Sent before what frees its name, it would be refused each time.
  const kept = freeing === undefined ? change : moveBehind(tx, change, freeing)
  outdateBehind(tx, context, kept, edited)
  advanceMine(tx, context, kept, edited)
  // The row is created again: remote changes of the deleted record don't matter to the new one.
  if (getBase(tx, change.rowId) === null) forgetPast(tx, change.rowId)
  refreshRow(tx, change.rowId)
}

function advanceMine(tx: Tx, context: EnqueueContext, change: Change, edited: Fields): void {
  const id = context.newId()
  const row = rowWithUnsent(tx, change.rowId, change.seq)
  const base = row && mergeableOf(row)
  const here = pathFrom(tx, row?.parentId ?? null)
  const patch = { ...change.patch, ...edited }
  if (change.conflict?.kind === 'changed-below') advance(tx, change, { is: 'retry', id, seen: newestRev(tx) })
  else if (change.kind === 'create') advance(tx, change, { is: 'rebase', id, patch, base: null })
  // A row that is removed takes its changes with it, so a deletion without one has nothing to delete or to edit.
  else if (base === null && change.kind === 'delete') dropEntry(tx, change)
  else if (base === null) {
    const { parent: _parent, ...whole } = { ...change.base, ...patch }
    advance(tx, change, { is: 'recreate', id, remoteId: context.newId(), conflict: null, reason: null, patch: whole, base: null })
  } else if (change.kind === 'delete' && Object.keys(edited).length === 0) {
    advance(tx, change, { is: 'rebase', id, base, ancestors: here })
  } else {
    const left = changedFields(base, patch)
    const path = left.parent === undefined ? { ancestors: here, leaves: [] } : { ancestors: change.ancestors, leaves: here }
    if (Object.keys(left).length === 0) dropEntry(tx, change)
    else if (change.kind === 'update') advance(tx, change, { is: 'rebase', id, patch: left, base, ...path })
    else {
      // The user typed these values instead of deleting.
      dropEntry(tx, change)
      enqueue(tx, { kind: 'update', rowKind: change.rowKind, rowId: change.rowId, patch: left, base, ...path }, context)
    }
  }
}

/** Returns the later change by which the variable that has the name on the service gives it up; undefined: it keeps the name. */
function freedBy(tx: Tx, change: Change, edited: Fields): Change | undefined {
  const claiming = { ...change, patch: { ...change.patch, ...edited } }
  const holder = change.rowKind === 'variable' ? holderOf(tx, claiming) : null
  if (holder === null || holder.id === change.rowId) return undefined
  const wanted = claimsOf(claiming).takes
  return changesOfRow(tx, holder.id).find((later) => {
    const { takes, frees } = claimsOf(later)
    return (
      later.seq > change.seq &&
      (later.kind === 'delete' || takes !== null) &&
      frees?.parentId === wanted?.parentId &&
      frees?.key === wanted?.key
    )
  })
}

/** Keeps both: the remote record keeps the row it was bound to, and the user's row becomes a new one under another name. */
function splitOff(tx: Tx, context: EnqueueContext, change: Change, edited: Fields): void {
  const shown = getWorking(tx, change.rowId)
  const mine: Fields = { ...rowWithUnsent(tx, change.rowId)?.fields, ...edited }
  for (const own of changesOfRow(tx, change.rowId).filter(({ seq }) => seq >= change.seq)) dropEntry(tx, own)
  resealBroughtBack(tx, change.rowId, context)
  refreshRow(tx, change.rowId)
  if (shown !== null) keepGivenUp(tx, shown, context.now)
  const { rowKind, ancestors } = change
  const rowId = context.newId()
  enqueue(tx, { kind: 'create', rowKind, rowId, ancestors, patch: mine, base: null }, context)
  // Rows that the user created below this one go with the new row. Rows in a remote environment that merged with one of the user's get a
  // copy of that environment.
  for (const { id } of rowKind === 'project' ? baseChildren(tx, change.rowId) : []) {
    const fields = unsentDescendants(tx, id).length === 0 ? undefined : getWorking(tx, id)?.fields
    if (fields === undefined) continue
    const copyId = context.newId()
    enqueue(tx, { kind: 'create', rowKind: 'environment', rowId: copyId, ancestors: [rowId], patch: fields, base: null }, context)
    moveUnsent(tx, id, copyId, context)
  }
  moveUnsent(tx, change.rowId, rowId, context)
}

/**
 * Returns base with the unsent changes of a row, or only with those before `seq`. No screen shows the row if its user has deleted its project
 * or environment.
 */
const rowWithUnsent = (tx: Tx, rowId: string, seq = Infinity): Row | null =>
  replayRow(
    getBase(tx, rowId),
    changesOfRow(tx, rowId).filter((each) => each.seq < seq),
  )

/** Removes the edited fields from later changes of the row: the values that the user typed to resolve the conflict are newer. */
function outdateBehind(tx: Tx, context: EnqueueContext, change: Change, edited: Fields): void {
  for (const later of changesOfRow(tx, change.rowId)) {
    if (later.seq <= change.seq || later.kind !== 'update' || later.state === 'sending') continue
    const left = fieldNames.filter((name) => edited[name] === undefined)
    const patch = pickFields(later.patch, left)
    if (Object.keys(patch).length === Object.keys(later.patch).length) continue
    const row = getWorking(tx, change.rowId)
    if (row !== null && later.patch.value && edited.value) {
      keepHistory(tx, { ...row, fields: { ...row.fields, value: later.patch.value } }, { whose: 'mine', why: 'changed' }, context.now)
    }
    if (Object.keys(patch).length === 0) dropEntry(tx, later)
    else advance(tx, later, { is: 'revise', id: context.newId(), patch })
  }
}
