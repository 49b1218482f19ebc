import { createHash } from 'node:crypto'
import type { ConflictRow, ConflictSide, QueuedField, QueueRow } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { baseChildren, findBase, getBase } from '../../mirror/base-layer.ts'
import { deletedByRemote } from '../../mirror/deleted-layer.ts'
import { newestRev, newsSince } from '../../mirror/past-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { descendantEntries } from '../../mirror/queue-layer.ts'
import { readOutlines } from '../../mirror/reads/queue-outlines.ts'
import { takeTurns } from '../../mirror/reads/take-turns.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { toPreview, planFromWorking } from '../../mirror/preview-rollback.ts'
import {
  isOperation,
  isParked,
  isToBeChecked,
  type BaseRow,
  type Operation,
  type Change,
  type Conflict,
  type Entry,
} from '../../queue/entry.ts'
import { editedFields, fieldNames, sameField, type FieldName, type Fields, type SealedValue } from '../../queue/fields.ts'
import { claimsOf } from '../../queue/natural-key.ts'
import { waitsFor } from '../../sync/plan/waits-for.ts'
import { newsWords } from '../edits/news-words.ts'
import { shownValue } from '../variables/shown-value.ts'
import { conflictOfOperation, nameOfOperation, partsOfOperation } from './describe-operation.ts'

const iso = (time: number): string => new Date(time).toISOString()

/** Returns the name of a change's row as the user sees it; for a deleted row, its former name. */
export const nameOf = (tx: Tx, change: Change): string =>
  change.patch.name ?? getWorking(tx, change.rowId)?.fields.name ?? change.base?.name ?? ''

/** Returns the path of a change's row as "Project / Environment". */
export const whereOf = (tx: Tx, change: Pick<Entry, 'ancestors'>): string =>
  change.ancestors
    .flatMap((id) => (getWorking(tx, id) ?? getBase(tx, id))?.fields.name ?? [])
    .toReversed()
    .join(' / ')

const placeOf = ({ rowKind, rowId, ancestors }: Entry): QueueRow['at'] => {
  const nearestFirst = rowKind === 'variable' || rowKind === 'version' ? ancestors : [rowId, ...ancestors]
  const places = rowKind === 'member' ? [] : rowKind === 'project' ? [undefined, rowId] : nearestFirst
  return { projectId: places[1] ?? null, environmentId: places[0] ?? null, variableId: rowKind === 'variable' ? rowId : null }
}

/**
 * Returns a function that returns an entry as the queue list shows it. An entry that waits for a parked one names it. `entries`: all
 * entries, or their outlines.
 */
export function rowsOfQueue(tx: Tx, entries: readonly Entry[]): (entry: Entry) => QueueRow {
  // Who waits for whom takes as long to find out as all else, and only a parked entry is named.
  const waits = entries.some(isParked) ? waitsFor(entries) : null
  const paths = new Map<string, string>()
  return (entry) => {
    const wait = waits?.get(entry.id)
    const key = entry.ancestors.join('/')
    const where = paths.get(key) ?? whereOf(tx, entry)
    paths.set(key, where)
    return { ...toQueueRow(tx, entry, where), waitsFor: wait?.needsAttention === true ? subjectOf(tx, wait.entry) : null }
  }
}

/** Returns the queue list, one consistent state of it, and lets other work run in between. */
export function listQueue(mirror: Pick<Mirror, 'lasting'>): Promise<QueueRow[]> {
  return mirror.lasting(async (tx) => {
    const entries = await readOutlines(tx)
    const toRow = rowsOfQueue(tx, entries)
    const turn = takeTurns()
    const rows: QueueRow[] = []
    for (const entry of entries) {
      rows.push(toRow(entry))
      await turn()
    }
    return rows
  })
}

const subjectOf = (tx: Tx, entry: Entry): NonNullable<QueueRow['waitsFor']> => ({
  changeId: entry.id,
  subject: entry.rowKind,
  name: isOperation(entry) ? nameOfOperation(entry) : nameOf(tx, entry),
})

/** Returns an entry as the queue list shows it. `where`: its path, if the caller knows it already. */
export const toQueueRow = (tx: Tx, entry: Entry, where = whereOf(tx, entry)): QueueRow => ({
  changeId: entry.id,
  seq: entry.seq,
  kind: isEditOfDeleted(entry) ? 'update' : isCreateOfTaken(entry) ? 'create' : entry.kind,
  subject: entry.rowKind,
  ...(isOperation(entry) ? partsOfOperation(entry) : partsOf(tx, entry)),
  reason: entry.reason,
  isToBeChecked: isToBeChecked(entry),
  waitsFor: null,
  where,
  at: placeOf(entry),
  state: entry.state,
  conflict: entry.conflict?.kind ?? null,
  ...remoteAuthorOf(tx, entry),
  attempts: entry.attempts,
  nextAttemptAt: entry.nextAttemptAt === null ? null : iso(entry.nextAttemptAt),
  createdAt: iso(entry.createdAt),
})

/**
 * Returns who changed the row on the service, and when. If an answer left this out, a later pull writes it to the base row. If a name is
 * taken, it is about the record that has the name. Who deleted a project or environment is known once the list of deleted ones was read.
 */
const remoteAuthorOf = (tx: Tx, entry: Entry): Pick<QueueRow, 'remoteBy' | 'remoteAt'> => {
  const { rowId, conflict } = entry
  if (conflict === null) return { remoteBy: null, remoteAt: null }
  const base = conflict.kind === 'name-taken' ? holderOf(tx, entry) : getBase(tx, rowId)
  const deletedBy = conflict.remoteId === undefined ? null : (deletedByRemote(tx, conflict.remoteId)?.by ?? null)
  return { remoteBy: conflict.by ?? base?.updatedBy ?? deletedBy, remoteAt: base?.updatedAt ?? null }
}

/** Returns the base row that has the name or slug that a change claims; null: no pull has shown it yet. */
export function holderOf(tx: Tx, entry: Entry): BaseRow | null {
  const takes = isOperation(entry) ? null : claimsOf(entry).takes
  if (takes === null) return null
  if (entry.rowKind === 'variable') return takes.parentId === null ? null : findBase(tx, takes.parentId, takes.key)
  return baseChildren(tx, takes.parentId).find(({ kind, fields }) => kind === entry.rowKind && fields.slug === takes.key) ?? null
}

/** Whether the user edited a row that others deleted, by itself or with its parent. The edit is then a create. */
const isEditOfDeleted = (entry: Entry): boolean => entry.kind === 'create' && entry.base !== null

/** Whether the user created a row, and others created one of the same name. The create is then an update of that record. */
const isCreateOfTaken = (entry: Entry): boolean => entry.kind === 'update' && entry.conflict?.kind === 'name-taken' && entry.base === null

/** Whether a side's value of a field differs from the base. */
const isChanged = (field: FieldName, { base }: Change, side: Fields): boolean =>
  side[field] !== undefined && (base?.[field] === undefined || !sameField(base[field], side[field]))

const partsOf = (tx: Tx, change: Change): Pick<QueueRow, 'name' | 'fields' | 'counts'> => ({
  name: nameOf(tx, change),
  fields:
    change.kind === 'update'
      ? fieldNames.filter((field) => change.patch[field] !== undefined)
      : isEditOfDeleted(change)
        ? fieldNames.filter((field) => isChanged(field, change, change.patch))
        : [],
  counts: null,
})

/** Which values may be shown. `reveal`: all. `maskAll`: none. Otherwise: those that are not secret. */
interface Shown {
  reveal: boolean
  maskAll: boolean
}

/**
 * Returns the fields that a change edits, before and after. For a created or deleted row: all its fields but name and parent. Empty for an
 * operation, and for a value that is only sealed again.
 */
export function toQueuedFields(tx: Tx, entry: Entry, cipher: WorkspaceCipher, show: Shown): QueuedField[] {
  if (isOperation(entry)) return []
  const now: Fields | null = entry.kind === 'delete' ? null : entry.patch
  // Others may have made it a secret since: a change behind a conflict keeps its old base.
  const theirs = getBase(tx, entry.rowId)?.fields ?? null
  const side = sidesOf(tx, cipher, isMasked([entry.base, now && { ...entry.base, ...now }, theirs], theirs?.isSecret, show))
  return fieldNames
    .filter((field) => isEdited(field, entry))
    .map((field) => ({ field, was: side(entry.base, field), now: side(now, field) }))
}

function isEdited(field: FieldName, change: Change): boolean {
  const { kind, patch, base } = change
  if (kind === 'update') return editedFields(patch)[field] !== undefined
  return isEditOfDeleted(change) ? isChanged(field, change, patch) : isOfWhole(field, kind === 'delete' ? base : patch)
}

/** For a whole row, leaves out name and parent: the screen already shows them. */
const isOfWhole = (field: FieldName, fields: Fields | null): boolean =>
  field !== 'name' && field !== 'parent' && fields?.[field] !== undefined

/** Returns a change in conflict as Was / Mine / Theirs: one row per field in which the two sides differ. */
export function toConflictRow(tx: Tx, entry: Entry, cipher: WorkspaceCipher, show: Shown): ConflictRow | null {
  const { conflict } = entry
  if (conflict === null) return null
  const core = {
    changeId: entry.id,
    kind: conflict.kind,
    subject: entry.rowKind,
    where: whereOf(tx, entry),
    ...remoteAuthorOf(tx, entry),
    fingerprint: fingerprintOf(tx, entry),
    news: newsBelow(tx, entry),
  }
  return isOperation(entry)
    ? { ...core, name: nameOfOperation(entry), ...conflictOfOperation(tx, entry) }
    : { ...core, name: nameOf(tx, entry), fields: fieldsInConflict(tx, entry, conflict, cipher, show), rollback: null }
}

/**
 * Describes the remote changes in a project or environment that the user deletes, and counts the user's unsent ones. The deletion removes
 * both.
 */
function newsBelow(tx: Tx, entry: Entry): ConflictRow['news'] {
  if (isOperation(entry) || entry.conflict?.kind !== 'changed-below' || entry.seen === null) return null
  const unsent = descendantEntries(tx, entry.rowId).filter(({ kind }) => kind !== 'delete').length
  return { words: newsWords(newsSince(tx, entry.rowId, entry.seen)), unsent }
}

/** Returns a digest of the conflict as it is shown. */
export function fingerprintOf(tx: Tx, entry: Entry): string {
  const below = entry.conflict?.kind === 'changed-below' ? newestRev(tx) : null
  const shown = isOperation(entry) ? contentsOf(tx, entry) : [entry.kind, entry.base, entry.patch, below]
  return createHash('sha256')
    .update(JSON.stringify([entry.conflict, shown]))
    .digest('hex')
}

const contentsOf = (tx: Tx, operation: Operation): unknown =>
  operation.kind === 'rollback' ? toPreview(planFromWorking(tx, operation.ancestors[0], operation.rowId)) : operation.detail

function fieldsInConflict(tx: Tx, change: Change, conflict: Conflict, cipher: WorkspaceCipher, show: Shown): ConflictRow['fields'] {
  const mine: Fields | null = change.kind === 'delete' ? null : { ...change.base, ...change.patch }
  // A side without a secrecy, such as an edit of other fields, counts as secret if the remote row is.
  const side = sidesOf(tx, cipher, isMasked([change.base, mine, conflict.remote], conflict.remote?.isSecret, show))
  return fieldNames
    .filter((field) => isInQuestion(field, change, mine, conflict.remote))
    .map((field) => ({ field, was: side(change.base, field), mine: side(mine, field), theirs: side(conflict.remote, field) }))
}

/** Whether the values of these sides are masked: one of them is secret, or may be. `unsaid`: the secrecy of a side that has none. */
const isMasked = (sides: readonly (Fields | null)[], unsaid: boolean | undefined, { reveal, maskAll }: Shown): boolean =>
  !reveal && (maskAll || sides.some((side) => side !== null && (side.isSecret ?? unsaid) !== false))

const sidesOf =
  (tx: Tx, cipher: WorkspaceCipher, mask: boolean) =>
  (fields: Fields | null, field: FieldName): ConflictSide =>
    sideOf(field === 'parent' ? parentName(tx, fields) : fields?.[field], cipher, mask)

/** Returns the name of the environment that a side puts the variable in. */
const parentName = (tx: Tx, fields: Fields | null): string | undefined =>
  fields?.parent === undefined ? undefined : (getWorking(tx, fields.parent) ?? getBase(tx, fields.parent))?.fields.name

function isInQuestion(field: FieldName, change: Change, mine: Fields | null, theirs: Fields | null): boolean {
  if (change.conflict?.kind === 'changed-below') return false
  // Another record has the name: only the name, and a slug or parent in the patch, are in conflict with it.
  if (change.kind === 'update' && isNameAlone(change)) return field === 'name' || (mine?.[field] !== undefined && isPlace(field, change))
  if (change.conflict?.kind === 'fields' && change.patch[field] === undefined) return false
  // One side deleted the row: list the fields that the other side changed.
  if (mine === null || theirs === null) return isChanged(field, change, mine ?? theirs ?? {})
  return mine[field] !== undefined && theirs[field] !== undefined && !sameField(mine[field], theirs[field])
}

const isNameAlone = ({ conflict }: Change): boolean => conflict?.kind === 'name-taken' && conflict.remote === null
const isPlace = (field: FieldName, { patch }: Change): boolean => (field === 'slug' || field === 'parent') && patch[field] !== undefined

function sideOf(field: SealedValue | string | boolean | undefined, cipher: WorkspaceCipher, mask: boolean): ConflictSide {
  if (field === undefined) return { state: 'absent', text: null }
  if (typeof field !== 'object') return { state: 'shown', text: typeof field === 'boolean' ? (field ? 'secret' : 'not secret') : field }
  const shown = shownValue(cipher, field.sealed, mask, false)
  return shown.state === 'shown' ? { state: 'shown', text: shown.value } : { state: shown.state, text: null }
}
