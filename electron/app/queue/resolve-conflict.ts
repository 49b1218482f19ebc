import { variableNameProblem } from '../../../service/protocol/names.ts'
import type { Commands } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { baseChildren, getBase } from '../../mirror/base-layer.ts'
import { enqueue, type EnqueueContext } from '../../mirror/enqueue.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { moveUnsent, unsentBelow } from '../../mirror/move-unsent.ts'
import { changesBelow, changesOfRow, dropChange, putChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking, refreshRow } from '../../mirror/working-layer.ts'
import type { Change } from '../../queue/entry.ts'
import { dropWithBelow } from '../../sync/effects/apply-theirs.ts'
import { changedFields, fieldNames, pickFields, sameField, type Fields } from '../../queue/fields.ts'
import { damagedValue, invalid, taken } from '../edits/refusals.ts'
import { isDamagedValue } from '../rescue/is-damaged-value.ts'
import { restack } from './restack.ts'

export type Choice = Commands['conflicts.resolve']['args']['choice']

/** Carries out what the user chose for a change in conflict. Errors: of a name that will not do, and `value-unreadable` for a value that damage altered. */
export function resolveConflict(tx: Tx, context: EnqueueContext, cipher: WorkspaceCipher, change: Change, choice: Choice): Result<null> {
  if (choice.take === 'theirs') takeTheirs(tx, context, change)
  else {
    const edited = choice.take === 'edit' ? sealEdits(choice.fields, cipher) : {}
    const problem = nameProblem(tx, change, edited)
    if (problem !== null) return problem
    if (edited.value === undefined && change.patch.value && isDamagedValue(cipher, change.patch.value)) return damagedValue()
    keepMine(tx, context, change, edited)
  }
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

/** The server's side stands. What the user had typed stays in the local history. */
function takeTheirs(tx: Tx, context: EnqueueContext, change: Change): void {
  const mine = getWorking(tx, change.rowId)
  if (change.patch.value && mine !== null) {
    keepHistory(
      tx,
      { ...mine, fields: { ...mine.fields, ...change.patch } },
      { whose: 'theirs', why: 'given-up', by: change.conflict?.by ?? null },
      context.now,
    )
  }
  if (change.kind === 'create') {
    keepBelow(tx, context, change)
    dropWithBelow(tx, change)
  } else if (change.conflict?.kind === 'name-taken' && change.conflict.theirs === null) {
    const { name: _name, slug: _slug, ...rest } = change.patch
    if (Object.keys(rest).length === 0) dropChange(tx, change.id)
    else putChange(tx, requeued(change, { patch: rest }, change.id))
  } else dropChange(tx, change.id)
  restack(tx, change.rowId, change)
}

/** What was typed below a place that is given up goes with it, and stays in the local history. */
function keepBelow(tx: Tx, context: EnqueueContext, { rowId, conflict }: Change): void {
  for (const below of changesBelow(tx, rowId)) {
    const row = getWorking(tx, below.rowId)
    const { value } = below.patch
    if (below.rowKind !== 'variable') keepBelow(tx, context, below)
    else if (row !== null && value !== undefined) {
      const why = sameField(value, below.base?.value) ? ('deleted' as const) : ('given-up' as const)
      keepHistory(tx, { ...row, fields: { ...row.fields, value } }, { whose: 'theirs', why, by: conflict?.by ?? null }, context.now)
    }
  }
}

/** The user's side stands, edited or not, on top of what the server has now. */
function keepMine(tx: Tx, context: EnqueueContext, change: Change, edited: Fields): void {
  const base = getBase(tx, change.rowId)
  const rename = change.rowKind === 'variable' ? edited.name : edited.slug
  if (change.conflict?.kind === 'name-taken' && change.conflict.theirs !== null && change.base === null && rename !== undefined) {
    splitOff(tx, context, change, edited)
    return
  }
  outdateBehind(tx, context, change, edited)
  const patch = { ...change.patch, ...edited }
  if (change.kind === 'create' || base === null) putChange(tx, requeued(change, { kind: 'create', patch, base: null }, context.newId()))
  else if (change.kind === 'delete' && Object.keys(edited).length === 0) {
    putChange(tx, requeued(change, { base: base.fields }, context.newId()))
  } else {
    const left = changedFields(base.fields, patch)
    if (Object.keys(left).length === 0) dropChange(tx, change.id)
    else putChange(tx, requeued(change, { kind: 'update', patch: left, base: base.fields }, context.newId()))
  }
  refreshRow(tx, change.rowId)
}

/** Both stay: theirs keeps the row it was bound to, mine becomes a row of its own under another name. */
function splitOff(tx: Tx, context: EnqueueContext, change: Change, edited: Fields): void {
  const mine: Fields = { ...getWorking(tx, change.rowId)?.fields, ...edited }
  for (const own of changesOfRow(tx, change.rowId)) dropChange(tx, own.id)
  refreshRow(tx, change.rowId)
  const { rowKind, ancestors } = change
  const rowId = context.newId()
  enqueue(tx, { kind: 'create', rowKind, rowId, ancestors, patch: mine, base: null }, context)
  // What the user made below mine was never meant for theirs, nor below an environment of theirs that mine was the same as.
  for (const { id } of rowKind === 'project' ? baseChildren(tx, change.rowId) : []) {
    const fields = unsentBelow(tx, id).length === 0 ? undefined : getWorking(tx, id)?.fields
    if (fields === undefined) continue
    const copyId = context.newId()
    enqueue(tx, { kind: 'create', rowKind: 'environment', rowId: copyId, ancestors: [rowId], patch: fields, base: null }, context)
    moveUnsent(tx, id, copyId)
  }
  moveUnsent(tx, change.rowId, rowId)
}

/** What was typed to settle a conflict is newer than what waits behind it on the same fields, and takes its place. */
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
    if (Object.keys(patch).length === 0) dropChange(tx, later.id)
    else putChange(tx, { ...later, patch })
  }
}

/** A change to send as if it were new: another body under the same Idempotency-Key would be an error. */
const requeued = (change: Change, parts: Partial<Change>, id: string): Change => ({
  ...change,
  ...parts,
  id,
  state: 'queued',
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  conflict: null,
  sentTo: null,
  batch: null,
  // The user has looked at this row and chosen: it does not wait for a copy of what it was.
  after: null,
})
