import { createElsewhere } from '../queue/create-elsewhere.ts'
import type { Change } from '../queue/entry.ts'
import { baseChildren, deleteBase, getBase } from './base-layer.ts'
import { keepHistory, type Overwrite } from './history-layer.ts'
import { deleteRemote, forgetPast } from './past-layer.ts'
import { advance, childChanges, changesOfRow, forgetEntry, operationsOn } from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { refreshRow } from './working-layer.ts'

/** Removes a row and all below it from every layer. `deleted`: through whom; its values are kept in the history. Null: it is only forgotten here. */
export function removeRow(tx: Tx, id: string, deleted: (Pick<Overwrite, 'whose' | 'by'> & { now: number }) | null): void {
  for (const child of baseChildren(tx, id)) removeRow(tx, child.id, deleted)
  dropDescendants(tx, id)
  const base = deleted === null ? null : getBase(tx, id)
  if (base !== null && deleted !== null)
    keepHistory(tx, base, { whose: deleted.whose, by: deleted.by ?? null, why: 'deleted' }, deleted.now)
  for (const change of changesOfRow(tx, id)) forgetEntry(tx, change)
  if (base !== null && deleted?.whose === 'theirs') deleteRemote(tx, base, deleted.now)
  else {
    deleteBase(tx, id)
    forgetPast(tx, id)
  }
  refreshRow(tx, id)
}

/** Drops a change; when it made a row, the row's later changes and what was built below it go with it. */
export function dropWithDescendants(tx: Tx, change: Change): void {
  forgetEntry(tx, change)
  if (change.kind === 'create') {
    dropDescendants(tx, change.rowId)
    for (const later of changesOfRow(tx, change.rowId)) forgetEntry(tx, later)
  }
  refreshRow(tx, change.rowId)
}

/** Drops what is queued on and below a deleted parent. A variable that was moved out of it is created where it went. */
export function dropDescendants(tx: Tx, placeId: string): void {
  for (const operation of operationsOn(tx, placeId)) forgetEntry(tx, operation)
  for (const change of childChanges(tx, placeId)) {
    const elsewhere = change.kind === 'create' ? createElsewhere(changesOfRow(tx, change.rowId)) : null
    if (elsewhere === null) dropWithDescendants(tx, change)
    else {
      for (const each of elsewhere.merged) forgetEntry(tx, each)
      advance(tx, elsewhere.move, elsewhere.event)
      refreshRow(tx, change.rowId)
    }
  }
}
