import { getBase } from '../../mirror/base-layer.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { keepGivenUp, keepUnseen, keepWithdrawn, seenRow, type Seen } from '../../mirror/past-layer.ts'
import { changesOfRow, dropEntry, descendantEntries, getEntryAt } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, pathFrom, refreshRow } from '../../mirror/working-layer.ts'
import { carryOut } from '../../mirror/write-steps.ts'
import { coveredBy } from '../../queue/covered-by.ts'
import { isOperation, isParked, type Entry, type Row } from '../../queue/entry.ts'
import { fieldNames, mergeableOf, type Fields } from '../../queue/fields.ts'
import { dropWithDescendants } from '../../sync/plan/plan-record.ts'
import type { EditContext } from './edit-context.ts'

/**
 * Drops the parked changes of a row that the user deletes, and the changes that wait behind them: they would block the deletion for ever.
 * Returns the base for the deletion, the row as the user knew it. For a dropped field that is the value that the user typed over, not a
 * later remote value: no screen showed that.
 */
export function dropParked(tx: Tx, { now }: EditContext, row: Row, seen: Seen): Fields | null {
  const changes = changesOfRow(tx, row.id)
  const first = changes.findIndex(isParked)
  const dropped = first < 0 ? [] : changes.slice(first).filter(({ state }) => state !== 'sending')
  if (dropped.length === 0) return fieldsSeen(tx, row.id, seen)
  for (const change of dropped) dropEntry(tx, change)
  refreshRow(tx, row.id)
  const saw = fieldsSeen(tx, row.id, seen)
  keepGivenUp(tx, row, now)
  const remote = getBase(tx, row.id)?.fields ?? {}
  // A row that was bound to a record of its name showed only the fields that the user typed.
  const covered = coveredBy(dropped, row.fields)
  // A remote field that the mirror did not have before can't be compared.
  if (fieldNames.some((name) => name in covered && covered[name] === undefined && remote[name] !== undefined)) return null
  return saw === null && Object.keys(covered).length === 0 ? null : { ...saw, ...covered }
}

function fieldsSeen(tx: Tx, rowId: string, seen: Seen): Fields | null {
  const saw = seenRow(tx, rowId, seen)
  return saw && mergeableOf(saw)
}

/**
 * Drops the parked changes below a project or environment that the user deletes, and the changes that wait behind them: the deletion would
 * wait for them for ever. Undo restores them, and the history keeps typed values. A variable that the user has moved out keeps its
 * conflict, and the deletion waits for the answer.
 */
export function dropParkedDescendants(tx: Tx, context: EditContext, id: string): void {
  const below = descendantEntries(tx, id).filter(({ rowId }) => !isMovedOut(tx, rowId, id))
  const parked = below.filter(isParked)
  // Only a change in conflict covers what no screen has shown. One that was refused covers what its user typed it over.
  const inConflict = parked.filter(({ conflict }) => conflict !== null)
  const shown = [...new Set(inConflict.map(({ rowId }) => rowId))].map((rowId) => getWorking(tx, rowId)).filter((row) => row !== null)
  // A row in conflict that was moved to an environment that is deleted too is on no screen.
  const hidden = inConflict.filter(({ kind, rowId }) => kind !== 'delete' && getWorking(tx, rowId) === null)
  for (const entry of parked) {
    if (isOperation(entry)) dropEntry(tx, entry)
    else
      for (const change of changesOfRow(tx, entry.rowId).filter(({ seq }) => seq >= entry.seq))
        carryOut(tx, context, (facts) => dropWithDescendants(change, facts))
  }
  for (const row of shown) keepGivenUp(tx, row, context.now)
  for (const { rowId } of hidden) keepUnseen(tx, rowId)
  for (const entry of below.filter(({ seq }) => getEntryAt(tx, seq) === null)) {
    if (!isOperation(entry)) keepWithdrawn(tx, entry, context.now)
    context.rememberDropped?.(entry)
    keepTyped(tx, entry, context.now)
  }
}

function isMovedOut(tx: Tx, rowId: string, parentId: string): boolean {
  const row = getWorking(tx, rowId)
  return row !== null && row.id !== parentId && !pathFrom(tx, row.parentId).includes(parentId)
}

function keepTyped(tx: Tx, entry: Entry, now: number): void {
  if (isOperation(entry) || entry.rowKind !== 'variable' || entry.patch.value === undefined) return
  const { parent: _parent, ...fields } = { ...entry.base, ...entry.patch }
  const row = getWorking(tx, entry.rowId) ?? { id: entry.rowId, kind: entry.rowKind, parentId: entry.ancestors[0] ?? null, fields }
  keepHistory(tx, { ...row, fields: { ...row.fields, ...fields } }, { whose: 'mine', why: 'deleted' }, now)
}
