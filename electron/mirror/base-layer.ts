import type { Insertable } from 'kysely'
import type { BaseRow, RowKind } from '../queue/entry.ts'
import { changedColumns } from './changed-columns.ts'
import { one, reusable, textsIn } from './reusable.ts'
import { fromBaseColumns, toBaseColumns } from './row-codec.ts'
import type { BaseTable } from './schema.ts'
import { noteNamesakes } from './superseded-layer.ts'
import { build, type Tx } from './tx.ts'

const byId = reusable(({ id }: { id: string }) => build.selectFrom('base').selectAll().where('id', '=', id))
const byRemote = reusable(({ kind, remoteId }: { kind: RowKind; remoteId: string }) =>
  build.selectFrom('base').selectAll().where('kind', '=', kind).where('remote_id', '=', remoteId),
)
const byName = reusable(({ parentId, name }: { parentId: string; name: string }) =>
  build.selectFrom('base').selectAll().where('parent_id', 'in', [parentId]).where('name', 'in', [name]).limit(one),
)
const etagsOf = reusable(({ ids }: { ids: string }) =>
  build
    .selectFrom('base')
    .select(({ selectFrom }) => [
      'remote_id',
      'etag',
      selectFrom('base as parent').select('parent.remote_id').whereRef('parent.id', '=', 'base.parent_id').as('parent'),
    ])
    .where('kind', '=', 'variable')
    .where('remote_id', 'in', textsIn(ids))
    .where('sealed', 'is not', null)
    .where('type', 'is not', null)
    .where('is_secret', 'is not', null),
)
const known = reusable(({ kind, remoteIds }: { kind: RowKind; remoteIds: string }) =>
  build.selectFrom('base').select('remote_id as remoteId').where('kind', '=', kind).where('remote_id', 'in', textsIn(remoteIds)),
)
const insert = reusable((columns: Insertable<BaseTable>) => build.insertInto('base').values(columns))
const change = reusable(({ id, ...columns }: Partial<Insertable<BaseTable>> & { id: string }) =>
  build.updateTable('base').set(columns).where('id', '=', id),
)
const remove = reusable(({ id }: { id: string }) => build.deleteFrom('base').where('id', '=', id))

export function getBase(tx: Tx, id: string): BaseRow | null {
  const columns = tx.get(byId({ id }))
  return columns ? fromBaseColumns(columns) : null
}

export function getBaseByRemote(tx: Tx, kind: RowKind, remoteId: string): BaseRow | null {
  const columns = tx.get(byRemote({ kind, remoteId }))
  return columns ? fromBaseColumns(columns) : null
}

/** Returns the variable of that name in an environment, or null. */
export function findBase(tx: Tx, environmentId: string, name: string): BaseRow | null {
  const columns = tx.get(byName({ parentId: environmentId, name }))
  return columns ? fromBaseColumns(columns) : null
}

/** Returns the rows directly below `parentId`; null: the projects. */
export function baseChildren(tx: Tx, parentId: string | null): BaseRow[] {
  return tx.all(build.selectFrom('base').selectAll().where('parent_id', 'is', parentId)).map(fromBaseColumns)
}

/** Counts the rows below a project or environment, at any depth. */
export function countBelow(tx: Tx, id: string): number {
  const inside = build.selectFrom('base').select('id').where('parent_id', '=', id)
  const below = build.selectFrom('base').select(({ fn }) => fn.countAll<number>().as('n'))
  return tx.get(below.where(({ or, eb }) => or([eb('parent_id', '=', id), eb('parent_id', 'in', inside)])))?.n ?? 0
}

/** Returns the remote ids of the rows directly below `parentId`. */
export const remoteChildren = (tx: Tx, parentId: string): { kind: RowKind; remoteId: string }[] =>
  tx.all(build.selectFrom('base').select(['kind', 'remote_id as remoteId']).where('parent_id', '=', parentId))

/**
 * Returns the ETag, and the environment's remote id, of each of these variables, by remote id. Variables with an unknown field are left
 * out.
 */
export const variableEtags = (tx: Tx, remoteIds: readonly string[]): ReadonlyMap<string, { etag: string | null; parent: string | null }> =>
  new Map(tx.all(etagsOf({ ids: JSON.stringify(remoteIds) })).map(({ remote_id: id, etag, parent }) => [id, { etag, parent }]))

export const isBaseEmpty = (tx: Tx): boolean => tx.get(build.selectFrom('base').select('id').limit(1)) === undefined

export const allBase = (tx: Tx): BaseRow[] => tx.all(build.selectFrom('base').selectAll()).map(fromBaseColumns)

/** Returns the remote ids that base has. */
export const knownRemotely = (tx: Tx, kind: RowKind, remoteIds: readonly string[]): ReadonlySet<string> =>
  new Set(remoteIds.length === 0 ? [] : tx.all(known({ kind, remoteIds: JSON.stringify(remoteIds) })).map(({ remoteId }) => remoteId))

/** Inserts rows, at least one. `rev`: see `BaseTable`. Returns the rowid of the first; later rows have higher ones. */
export function insertBase(tx: Tx, rows: readonly BaseRow[], rev: number): number {
  const [from = 0] = rows.map((row) => tx.run(insert({ ...toBaseColumns(row), rev })).lastInsertRowid)
  noteNamesakes(tx, rows, from)
  return from
}

/** Writes a row that only the user has changed, and returns the former row, or null. All other rows go through `putRemote`. */
export function putBase(tx: Tx, row: BaseRow): BaseRow | null {
  const columns = toBaseColumns(row)
  const before = getBase(tx, row.id)
  if (before === null) insertBase(tx, [row], 0)
  else {
    const changed = changedColumns(toBaseColumns(before), columns)
    if (Object.keys(changed).length > 0) tx.run(change({ ...changed, id: row.id }))
  }
  return before
}

/** Removes the row; the caller removes the rows below it. */
export function deleteBase(tx: Tx, id: string): void {
  tx.run(remove({ id }))
}
