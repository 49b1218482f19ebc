import type { Change, ChangeKind, RowKind } from '../sync/change.ts'
import { fromQueueColumns, toQueueColumns } from './row-codec.ts'
import { build, type Tx } from './tx.ts'

const inOrder = build.selectFrom('queue').selectAll().orderBy('seq')

/** Every unsent change, in the order the user made them. */
export const allChanges = (tx: Tx): Change[] => tx.all(inOrder).map(fromQueueColumns)

/** The unsent changes of one row, in order. */
export const changesOfRow = (tx: Tx, rowId: string): Change[] => tx.all(inOrder.where('row_id', '=', rowId)).map(fromQueueColumns)

/** The unsent changes right below a row, in order. */
export const changesBelow = (tx: Tx, parentId: string): Change[] => tx.all(inOrder.where('parent_id', '=', parentId)).map(fromQueueColumns)

/** One unsent change, or null when it has been settled or dropped. */
export function getChange(tx: Tx, id: string): Change | null {
  const columns = tx.get(build.selectFrom('queue').selectAll().where('id', '=', id))
  return columns ? fromQueueColumns(columns) : null
}

/** The first unsent create that claims a natural key under a parent, or null. */
export function createClaiming(tx: Tx, kind: RowKind, parentId: string | null, key: string): Change | null {
  const columns = tx.get(
    inOrder
      .where('parent_id', 'is', parentId)
      .where('key_now', '=', key)
      .where('kind', '=', 'create')
      .where('row_kind', '=', kind)
      .limit(1),
  )
  return columns ? fromQueueColumns(columns) : null
}

/** The unsent changes of one kind of one kind of row, in order. */
export const queuedOfSort = (tx: Tx, kind: ChangeKind, rowKind: RowKind): Change[] =>
  tx.all(inOrder.where('kind', '=', kind).where('row_kind', '=', rowKind)).map(fromQueueColumns)

/** Whether a change after `seq`, of another row of that kind under that parent, claims or frees one of `keys`. */
export function touchesKeysAfter(tx: Tx, { seq, rowKind, rowId, ancestors }: Change, keys: readonly string[]): boolean {
  if (keys.length === 0) return false
  const found = tx.get(
    build
      .selectFrom('queue')
      .select('seq')
      .where('parent_id', 'is', ancestors[0] ?? null)
      .where('row_kind', '=', rowKind)
      .where('row_id', '!=', rowId)
      .where('seq', '>', seq)
      .where((where) => where.or([where('key_now', 'in', keys), where('key_before', 'in', keys)]))
      .limit(1),
  )
  return found !== undefined
}

/** Appends a change to the queue. */
export function addChange(tx: Tx, change: Omit<Change, 'seq'>): void {
  tx.run(build.insertInto('queue').values(toQueueColumns(change)))
}

/** Rewrites the change with the same `seq`. */
export function putChange(tx: Tx, change: Change): void {
  tx.run(build.updateTable('queue').set(toQueueColumns(change)).where('seq', '=', change.seq))
}

/** Takes a change out of the queue: it was settled, or the user dropped it. */
export function dropChange(tx: Tx, id: string): void {
  tx.run(build.deleteFrom('queue').where('id', '=', id))
}
