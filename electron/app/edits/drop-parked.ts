import { getBase } from '../../mirror/base-layer.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { keepGivenUp, keepWithdrawn, seenRow, type Seen } from '../../mirror/past-layer.ts'
import { changesOfRow, dropEntry, descendantEntries, getEntryAt } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, pathFrom, refreshRow } from '../../mirror/working-layer.ts'
import { carryOut } from '../../mirror/write-steps.ts'
import { coveredBy } from '../../queue/covered-by.ts'
import { isOperation, isParked, type Entry, type Row } from '../../queue/entry.ts'
import { fieldNames, type Fields } from '../../queue/fields.ts'
import { dropWithDescendants } from '../../sync/plan/plan-record.ts'
import type { EditContext } from './edit-context.ts'

/**
 * Drops the parked changes of a row that the user is deleting, and what waits behind them: what they asked is moot, they would hold the
 * deletion back for ever, and what comes after a conflict must not be sent in its place. Gives what its user knew of the row, as the base of
 * the deletion: of the fields that it drops what was typed over, never what others made of these since, which no screen showed.
 */
export function dropParked(tx: Tx, { now }: EditContext, row: Row, seen: Seen): Fields | null {
  const changes = changesOfRow(tx, row.id)
  const first = changes.findIndex(isParked)
  const dropped = first < 0 ? [] : changes.slice(first).filter(({ state }) => state !== 'sending')
  for (const change of dropped) dropEntry(tx, change)
  refreshRow(tx, row.id)
  const saw = seenRow(tx, row.id, seen)?.fields
  keepGivenUp(tx, row, now)
  const remote = getBase(tx, row.id)?.fields ?? {}
  // A row that was met under its name showed what its user had typed, and nothing of theirs.
  const covered = coveredBy(dropped, row.fields)
  // Of a field that nobody here had seen before there is nothing to compare with.
  if (fieldNames.some((name) => name in covered && covered[name] === undefined && remote[name] !== undefined)) return null
  return saw === undefined && Object.keys(covered).length === 0 ? null : { ...saw, ...covered }
}

/**
 * Drops what is parked below a project or environment that the user is deleting, with what waits behind it: it goes with its parent, whose
 * deletion would wait for it for ever. Undo brings it back; a value that was typed is kept in the history as well. What its user has moved out of
 * there stays, and the deletion waits for the answer about it.
 */
export function dropParkedDescendants(tx: Tx, context: EditContext, id: string): void {
  const below = descendantEntries(tx, id).filter(({ rowId }) => !isMovedOut(tx, rowId, id))
  const parked = below.filter(isParked)
  const shown = [...new Set(parked.map(({ rowId }) => rowId))].map((rowId) => getWorking(tx, rowId)).filter((row) => row !== null)
  for (const entry of parked) {
    if (isOperation(entry)) dropEntry(tx, entry)
    else
      for (const change of changesOfRow(tx, entry.rowId).filter(({ seq }) => seq >= entry.seq))
        carryOut(tx, context, (facts) => dropWithDescendants(change, facts))
  }
  for (const row of shown) keepGivenUp(tx, row, context.now)
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
