import { coalesce } from '../queue/coalesce.ts'
import { coalesceOperation } from '../queue/coalesce-operation.ts'
import { isOperation, type Change, type Entry, type Operation } from '../queue/entry.ts'
import { mergeableOf, sameField } from '../queue/fields.ts'
import { replayRow } from '../queue/replay.ts'
import { dropWithDescendants } from '../sync/plan/plan-record.ts'
import { getBase } from './base-layer.ts'
import { isCrossed, type EnqueueContext } from './enqueue.ts'
import { keepHistory } from './history-layer.ts'
import { forgetPast } from './past-layer.ts'
import { advance, changesOfRow, descendantEntries, dropEntry, operationsOf } from './queue-layer.ts'
import { rebaseRow, uncover } from './rebase-row.ts'
import type { Tx } from './tx.ts'
import { getWorking, refreshRow } from './working-layer.ts'
import { carryOut } from './write-steps.ts'

/**
 * Treats what the user did while a request was under way as done after its refusal. It waits behind the refused entry, and no screen shows
 * why: it would never be sent. An edit or role of the same row is merged into the entry and sent, a deletion drops the entry.
 */
export function mergeAfterRefusal(tx: Tx, refused: Entry, context: EnqueueContext): void {
  if (isOperation(refused)) {
    mergeOperation(tx, refused, context)
    return
  }
  const later = changesOfRow(tx, refused.rowId).filter(({ seq }) => seq > refused.seq)
  const isDeleted = (id: string) => changesOfRow(tx, id).some(({ kind }) => kind === 'delete')
  if (getWorking(tx, refused.rowId) === null && refused.ancestors.some(isDeleted)) dropBelowDeleted(tx, refused, later, context)
  else if (later.at(-1)?.kind === 'delete') dropBefore(tx, refused, later.slice(0, -1), context)
  else if (later[0]?.state === 'queued') mergeEdit(tx, refused, later[0], context)
}

function mergeEdit(tx: Tx, refused: Change, next: Change, { newId }: EnqueueContext): void {
  const earlier = changesOfRow(tx, refused.rowId).filter(({ seq }) => seq < refused.seq)
  const under = replayRow(getBase(tx, refused.rowId), earlier)
  const facts = { crossed: isCrossed(tx, refused, next), children: false, under: under && mergeableOf(under) }
  const outcome = coalesce(refused, next, facts)
  if (outcome.do !== 'amend' && outcome.do !== 'drop') return
  dropEntry(tx, next)
  if (outcome.do === 'drop') dropEntry(tx, refused)
  else advance(tx, refused, { is: 'amend', id: newId(), ...outcome.to })
  refreshRow(tx, refused.rowId)
}

/** Drops the refused change of a row and those between it and the row's deletion. What was never created needs no deletion either. */
function dropBefore(tx: Tx, refused: Change, between: readonly Change[], context: EnqueueContext): void {
  const { rowId } = refused
  if (refused.kind === 'create') {
    keepTyped(tx, rowsBelow(tx, rowId), context)
    carryOut(tx, context, (facts) => dropWithDescendants(refused, facts))
    if (getBase(tx, rowId) === null) forgetPast(tx, rowId)
    return
  }
  for (const change of [refused, ...between].toReversed()) {
    dropEntry(tx, change)
    uncover(tx, context.newId, rowId, change)
  }
  rebaseRow(tx, context.newId, rowId, ({ state }) => state === 'sending' || state === 'conflict')
  refreshRow(tx, rowId)
}

/** Drops changes of a row whose project or environment is deleted: that deletion waits for them. */
function dropBelowDeleted(tx: Tx, refused: Change, later: readonly Change[], context: EnqueueContext): void {
  keepTyped(tx, [refused.rowId, ...rowsBelow(tx, refused.rowId)], context)
  for (const change of [refused, ...later]) carryOut(tx, context, (facts) => dropWithDescendants(change, facts))
}

const rowsBelow = (tx: Tx, rowId: string): string[] =>
  descendantEntries(tx, rowId).flatMap((entry) => (isOperation(entry) ? [] : [entry.rowId]))

/** Keeps values that only the queue has in the history. */
function keepTyped(tx: Tx, rowIds: readonly string[], { now }: EnqueueContext): void {
  for (const rowId of new Set(rowIds)) {
    const base = getBase(tx, rowId)
    const typed = changesOfRow(tx, rowId).filter(({ kind }) => kind !== 'delete')
    const row = replayRow(base, typed)
    if (row?.fields.value === undefined || sameField(row.fields.value, base?.fields.value)) continue
    keepHistory(tx, row, { whose: 'mine', why: 'deleted' }, now)
  }
}

function mergeOperation(tx: Tx, refused: Operation, { newId }: EnqueueContext): void {
  const next = operationsOf(tx, refused.rowId).find(({ seq }) => seq > refused.seq)
  if (next?.state !== 'queued') return
  const { dropped, amended, add } = coalesceOperation([refused], next)
  for (const operation of dropped) dropEntry(tx, operation)
  if (add === null) dropEntry(tx, next)
  if (amended !== null) advance(tx, amended.operation, { is: 'amend', id: newId(), detail: amended.detail })
}
