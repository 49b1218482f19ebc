import { replayAll, replayRow } from '../sync/replay.ts'
import type { Row } from '../sync/change.ts'
import { allBase, getBase } from './base-layer.ts'
import { allChanges, changesOfRow } from './queue-layer.ts'
import { fromColumns, toColumns } from './row-codec.ts'
import { build, type Tx } from './tx.ts'

/** The row as the user sees it, or null. */
export function getWorking(tx: Tx, id: string): Row | null {
  const columns = tx.get(build.selectFrom('working').selectAll().where('id', '=', id))
  return columns ? fromColumns(columns) : null
}

/** The row with a natural key under a parent as the user sees it, or null. */
export function findWorking(tx: Tx, kind: Row['kind'], parentId: string | null, key: string): Row | null {
  const byKind = build.selectFrom('working').selectAll().where('kind', '=', kind).where('parent_id', 'is', parentId)
  const columns = tx.get(byKind.where(kind === 'variable' ? 'name' : 'slug', '=', key))
  return columns ? fromColumns(columns) : null
}

/** The rows right below a parent as the user sees them. */
export const workingChildren = (tx: Tx, kind: Row['kind'], parentId: string | null): Row[] =>
  tx.all(build.selectFrom('working').selectAll().where('kind', '=', kind).where('parent_id', 'is', parentId)).map(fromColumns)

/**
 * Brings one row of the working layer up to base and queue, and what is below it when it appears or
 * disappears. Must run in the transaction that changed either.
 */
export function refreshRow(tx: Tx, id: string): void {
  const before = getWorking(tx, id)
  const replayed = replayRow(getBase(tx, id), changesOfRow(tx, id))
  const hasParent = replayed === null || replayed.parentId === null || getWorking(tx, replayed.parentId) !== null
  const after = hasParent ? replayed : null
  if (after === null) {
    if (before !== null) tx.run(build.deleteFrom('working').where('id', '=', id))
  } else {
    const columns = toColumns(after)
    tx.run(
      build
        .insertInto('working')
        .values(columns)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
    )
  }
  if ((before === null) !== (after === null)) for (const child of idsBelow(tx, id)) refreshRow(tx, child)
}

/** Local ids right below a row in any layer. */
function idsBelow(tx: Tx, parentId: string): Set<string> {
  const base = tx.all(build.selectFrom('base').select('id').where('parent_id', '=', parentId))
  const queued = tx.all(build.selectFrom('queue').select('row_id as id').where('parent_id', '=', parentId))
  const working = tx.all(build.selectFrom('working').select('id').where('parent_id', '=', parentId))
  return new Set([...base, ...queued, ...working].map((row) => row.id))
}

/** Where the stored working layer differs from its rebuild from base and queue: local ids, none when all is well. */
export function checkWorking(tx: Tx): string[] {
  const rebuilt = replayAll(allBase(tx), allChanges(tx))
  const stored = new Map(tx.all(build.selectFrom('working').selectAll()).map((columns) => [columns.id, JSON.stringify(columns)]))
  return [...new Set([...rebuilt.keys(), ...stored.keys()])].filter((id) => {
    const row = rebuilt.get(id)
    return (row && JSON.stringify(toColumns(row))) !== stored.get(id)
  })
}
