import { createHash } from 'node:crypto'
import type { ConflictRow, ConflictSide, QueuedField, QueueRow } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { baseChildren, findBase, getBase } from '../../mirror/base-layer.ts'
import { newestRev, newsSince } from '../../mirror/past-layer.ts'
import { allEntries, descendantEntries } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { toPreview, planFromWorking } from '../../mirror/preview-rollback.ts'
import { isOperation, type BaseRow, type Operation, type Change, type Conflict, type Entry } from '../../queue/entry.ts'
import { fieldNames, sameField, type FieldName, type Fields, type SealedValue } from '../../queue/fields.ts'
import { claimsOf } from '../../queue/natural-key.ts'
import { waitsFor } from '../../sync/plan/waits-for.ts'
import { newsWords } from '../edits/news-words.ts'
import { shownValue } from '../variables/shown-value.ts'
import { conflictOfOperation, nameOfOperation, partsOfOperation } from './describe-operation.ts'

const iso = (time: number): string => new Date(time).toISOString()

/** The name of a change's row: as the user sees it now, else its former name. */
export const nameOf = (tx: Tx, change: Change): string =>
  change.patch.name ?? getWorking(tx, change.rowId)?.fields.name ?? change.base?.name ?? ''

/** "Project / Environment" above a change's row. */
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

/** All entries of the queue as its list shows them; an entry that waits for a parked one names it. */
export function toQueueRows(tx: Tx): QueueRow[] {
  const entries = allEntries(tx)
  const waits = waitsFor(entries)
  return entries.map((entry) => {
    const wait = waits.get(entry.id)
    return { ...toQueueRow(tx, entry), waitsFor: wait?.needsAttention === true ? subjectOf(tx, wait.entry) : null }
  })
}

const subjectOf = (tx: Tx, entry: Entry): NonNullable<QueueRow['waitsFor']> => ({
  changeId: entry.id,
  subject: entry.rowKind,
  name: isOperation(entry) ? nameOfOperation(entry) : nameOf(tx, entry),
})

/** A change as the queue list shows it. */
export const toQueueRow = (tx: Tx, entry: Entry): QueueRow => ({
  changeId: entry.id,
  kind: isEditOfDeleted(entry) ? 'update' : isCreateOfTaken(entry) ? 'create' : entry.kind,
  subject: entry.rowKind,
  ...(isOperation(entry) ? partsOfOperation(entry) : partsOf(tx, entry)),
  reason: entry.reason,
  waitsFor: null,
  where: whereOf(tx, entry),
  at: placeOf(entry),
  state: entry.state,
  conflict: entry.conflict?.kind ?? null,
  ...remoteAuthorOf(tx, entry),
  attempts: entry.attempts,
  nextAttemptAt: entry.nextAttemptAt === null ? null : iso(entry.nextAttemptAt),
  createdAt: iso(entry.createdAt),
})

/**
 * Who changed the row on the service, and when. Some answers leave this out; the next list or feed page then brings it to the base row.
 * When a name is taken, the remote row is the record that has the name.
 */
const remoteAuthorOf = (tx: Tx, entry: Entry): Pick<QueueRow, 'remoteBy' | 'remoteAt'> => {
  const { rowId, conflict } = entry
  if (conflict === null) return { remoteBy: null, remoteAt: null }
  const base = conflict.kind === 'name-taken' ? holderOf(tx, entry) : getBase(tx, rowId)
  return { remoteBy: conflict.by ?? base?.updatedBy ?? null, remoteAt: base?.updatedAt ?? null }
}

/** The base row that has the name or slug a change claims; null: no pull has shown it yet. */
function holderOf(tx: Tx, entry: Entry): BaseRow | null {
  const takes = isOperation(entry) ? null : claimsOf(entry).takes
  if (takes === null) return null
  if (entry.rowKind === 'variable') return takes.parentId === null ? null : findBase(tx, takes.parentId, takes.key)
  return baseChildren(tx, takes.parentId).find(({ kind, fields }) => kind === entry.rowKind && fields.slug === takes.key) ?? null
}

/** Its user edited the row, and others deleted it, or its parent: it would have to be created again. */
const isEditOfDeleted = (entry: Entry): boolean => entry.kind === 'create' && entry.base !== null

/** Its user created the row, and others created one of its name: it would become an edit of theirs. */
const isCreateOfTaken = (entry: Entry): boolean => entry.kind === 'update' && entry.conflict?.kind === 'name-taken' && entry.base === null

/** Whether a side has another value for a field than the row had before both sides changed it. */
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

/**
 * Which values may be shown: all that the user asked to reveal; otherwise only those that are not secret, or none if all values are masked.
 */
interface Shown {
  reveal: boolean
  maskAll: boolean
}

/**
 * What a change does to the fields of its row, before and after; of a row that is created or deleted all that its name does not say. Empty for an
 * operation, and for a value that is only sealed again.
 */
export function toQueuedFields(tx: Tx, entry: Entry, cipher: WorkspaceCipher, show: Shown): QueuedField[] {
  if (isOperation(entry)) return []
  const now: Fields | null = entry.kind === 'delete' ? null : entry.patch
  // Others may have made it a secret since: the change keeps its base while a question about the row is open.
  const theirs = getBase(tx, entry.rowId)?.fields ?? null
  const side = sidesOf(tx, cipher, isMasked([entry.base, now && { ...entry.base, ...now }, theirs], theirs?.isSecret, show))
  return fieldNames
    .filter((field) => isEdited(field, entry))
    .map((field) => ({ field, was: side(entry.base, field), now: side(now, field) }))
}

function isEdited(field: FieldName, change: Change): boolean {
  const { kind, patch, base } = change
  if (kind === 'update') return patch[field] !== undefined && !(field === 'value' && patch.value?.reseal === true)
  return isEditOfDeleted(change) ? isChanged(field, change, patch) : isOfWhole(field, kind === 'delete' ? base : patch)
}

/** A whole row is listed without its place and name: the screen says these beside it. */
const isOfWhole = (field: FieldName, fields: Fields | null): boolean =>
  field !== 'name' && field !== 'parent' && fields?.[field] !== undefined

/** A change in conflict as Was / Mine / Theirs, one row per field on which the two sides differ. */
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
 * Counts the changes by others in a project or environment that the user deletes, and the user's unsent ones: the deletion removes both.
 */
function newsBelow(tx: Tx, entry: Entry): ConflictRow['news'] {
  if (isOperation(entry) || entry.conflict?.kind !== 'changed-below' || entry.seen === null) return null
  const unsent = descendantEntries(tx, entry.rowId).filter(({ kind }) => kind !== 'delete').length
  return { words: newsWords(newsSince(tx, entry.rowId, entry.seen)), unsent }
}

/** A fingerprint of the conflict as it was shown. */
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
  // A side that doesn't mention secrecy, such as an edit that leaves it, is as secret as the remote row.
  const side = sidesOf(tx, cipher, isMasked([change.base, mine, conflict.remote], conflict.remote?.isSecret, show))
  return fieldNames
    .filter((field) => isInQuestion(field, change, mine, conflict.remote))
    .map((field) => ({ field, was: side(change.base, field), mine: side(mine, field), theirs: side(conflict.remote, field) }))
}

/** Whether the values of these sides are masked: when one of them is secret, or may be. `unsaid`: the secrecy of a side that doesn't mention it. */
const isMasked = (sides: readonly (Fields | null)[], unsaid: boolean | undefined, { reveal, maskAll }: Shown): boolean =>
  !reveal && (maskAll || sides.some((side) => side !== null && (side.isSecret ?? unsaid) !== false))

const sidesOf =
  (tx: Tx, cipher: WorkspaceCipher, mask: boolean) =>
  (fields: Fields | null, field: FieldName): ConflictSide =>
    sideOf(field === 'parent' ? parentName(tx, fields) : fields?.[field], cipher, mask)

/** The name of the environment that a side has the variable in. */
const parentName = (tx: Tx, fields: Fields | null): string | undefined =>
  fields?.parent === undefined ? undefined : (getWorking(tx, fields.parent) ?? getBase(tx, fields.parent))?.fields.name

function isInQuestion(field: FieldName, change: Change, mine: Fields | null, theirs: Fields | null): boolean {
  if (change.conflict?.kind === 'changed-below') return false
  // Another record has the name: its other fields have nothing to do with this change.
  if (change.kind === 'update' && isNameAlone(change)) return field === 'name' || (mine?.[field] !== undefined && isPlace(field, change))
  if (change.conflict?.kind === 'fields' && change.patch[field] === undefined) return false
  // One side deleted it: what the other changed is at stake.
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
