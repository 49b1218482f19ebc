import type { AppError } from '../../bridge/app-error.ts'
import type { Commands } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { RestartedRow as RestartedRowOfPage } from '../../bridge/rows.ts'
import { readUnverified } from '../../cipher/stored-value.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { revOf } from '../../mirror/past-layer.ts'
import { rowsInConflict } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking, shownParent } from '../../mirror/working-layer.ts'
import { ancestorsFrom } from '../../queue/ancestors.ts'
import type { Row } from '../../queue/entry.ts'
import { changedFields, fieldNames, mergeableOf, pickFields, sameField, type FieldName, type Fields } from '../../queue/fields.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { fieldsInPlace, readRestart, takeRestart, type RestartedRow } from '../../sync/engine/note-restart.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { EditContext } from '../edits/edit-context.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'
import { applyStep } from '../undo/apply-step.ts'
import type { RowImage } from '../undo/step.ts'
import { acceptValue } from '../unverified/decide-value.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'

type RestartHandlers = Pick<Handlers, 'restart.note' | 'restart.resend' | 'restart.dismiss'>

/** Lists the rows that changed because the service was restored from a backup, and sends their former values again. */
export const restartHandlers = (context: AppContext): RestartHandlers => ({
  'restart.note': ({ workspaceId }) =>
    inSession(context, workspaceId, ({ mirror }) =>
      ok(
        mirror.snapshot((tx) => {
          const note = readRestart(tx)
          if (note === null || !note.isWhole) return null
          const noted = new Map(note.rows.map((row) => [row.id, row]))
          const unverified = note.rows.filter((row) => isEarlierValue(tx, row)).length
          const rows = note.rows.map((row) => toRow(tx, row, noted))
          return { at: new Date(note.at).toISOString(), rows, isCut: note.isCut, unverified }
        }),
      ),
    ),
  'restart.resend': ({ workspaceId, at }) =>
    edit(
      context,
      workspaceId,
      ['projects', 'environments', 'variables'],
      (tx, editContext) => {
        const rows = takeRestart(tx, Date.parse(at))
        return rows === null ? wentBackAgain() : resend(tx, editContext, rows)
      },
      (images) => `Send ${images.length === 1 ? '1 change' : `${images.length} changes`} again`,
    ),
  'restart.dismiss': ({ workspaceId, at }) =>
    edit(
      context,
      workspaceId,
      ['variables'],
      (tx, editContext, session) => {
        const rows = takeRestart(tx, Date.parse(at))
        if (rows === null) return wentBackAgain()
        const earlier = rows.filter((row) => isEarlierValue(tx, row))
        const cipher = earlier.length === 0 ? null : requireCipher(session)
        if (cipher?.ok === false) return cipher
        if (cipher === null) return ok({ accepted: 0 })
        const accepted = earlier.filter(({ id }) => acceptValue(tx, editContext, cipher.value, { id, seen: revOf(tx, id) }))
        return ok({ accepted: accepted.length })
      },
      (images) => `Keep ${images.length === 1 ? '1 earlier value' : `${images.length} earlier values`}`,
    ),
})

const wentBackAgain = (): { ok: false; error: AppError } =>
  err({
    kind: 'outdated',
    message: 'The service was restored from a backup again, so nothing was sent or kept. Review the changed rows again, then choose.',
  })

/**
 * Whether the backup brought back a value that a member had sealed to this variable: the user may keep it. Any other value from the service
 * stays Unverified.
 */
function isEarlierValue(tx: Tx, { id, kind }: RestartedRow): boolean {
  const value = kind === 'variable' ? getWorking(tx, id)?.fields.value : undefined
  return value !== undefined && readUnverified(value.sealed)?.doubt === 'superseded'
}

const depth = { project: 0, environment: 1, variable: 2 }

/**
 * Queues the values that rows had here before. What has changed since stays as it is. A row may need a name that another row of the
 * note still has, so the rest is tried again as long as one row succeeds. Rows that have exchanged names are applied together. A row whose
 * name is taken for good gets all else.
 */
function resend(tx: Tx, context: EditContext, rows: readonly RestartedRow[]): Result<Commands['restart.resend']['value']> {
  const noted: Noted = { rows: new Map(rows.map((row) => [row.id, row])), parents: new Map() }
  let waiting = rows.filter(({ before }) => before !== null).toSorted((a, b) => depth[a.kind] - depth[b.kind])
  let sent = 0
  for (;;) {
    const results = waiting.map((row) => ({ row, result: resendRow(tx, context, row, noted) }))
    sent += results.filter(({ result }) => result === 'sent').length
    const skipped = results.flatMap(({ row, result }) => (result === 'skipped' ? [row] : []))
    const isStuck = skipped.length === waiting.length
    const ring = isStuck ? findRing(tx, skipped, noted) : []
    if (isStuck && !sendTogether(tx, context, ring, noted)) {
      const partly = skipped.filter((row) => resendRow(tx, context, row, noted, naming) === 'sent')
      return ok({ sent, inPart: partly.length, skipped: skipped.length - partly.length })
    }
    sent += ring.length
    waiting = skipped.filter((row) => !ring.includes(row))
  }
}

interface Noted {
  rows: ReadonlyMap<string, RestartedRow>
  /** The present ids of rows that were deleted and exist again, by their former ids. */
  parents: Map<string, string>
}

/** Returns the recorded row as a step's image, with the present ids of parents. */
function imageOf({ id, kind, parentId, before, after }: RestartedRow, { parents }: Noted): RowImage {
  const parentNow = (parent: string) => parents.get(parent) ?? parent
  const fieldsOf = (fields: Fields | null) => (fields?.parent === undefined ? fields : { ...fields, parent: parentNow(fields.parent) })
  return { id, kind, parentId: parentId === null ? null : parentNow(parentId), before: fieldsOf(before), after: fieldsOf(after) }
}

/**
 * Returns rows of which each needs the name that the next one has, and the last one that of the first. All are as the backup left them.
 * Empty: there are none.
 */
function findRing(tx: Tx, rows: readonly RestartedRow[], noted: Noted): RestartedRow[] {
  const inConflict = rowsInConflict(
    tx,
    rows.map(({ id }) => id),
  )
  const free = new Map(rows.flatMap((row) => (inConflict.has(row.id) || !isAsLeft(tx, row) ? [] : [[row.id, row]])))
  const holders = new Map(
    [...free.values()].map((row) => {
      const { kind, parentId, before } = imageOf(row, noted)
      const holder = findNamesake(tx, { kind, before }, before?.parent ?? parentId)
      return [row.id, holder === null ? undefined : free.get(holder.id)]
    }),
  )
  for (const first of free.values()) {
    const ring = new Set([first])
    let next = holders.get(first.id)
    for (; next !== undefined && !ring.has(next); next = holders.get(next.id)) ring.add(next)
    if (next === first && ring.size > 1) return [...ring]
  }
  return []
}

function isAsLeft(tx: Tx, { id, after }: RestartedRow): boolean {
  const row = getWorking(tx, id)
  return row !== null && isSame(row, after)
}

/** Sends rows as one step; false: there are none. */
function sendTogether(tx: Tx, context: EditContext, rows: readonly RestartedRow[], noted: Noted): boolean {
  for (const { id } of rows) context.remember?.(tx, id)
  return (
    rows.length > 0 && tx.attempt(() => applyStep(tx, context, { label: '', images: rows.map((row) => imageOf(row, noted)) }, 'undo')).ok
  )
}

/** The fields that give a row its place among others. */
const naming: readonly FieldName[] = ['parent', 'name', 'slug']

/** `kept`: the fields of an existing row that stay as they are. */
function resendRow(
  tx: Tx,
  context: EditContext,
  row: RestartedRow,
  noted: Noted,
  kept: readonly FieldName[] = [],
): 'sent' | 'skipped' | 'same' {
  const { rows, parents } = noted
  const was = imageOf(row, noted)
  const { parentId } = was
  // The record was deleted, and another one has its name: the backup has it from before the user created it again, or a colleague has
  // created it since. It gets the values of this one. A record that the note itself renames is not meant.
  const namesake = row.after === null ? findNamesake(tx, row, parentId) : null
  const twin = namesake === null || rows.get(namesake.id)?.before ? null : namesake
  if (twin !== null) parents.set(row.id, twin.id)
  const restored = twin && rows.get(twin.id)
  if (twin !== null && restored === undefined) return isSame(twin, was.before) ? 'same' : 'skipped'
  const { id, after } = restored ? imageOf(restored, noted) : was
  const former = restored ? fieldsInPlace(tx, { ...row, before: was.before }, { ...restored, after }) : was.before
  const now = getWorking(tx, id)
  const before = now === null ? former : fieldsToResend(mergeableOf(now), former, after, kept)
  if (now !== null && isSame(now, before)) return isSame(now, was.before) ? 'same' : 'skipped'
  context.remember?.(tx, id)
  const image = { id, kind: row.kind, parentId, before, after }
  const applied = tx.attempt(() => applyStep(tx, context, { label: '', images: [image] }, 'undo'))
  if (!applied.ok) return 'skipped'
  for (const [from, to] of applied.value) {
    parents.set(from, to)
    context.remember?.(tx, to, 'new')
  }
  return 'sent'
}

/**
 * Returns the former fields of a row, but those that have changed since the restore, and `fixed`, as they are now. A new value keeps its
 * type, and stays as secret as it is: it may have been typed as a secret.
 */
function fieldsToResend(now: Fields, before: Fields | null, after: Fields | null, fixed: readonly FieldName[]): Fields | null {
  if (before === null || after === null) return before
  const changed = fieldNames.filter((field) => !sameField(now[field], after[field]) && !sameField(now[field], before[field]))
  const kept: FieldName[] = changed.includes('value')
    ? [...changed, 'type', ...(before.isSecret === true ? [] : (['isSecret'] as const))]
    : changed
  return { ...before, ...pickFields(now, [...kept, ...fixed]) }
}

const isSame = (row: Row, before: Fields | null): boolean =>
  before !== null && Object.keys(changedFields(mergeableOf(row), before)).length === 0

function findNamesake(tx: Tx, { kind, before }: Pick<RestartedRow, 'kind' | 'before'>, parentId: string | null): Row | null {
  const key = before && naturalKey(kind, before)
  return key === null ? null : findWorking(tx, kind, parentId, key)
}

function toRow(tx: Tx, row: RestartedRow, noted: ReadonlyMap<string, RestartedRow>): RestartedRowOfPage {
  const { id, kind, before, after } = row
  const nameOf = (rowId: string) => {
    const then = noted.get(rowId)
    // A row with an unsent deletion is only in base.
    const known = getWorking(tx, rowId) ?? getBase(tx, rowId)
    return known?.fields.name ?? then?.before?.name ?? then?.after?.name ?? null
  }
  return {
    id,
    kind,
    name: after?.name ?? before?.name ?? null,
    where: pathOfNoted(tx, row, noted)
      .toReversed()
      .flatMap((ancestor) => nameOf(ancestor) ?? [])
      .join(' / '),
    change: before === null ? 'added' : after === null ? 'deleted' : 'changed',
  }
}

/** Returns the local ids of a row's ancestors, nearest first, even if they were deleted with it. */
const pathOfNoted = (tx: Tx, { parentId }: RestartedRow, noted: ReadonlyMap<string, RestartedRow>): string[] =>
  ancestorsFrom(parentId, (id) => noted.get(id)?.parentId ?? shownParent(tx, id))
