import { replayAll, replayRow } from '../queue/replay.ts'
import type { Row } from '../queue/entry.ts'
import { allBase, getBase } from './base-layer.ts'
import { allEntries, changesOfRow } from './queue-layer.ts'
import { reusable } from './reusable.ts'
import { fromColumns, toColumns } from './row-codec.ts'
import type { WorkingTable } from './schema.ts'
import { build, type Tx } from './tx.ts'

interface Place {
  kind: Row['kind']
  parentId: string | null
  key: string
}

const byId = reusable(({ id }: { id: string }) => build.selectFrom('working').selectAll().where('id', '=', id))
const keyed = ({ kind, parentId }: Place) =>
  build.selectFrom('working').selectAll().where('kind', '=', kind).where('parent_id', 'is', parentId)
const byName = reusable((place: Place) => keyed(place).where('name', '=', place.key))
const bySlug = reusable((place: Place) => keyed(place).where('slug', '=', place.key))
const remove = reusable(({ id }: { id: string }) => build.deleteFrom('working').where('id', '=', id))
const put = reusable((columns: WorkingTable) =>
  build
    .insertInto('working')
    .values(columns)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
)
const baseChildIds = reusable(({ id }: { id: string }) => build.selectFrom('base').select('id').where('parent_id', '=', id))
const queueChildIds = reusable(({ id }: { id: string }) => build.selectFrom('queue').select('row_id as id').where('parent_id', '=', id))
const workingChildIds = reusable(({ id }: { id: string }) => build.selectFrom('working').select('id').where('parent_id', '=', id))

/** The row as the user sees it, or null. */
export function getWorking(tx: Tx, id: string): Row | null {
  const columns = tx.get(byId({ id }))
  return columns ? fromColumns(columns) : null
}

/** The row with a natural key under a parent as the user sees it, or null. */
export function findWorking(tx: Tx, kind: Row['kind'], parentId: string | null, key: string): Row | null {
  const columns = tx.get((kind === 'variable' ? byName : bySlug)({ kind, parentId, key }))
  return columns ? fromColumns(columns) : null
}

/** A parent's local id and those above it, nearest first, as the user sees them. */
export function pathFrom(tx: Tx, parentId: string | null): string[] {
  if (parentId === null) return []
  return [parentId, ...pathFrom(tx, (getWorking(tx, parentId) ?? getBase(tx, parentId))?.parentId ?? null)]
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
    if (before !== null) tx.run(remove({ id }))
  } else {
    tx.run(put(toColumns(after)))
  }
  if ((before === null) !== (after === null)) for (const child of childIds(tx, id)) refreshRow(tx, child)
}

/** Local ids right below a row in any layer. */
function childIds(tx: Tx, parentId: string): Set<string> {
  const below = [baseChildIds, queueChildIds, workingChildIds].flatMap((query) => tx.all(query({ id: parentId })))
  return new Set(below.map(({ id }) => id))
}

/** Where the stored working layer differs from its rebuild from base and queue: local ids, none when all is well. */
export function checkWorking(tx: Tx): string[] {
  const rebuilt = replayAll(allBase(tx), allEntries(tx))
  const stored = new Map(tx.all(build.selectFrom('working').selectAll()).map((columns) => [columns.id, JSON.stringify(columns)]))
  return [...new Set([...rebuilt.keys(), ...stored.keys()])].filter((id) => {
    const row = rebuilt.get(id)
    return (row && JSON.stringify(toColumns(row))) !== stored.get(id)
  })
}
