import type { RowKind } from '../queue/entry.ts'
import type { TrackedTable } from './schema.ts'
import { build, type Tx } from './tx.ts'

/** One record that every pull reads by itself, because the user named it or it is known already. Its table keeps the SQL name `followed`. */
export type Tracked = TrackedTable

/** Stands for "in nothing" in `parent_id`: a project's. */
export const noParent = ''

/** All that is tracked, in no order. */
export const allTracked = (tx: Tx): Tracked[] => tx.all(build.selectFrom('followed').selectAll())

/** One by its id, or null. */
export const getTracked = (tx: Tx, id: string): Tracked | null =>
  tx.get(build.selectFrom('followed').selectAll().where('id', '=', id)) ?? null

/** The tracked children of a tracked parent (`noParent`: projects). */
export const trackedChildren = (tx: Tx, parentId: string): Tracked[] =>
  tx.all(build.selectFrom('followed').selectAll().where('parent_id', '=', parentId))

/** What is tracked for a row, or null. */
export const trackedOfRow = (tx: Tx, rowId: string): Tracked | null =>
  tx.get(build.selectFrom('followed').selectAll().where('row_id', '=', rowId)) ?? null

/** The one of these that is tracked, or null. */
export const findTracked = (tx: Tx, parentId: string, kind: RowKind, key: string): Tracked | null =>
  tx.get(build.selectFrom('followed').selectAll().where('parent_id', '=', parentId).where('kind', '=', kind).where('key', '=', key)) ?? null

/** Writes one, new or not. */
export function putTracked(tx: Tx, tracked: Tracked): void {
  tx.run(
    build
      .insertInto('followed')
      .values(tracked)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(tracked)),
  )
}

/** Stops tracking one and what is in it. */
export function dropTracked(tx: Tx, id: string): void {
  for (const below of trackedChildren(tx, id)) dropTracked(tx, below.id)
  tx.run(build.deleteFrom('followed').where('id', '=', id))
}

/** The same for the tracked name of a row, if it has one. */
export function dropTrackedRow(tx: Tx, rowId: string): void {
  const tracked = trackedOfRow(tx, rowId)
  if (tracked !== null) dropTracked(tx, tracked.id)
}
