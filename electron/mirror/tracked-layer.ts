import type { RowKind } from '../queue/entry.ts'
import type { TrackedTable } from './schema.ts'
import { build, type Tx } from './tx.ts'

/**
 * A name that every pull reads with its own request, because the user tracks it or its record is known. Its SQL table is named `followed`.
 */
export type Tracked = TrackedTable

/** The `parent_id` of a tracked project. */
export const noParent = ''

/** Returns all tracked names, in no order. */
export const allTracked = (tx: Tx): Tracked[] => tx.all(build.selectFrom('followed').selectAll())

export const getTracked = (tx: Tx, id: string): Tracked | null =>
  tx.get(build.selectFrom('followed').selectAll().where('id', '=', id)) ?? null

/** Returns the tracked children of a tracked parent (`noParent`: projects). */
export const trackedChildren = (tx: Tx, parentId: string): Tracked[] =>
  tx.all(build.selectFrom('followed').selectAll().where('parent_id', '=', parentId))

export const trackedOfRow = (tx: Tx, rowId: string): Tracked | null =>
  tx.get(build.selectFrom('followed').selectAll().where('row_id', '=', rowId)) ?? null

/** Returns the tracked name of this kind and key below a tracked parent, or null. */
export const findTracked = (tx: Tx, parentId: string, kind: RowKind, key: string): Tracked | null =>
  tx.get(build.selectFrom('followed').selectAll().where('parent_id', '=', parentId).where('kind', '=', kind).where('key', '=', key)) ?? null

/** Writes a tracked name, new or not. */
export function putTracked(tx: Tx, tracked: Tracked): void {
  tx.run(
    build
      .insertInto('followed')
      .values(tracked)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(tracked)),
  )
}

/** Stops tracking a name and all names below it. */
export function dropTracked(tx: Tx, id: string): void {
  for (const below of trackedChildren(tx, id)) dropTracked(tx, below.id)
  tx.run(build.deleteFrom('followed').where('id', '=', id))
}

/** Stops tracking the name of a row, if it has one, and all names below it. */
export function dropTrackedRow(tx: Tx, rowId: string): void {
  const tracked = trackedOfRow(tx, rowId)
  if (tracked !== null) dropTracked(tx, tracked.id)
}
