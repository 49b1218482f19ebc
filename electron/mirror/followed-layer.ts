import type { RowKind } from '../queue/entry.ts'
import type { FollowedTable } from './schema.ts'
import { build, type Tx } from './tx.ts'

/** One thing that is read by itself at every pull, because the user named it or it is known already. */
export type Followed = FollowedTable

/** Stands for "in nothing" in `parent_id`: a project's. */
export const noParent = ''

/** All that is followed, in no order. */
export const allFollowed = (tx: Tx): Followed[] => tx.all(build.selectFrom('followed').selectAll())

/** One by its id, or null. */
export const getFollowed = (tx: Tx, id: string): Followed | null =>
  tx.get(build.selectFrom('followed').selectAll().where('id', '=', id)) ?? null

/** What is followed right in a place, by its id in this layer. */
export const followedBelow = (tx: Tx, parentId: string): Followed[] =>
  tx.all(build.selectFrom('followed').selectAll().where('parent_id', '=', parentId))

/** What is followed for a row, or null. */
export const followedOfRow = (tx: Tx, rowId: string): Followed | null =>
  tx.get(build.selectFrom('followed').selectAll().where('row_id', '=', rowId)) ?? null

/** The one of these that is followed, or null. */
export const findFollowed = (tx: Tx, parentId: string, kind: RowKind, key: string): Followed | null =>
  tx.get(build.selectFrom('followed').selectAll().where('parent_id', '=', parentId).where('kind', '=', kind).where('key', '=', key)) ?? null

/** Writes one, new or not. */
export function putFollowed(tx: Tx, followed: Followed): void {
  tx.run(
    build
      .insertInto('followed')
      .values(followed)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(followed)),
  )
}

/** Follows one no more, nor what is in it. */
export function dropFollowed(tx: Tx, id: string): void {
  for (const below of followedBelow(tx, id)) dropFollowed(tx, below.id)
  tx.run(build.deleteFrom('followed').where('id', '=', id))
}

/** The same for the one that stands for a row, if there is one. */
export function dropFollowedRow(tx: Tx, rowId: string): void {
  const followed = followedOfRow(tx, rowId)
  if (followed !== null) dropFollowed(tx, followed.id)
}
