import { createHash } from 'node:crypto'
import type { ConflictRow, ConflictSide, QueueRow } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { foreseenOf, foreseeFromWorking } from '../../sync/effects/foresee-rollback.ts'
import { isAct, type Act, type Change, type Conflict, type Queued } from '../../queue/entry.ts'
import { fieldNames, sameField, type FieldName, type Fields, type SealedValue } from '../../queue/fields.ts'
import { shownValue } from '../variables/shown-value.ts'
import { conflictOfAct, nameOfAct, partsOfAct } from './describe-act.ts'

const iso = (time: number): string => new Date(time).toISOString()

/** The name of the row a change is about: as the user sees it, else as it was. */
export const nameOf = (tx: Tx, change: Change): string =>
  change.patch.name ?? getWorking(tx, change.rowId)?.fields.name ?? change.base?.name ?? ''

/** "Project / Environment" above a change's row. */
export const whereOf = (tx: Tx, change: Pick<Queued, 'ancestors'>): string =>
  change.ancestors
    .map((id) => (getWorking(tx, id) ?? getBase(tx, id))?.fields.name ?? '')
    .filter((name) => name !== '')
    .toReversed()
    .join(' / ')

const placeOf = ({ rowKind, rowId, ancestors }: Queued): QueueRow['at'] => {
  const nearestFirst = rowKind === 'variable' || rowKind === 'version' ? ancestors : [rowId, ...ancestors]
  const places = rowKind === 'member' ? [] : rowKind === 'project' ? [undefined, rowId] : nearestFirst
  return { projectId: places[1] ?? null, environmentId: places[0] ?? null, variableId: rowKind === 'variable' ? rowId : null }
}

/** A change as the queue list shows it. */
export const toQueueRow = (tx: Tx, queued: Queued): QueueRow => ({
  changeId: queued.id,
  kind: queued.kind,
  subject: queued.rowKind,
  ...(isAct(queued) ? partsOfAct(tx, queued) : partsOf(tx, queued)),
  where: whereOf(tx, queued),
  at: placeOf(queued),
  state: queued.state,
  ...theirsOf(tx, queued),
  attempts: queued.attempts,
  nextAttemptAt: queued.nextAttemptAt === null ? null : iso(queued.nextAttemptAt),
  createdAt: iso(queued.createdAt),
})

/**
 * Who changed the row on the service, and when. Some answers of a service leave this out, and the next list or feed page brings it to the base row. Where
 * a name is taken the other side is another row, of which no more is known.
 */
const theirsOf = (tx: Tx, { rowId, conflict }: Queued): Pick<QueueRow, 'theirsBy' | 'theirsAt'> => {
  if (conflict === null) return { theirsBy: null, theirsAt: null }
  const base = conflict.kind === 'name-taken' ? null : getBase(tx, rowId)
  return { theirsBy: conflict.by ?? base?.updatedBy ?? null, theirsAt: base?.updatedAt ?? null }
}

const partsOf = (tx: Tx, change: Change): Pick<QueueRow, 'name' | 'fields' | 'counts' | 'reason'> => ({
  name: nameOf(tx, change),
  fields: change.kind === 'update' ? fieldNames.filter((field) => change.patch[field] !== undefined) : [],
  counts: null,
  reason: change.reason,
})

/** What may be shown: everything the user asked to reveal, else what is no secret, and nothing where all values are masked. */
interface Shown {
  reveal: boolean
  maskAll: boolean
}

/** A change in conflict as Was / Mine / Theirs, one row per field on which the two sides differ. */
export function toConflictRow(tx: Tx, queued: Queued, cipher: WorkspaceCipher, show: Shown): ConflictRow | null {
  const { conflict } = queued
  if (conflict === null) return null
  const core = {
    changeId: queued.id,
    kind: conflict.kind,
    subject: queued.rowKind,
    where: whereOf(tx, queued),
    ...theirsOf(tx, queued),
    fingerprint: fingerprintOf(tx, queued),
  }
  return isAct(queued)
    ? { ...core, name: nameOfAct(queued), ...conflictOfAct(tx, queued) }
    : { ...core, name: nameOf(tx, queued), fields: fieldsInConflict(queued, conflict, cipher, show), rollback: null }
}

/** Stands for what a conflict shows. */
export function fingerprintOf(tx: Tx, queued: Queued): string {
  const shown = isAct(queued) ? contentsOf(tx, queued) : [queued.kind, queued.base, queued.patch]
  return createHash('sha256')
    .update(JSON.stringify([queued.conflict, shown]))
    .digest('hex')
}

const contentsOf = (tx: Tx, act: Act): unknown =>
  act.kind === 'rollback' ? foreseenOf(foreseeFromWorking(tx, act.ancestors[0] ?? '', act.rowId)) : act.detail

function fieldsInConflict(change: Change, conflict: Conflict, cipher: WorkspaceCipher, { reveal, maskAll }: Shown): ConflictRow['fields'] {
  const mine: Fields | null = change.kind === 'delete' ? null : { ...change.base, ...change.patch }
  const secret = maskAll || [change.base, mine, conflict.theirs].some((side) => side !== null && side.isSecret !== false)
  const side = (fields: Fields | null, field: FieldName): ConflictSide => sideOf(fields?.[field], cipher, secret && !reveal)
  return fieldNames
    .filter((field) => isInQuestion(field, change, mine, conflict.theirs))
    .map((field) => ({ field, was: side(change.base, field), mine: side(mine, field), theirs: side(conflict.theirs, field) }))
}

function isInQuestion(field: FieldName, change: Change, mine: Fields | null, theirs: Fields | null): boolean {
  if (change.conflict?.kind === 'fields' && change.patch[field] === undefined) return false
  if (mine === null || theirs === null) return (mine ?? theirs)?.[field] !== undefined
  return mine[field] !== undefined && theirs[field] !== undefined && !sameField(mine[field], theirs[field])
}

function sideOf(field: SealedValue | string | boolean | undefined, cipher: WorkspaceCipher, mask: boolean): ConflictSide {
  if (field === undefined) return { state: 'absent', text: null }
  if (typeof field !== 'object') return { state: 'shown', text: typeof field === 'boolean' ? (field ? 'secret' : 'not secret') : field }
  const shown = shownValue(cipher, field.sealed, mask, false)
  return { state: shown.state, text: shown.state === 'shown' ? shown.value : null }
}
