import { baseChildren, deleteBase, getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { dropFollowedRow } from '../../mirror/followed-layer.ts'
import { keepHistory, type Overwrite } from '../../mirror/history-layer.ts'
import { deleteTheirs, expectedOf, forgetPast, putTheirs } from '../../mirror/past-layer.ts'
import {
  actsOn,
  addChange,
  changesBelow,
  changesOfRow,
  createClaiming,
  dropChange,
  putChange,
  queuedOfSort,
} from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { rebind } from '../../mirror/rebind.ts'
import { getWorking, refreshRow } from '../../mirror/working-layer.ts'
import { isAct, isAttempted, type BaseRow, type Change, type Conflict, type Sought } from '../../queue/entry.ts'
import { conflictReason } from '../plan/conflict-reason.ts'
import { changedFields, sameField, type Fields } from '../../queue/fields.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { rebaseChange, type Theirs } from '../plan/rebase.ts'
import { replayRow } from '../../queue/replay.ts'
import type { ApplyContext } from './apply-context.ts'
import type { RemoteRow } from './remote-row.ts'

const inFlight = (changes: readonly Change[]): boolean => changes.some((change) => change.state === 'sending')

/**
 * Writes a record the server shows into base and moves the unsent changes of the row onto it.
 * `parentId` is the local id of its parent (null for a project). Rows with a request whose outcome is
 * unknown are left alone: the look that settles it reads them anew. Says whether anything changed.
 */
export function applyUpsert(tx: Tx, theirs: RemoteRow, parentId: string | null, context: ApplyContext): boolean {
  const known = getBaseByRemote(tx, theirs.kind, theirs.remoteId)
  if (known === null) return adoptOrAdd(tx, theirs, parentId, context)
  const key = naturalKey(theirs.kind, theirs.fields)
  if (naturalKey(known.kind, known.fields) === null && key !== null) {
    // What came below it was read first and made a place for it; the row that the user made for the same record takes it over.
    const claim = createClaiming(tx, theirs.kind, parentId, key)
    if (claim?.state === 'sending') return false
    if (claim !== null) {
      rebind(tx, known.id, claim.rowId)
      adoptOrAdd(tx, theirs, parentId, context)
      adoptBelow(tx, claim.rowId, context)
      return true
    }
  }
  const changes = changesOfRow(tx, known.id)
  if (inFlight(changes)) return false
  const fields: Fields = { ...known.fields, ...theirs.fields }
  const samePlace = known.parentId === parentId
  if (samePlace && Object.keys(changedFields(known.fields, fields)).length === 0 && known.etag === theirs.etag) return false
  putTheirs(tx, { ...known, ...stampsOf(theirs), parentId, fields }, expectedOf(tx, known, fields), context.now)
  if (known.fields.value && !sameField(known.fields.value, fields.value)) {
    keepHistory(tx, known, { whose: 'theirs', why: 'changed', by: theirs.updatedBy }, context.now)
  }
  rebaseRow(tx, changes, { fields, by: theirs.updatedBy })
  refreshRow(tx, known.id)
  return true
}

/** A record not seen before: the row of an unsent create with its natural key, or a new row. */
function adoptOrAdd(tx: Tx, theirs: RemoteRow, parentId: string | null, context: ApplyContext): boolean {
  const key = naturalKey(theirs.kind, theirs.fields)
  const renamed = createOfRenamed(tx, theirs)
  const claim = renamed ?? (key === null ? null : createClaiming(tx, theirs.kind, parentId, key))
  if (claim?.state === 'sending') return false
  const id = claim?.rowId ?? context.newId()
  const made = claim === null ? null : getWorking(tx, id)
  putTheirs(tx, { id, kind: theirs.kind, parentId, fields: theirs.fields, ...stampsOf(theirs) }, made, context.now)
  if (claim !== null) {
    const sought = renamed === null || key === null ? claim.sought : { key, base: renamed.base }
    if (sought) putChange(tx, foundAgain(claim, sought, context))
    rebaseRow(tx, changesOfRow(tx, id), { fields: theirs.fields, by: theirs.updatedBy })
    if (renamed !== null) seekBelow(tx, id)
    else if (claim.conflict?.kind === 'deleted-remotely') askBelow(tx, id, claim.conflict)
  }
  refreshRow(tx, id)
  return true
}

/** What was edited in a place that turned out to be renamed only is an edit again as soon as its record is read there. */
function seekBelow(tx: Tx, id: string): void {
  for (const change of changesBelow(tx, id)) {
    const key = change.base === null ? null : naturalKey(change.rowKind, change.base)
    if (change.kind !== 'create' || key === null || isAttempted(change)) continue
    putChange(tx, { ...change, sought: { key, base: change.base } })
    seekBelow(tx, change.rowId)
  }
}

/** What a place that was taken for deleted has become, when its record is seen again under another slug. */
function createOfRenamed(tx: Tx, { kind, remoteId }: RemoteRow): Change | null {
  if (kind === 'variable') return null
  const creates = queuedOfSort(tx, 'create', kind).flatMap((queued) => (isAct(queued) ? [] : [queued]))
  return creates.find(({ conflict }) => conflict?.remoteId === remoteId) ?? null
}

/** What was read before its place was known to be the user's: each record that the user had made, too, is one row with that now. */
function adoptBelow(tx: Tx, placeId: string, context: ApplyContext): void {
  for (const child of baseChildren(tx, placeId)) {
    const key = naturalKey(child.kind, child.fields)
    const claim = key === null ? null : createClaiming(tx, child.kind, placeId, key)
    if (claim === null || claim.state === 'sending' || changesOfRow(tx, child.id).length > 0) continue
    rebind(tx, child.id, claim.rowId)
    adoptOrAdd(tx, { ...child, parentRemoteId: null }, placeId, context)
    adoptBelow(tx, claim.rowId, context)
  }
}

/** The record that a damaged database had forgotten is known again: what was made of the edit is the edit once more. */
function foundAgain(change: Change, { base }: Sought, context: ApplyContext): Change {
  if (base === null) return { ...change, sought: null }
  const resumed = { state: 'queued' as const, attempts: 0, nextAttemptAt: null, reason: null, conflict: null, sentTo: null, batch: null }
  return { ...change, ...resumed, id: context.newId(), kind: 'update', patch: changedFields(base, change.patch), base, sought: null }
}

/** A place that was gone is there again before the user was asked about it: then each row below that would be made again is a question of its own. */
function askBelow(tx: Tx, id: string, conflict: Conflict): void {
  if (changesOfRow(tx, id).length > 0) return
  for (const change of changesBelow(tx, id)) {
    if (change.kind !== 'create' || change.base === null || change.state !== 'queued' || isAttempted(change)) continue
    putChange(tx, { ...change, state: 'conflict', conflict, reason: conflictReason(conflict.kind) })
  }
}

/**
 * Moves a row's unsent changes, in order, onto what the server shows now. The first that is in
 * conflict is parked; what came after it on that row waits behind it, untouched.
 */
export function rebaseRow(tx: Tx, changes: readonly Change[], theirs: Theirs): void {
  let fields = theirs.fields ?? {}
  for (const change of changes) {
    const rebased = rebaseChange(change, { fields, by: theirs.by })
    if (rebased.do === 'settle') {
      dropChange(tx, change.id)
      continue
    }
    if (rebased.do === 'conflict') {
      // A create that met another's record stays one that met it, whatever becomes of the record.
      const kind = change.conflict?.kind === 'name-taken' && change.base === null ? 'name-taken' : rebased.conflict.kind
      // On a record that is another's: what the row was before somebody deleted it is no base for a merge with that one.
      const bound =
        change.kind === 'create' ? { kind: 'update' as const, patch: changedFields(fields, change.patch), base: null, sentTo: null } : {}
      const parked = {
        state: 'conflict' as const,
        conflict: { ...rebased.conflict, kind },
        reason: conflictReason(kind),
        nextAttemptAt: null,
      }
      putChange(tx, { ...change, ...bound, ...parked })
      return
    }
    const unparked = change.state === 'conflict' ? { state: 'queued' as const, conflict: null, reason: null } : {}
    putChange(tx, { ...change, ...unparked, patch: rebased.patch, base: rebased.base })
    fields = { ...fields, ...rebased.patch }
  }
}

/**
 * The server no longer has a row. Without unsent edits at or below it, it goes. With them it stays
 * as a conflict for the user: the row would be created again, and the edits below it with it.
 */
export function applyGone(tx: Tx, row: BaseRow, by: string | null, context: ApplyContext): void {
  const changes = changesOfRow(tx, row.id)
  if (inFlight(changes)) return
  if (changes.some((change) => change.kind === 'delete')) {
    removeRow(tx, row.id, { whose: 'mine', now: context.now })
    return
  }
  const edited = changes.length > 0 || hasEditsBelow(tx, row)
  if (!edited) {
    removeRow(tx, row.id, { whose: 'theirs', by, now: context.now })
    return
  }
  recreate(tx, row, context, {
    state: 'conflict',
    conflict: { kind: 'deleted-remotely', theirs: null, by, remoteId: row.remoteId },
    reason: conflictReason('deleted-remotely'),
  })
}

const hasEditsBelow = (tx: Tx, row: BaseRow): boolean =>
  changesBelow(tx, row.id).some((change) => change.kind !== 'delete') || baseChildren(tx, row.id).some((child) => hasEditsBelow(tx, child))

type Parking = Pick<Change, 'state' | 'conflict' | 'reason'>

/** Turns a row that is gone into one to create again, with everything below it that the user had edited. */
function recreate(tx: Tx, row: BaseRow, context: ApplyContext, parking: Parking): void {
  const changes = changesOfRow(tx, row.id)
  const first = changes[0]
  const barrier = first && row.kind === 'variable' ? actsOn(tx, row.parentId ?? '').find(({ seq }) => seq > first.seq) : undefined
  const until = barrier === undefined ? changes : changes.filter(({ seq }) => seq < barrier.seq)
  const fields = replayRow(row, until)?.fields ?? row.fields
  const ancestors = first?.ancestors ?? ancestorsOf(tx, row)
  for (const change of until.slice(1)) dropChange(tx, change.id)
  let standing = fields
  // What was queued after a snapshot or rollback stays after it, on what the row is then.
  for (const { patch, ...later } of changes.slice(until.length)) {
    const fresh = { state: 'queued' as const, attempts: 0, nextAttemptAt: null, reason: null, conflict: null }
    putChange(tx, { ...later, ...fresh, id: context.newId(), patch, base: standing, batch: null })
    standing = { ...standing, ...patch }
  }
  const create = {
    id: context.newId(),
    kind: 'create' as const,
    rowKind: row.kind,
    rowId: row.id,
    ancestors,
    patch: fields,
    base: row.fields,
    attempts: 0,
    nextAttemptAt: null,
    createdAt: context.now,
    ...parking,
  }
  if (first) putChange(tx, { ...create, seq: first.seq, createdAt: first.createdAt })
  else addChange(tx, create)
  for (const child of baseChildren(tx, row.id)) {
    const own = changesOfRow(tx, child.id)
    const isDeleted = own.some((change) => change.kind === 'delete')
    if (!isDeleted && (own.length > 0 || hasEditsBelow(tx, child)))
      recreate(tx, child, context, { state: 'queued', conflict: null, reason: null })
    else removeRow(tx, child.id, { whose: 'theirs', by: parking.conflict?.by ?? null, now: context.now })
  }
  deleteTheirs(tx, row, context.now)
  refreshRow(tx, row.id)
}

/** Local ids above a row, nearest first. */
function ancestorsOf(tx: Tx, row: BaseRow): string[] {
  if (row.parentId === null) return []
  const parent = getBase(tx, row.parentId)
  return [row.parentId, ...(parent ? ancestorsOf(tx, parent) : [])]
}

/** Removes a row and all below it from every layer. `deleted`: through whom; its values are kept in the history. Null: it is only forgotten here. */
export function removeRow(tx: Tx, id: string, deleted: (Pick<Overwrite, 'whose' | 'by'> & { now: number }) | null): void {
  for (const child of baseChildren(tx, id)) removeRow(tx, child.id, deleted)
  for (const change of changesBelow(tx, id)) dropWithBelow(tx, change)
  const base = deleted === null ? null : getBase(tx, id)
  if (base !== null && deleted !== null)
    keepHistory(tx, base, { whose: deleted.whose, by: deleted.by ?? null, why: 'deleted' }, deleted.now)
  for (const change of changesOfRow(tx, id)) dropChange(tx, change.id)
  if (base !== null && deleted?.whose === 'theirs') deleteTheirs(tx, base, deleted.now)
  else {
    deleteBase(tx, id)
    forgetPast(tx, id)
  }
  refreshRow(tx, id)
}

/** Drops a change; when it made a row, the row's later changes and what was built below it go with it. */
export function dropWithBelow(tx: Tx, change: Change): void {
  dropChange(tx, change.id)
  if (change.kind === 'create') {
    for (const below of changesBelow(tx, change.rowId)) dropWithBelow(tx, below)
    for (const later of changesOfRow(tx, change.rowId)) dropChange(tx, later.id)
    for (const act of actsOn(tx, change.rowId)) dropChange(tx, act.id)
  }
  refreshRow(tx, change.rowId)
}

/** The parts of a base row that come with every answer of the server. */
export const stampsOf = (theirs: RemoteRow) => ({
  remoteId: theirs.remoteId,
  etag: theirs.etag,
  createdAt: theirs.createdAt,
  updatedAt: theirs.updatedAt,
  updatedBy: theirs.updatedBy,
})

/**
 * The server did what a change asked. Its answer (null after a delete) becomes base, the change
 * leaves the queue, and what came after it on the row moves onto the answer: one transaction, the
 * caller's.
 */
export function settle(tx: Tx, change: Change, answer: RemoteRow | null, context: ApplyContext): void {
  dropChange(tx, change.id)
  if (answer === null) {
    removeRow(tx, change.rowId, { whose: 'mine', now: context.now })
    dropFollowedRow(tx, change.rowId)
    return
  }
  const base = getBase(tx, change.rowId)
  // A pull may have brought the record under another local id while this answer was lost: one row, the user's.
  const twin = getBaseByRemote(tx, answer.kind, answer.remoteId)
  if (twin !== null && twin.id !== change.rowId) rebind(tx, twin.id, change.rowId)
  const fields: Fields = { ...base?.fields, ...change.patch, ...answer.fields }
  // A create that met a record known here by another name, on a server that let it: that one's value was overwritten.
  const before = base ?? (twin === null ? null : { ...twin, id: change.rowId })
  if (before?.fields.value && !sameField(before.fields.value, fields.value))
    keepHistory(tx, before, { whose: 'mine', why: 'changed' }, context.now)
  const parentId = base?.parentId ?? change.ancestors[0] ?? null
  const expected = { parentId, fields: { ...base?.fields, ...change.patch } }
  putTheirs(tx, { id: change.rowId, kind: change.rowKind, parentId, fields, ...stampsOf(answer) }, expected, context.now)
  rebaseRow(tx, changesOfRow(tx, change.rowId), { fields, by: answer.updatedBy })
  refreshRow(tx, change.rowId)
}
