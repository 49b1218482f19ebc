import { sql, type Selectable } from 'kysely'
import { ancestorsFrom } from '../queue/ancestors.ts'
import { replayAll, replayRow } from '../queue/replay.ts'
import { isVariable, type Row, type Variable } from '../queue/entry.ts'
import { allBase, getBase } from './base-layer.ts'
import { allEntries, changesOfRow } from './queue-layer.ts'
import { changedColumns } from './changed-columns.ts'
import { one, reusable, textsIn } from './reusable.ts'
import { fromColumns, toWorkingColumns } from './row-codec.ts'
import type { WorkingTable } from './schema.ts'
import { build, type Tx } from './tx.ts'

type Shown = Pick<Row, 'id' | 'kind'>

interface Place {
  kind: Row['kind']
  parentId: string | null
  key: string
}

type Columns = Selectable<WorkingTable>

const byId = reusable(({ id }: { id: string }) => build.selectFrom('working').selectAll().where('id', '=', id))
const keyed = ({ kind, parentId }: Place) =>
  build.selectFrom('working').selectAll().where('kind', '=', kind).where('parent_id', 'is', parentId)
const byName = reusable((place: Place) => keyed(place).where('name', '=', place.key))
const bySlug = reusable((place: Place) => keyed(place).where('slug', '=', place.key))
const remove = reusable(({ id }: { id: string }) => build.deleteFrom('working').where('id', '=', id))
const byIds = reusable(({ ids }: { ids: string }) =>
  build
    // A join, because SQLite would first copy a subquery of `in` into a table of its own, even for the one row of an edit.
    .selectFrom(sql<{ value: string }>`json_each(${ids})`.as('wanted'))
    .crossJoin('working')
    .selectAll('working')
    .whereRef('working.id', '=', 'wanted.value'),
)
const byNames = reusable(({ environmentId, names }: { environmentId: string; names: string }) =>
  build
    .selectFrom('working')
    .selectAll()
    // Only variables are below an environment: with the kind, SQLite would not use the index of names.
    .where('parent_id', '=', environmentId)
    .where('name', 'in', textsIn(names)),
)
const insert = reusable((columns: Columns) => build.insertInto('working').values(columns))
const change = reusable(({ id, ...columns }: Partial<Columns> & { id: string }) =>
  build.updateTable('working').set(columns).where('id', '=', id),
)
const columnNames = ['id', 'kind', 'parent_id', 'name', 'slug', 'sealed', 'tag', 'key_id', 'type', 'is_secret'] as const
const allColumns = [...columnNames, 'name_key'] as const
const keyOfName = sql<string>`name_key(name)`.as('name_key')
const insertBelow = reusable((columns: Columns) =>
  build
    .insertInto('working')
    .columns(allColumns)
    .expression(
      build
        .selectFrom('working')
        .select((row) => allColumns.map((name) => row.val(columns[name]).as(name)))
        .where('id', '=', columns.parent_id)
        .limit(one),
    ),
)
const insertSeen = reusable(({ from }: { from: number }) =>
  build
    .insertInto('working')
    .columns(allColumns)
    .expression(
      build
        .selectFrom('base as row')
        .select([...columnNames.map((name) => `row.${name}` as const), keyOfName])
        .where(sql<number>`row.rowid`, '>=', from)
        .where(({ or, exists, selectFrom }) =>
          or([
            sql<boolean>`row.parent_id IS NULL`,
            exists(selectFrom('working').select('id').whereRef('working.id', '=', 'row.parent_id')),
          ]),
        ),
    ),
)
const isUnsent = sql<boolean>`EXISTS (SELECT 1 FROM queue WHERE queue.row_id = base.id)`
const isUnedited = sql<boolean>`NOT ${isUnsent}`
const baseBelow = ({ id }: { id: string }) => build.selectFrom('base').where('parent_id', '=', id)
const unsentBaseIds = reusable((parent: { id: string }) => baseBelow(parent).select('id').where(isUnsent))
const unsentIds = reusable(({ id }: { id: string }) => build.selectFrom('queue').select('row_id as id').where('parent_id', '=', id))
const uneditedIds = reusable((parent: { id: string }) => baseBelow(parent).select('id').where(isUnedited))
const insertUnedited = reusable((parent: { id: string }) =>
  build
    .insertInto('working')
    .columns(allColumns)
    .expression(
      baseBelow(parent)
        .select([...columnNames, keyOfName])
        .where(isUnedited),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => Object.fromEntries(allColumns.map((name) => [name, row.ref(`excluded.${name}`)]))),
    ),
)
const removeBelow = reusable(({ id }: { id: string }) => build.deleteFrom('working').where('parent_id', '=', id))
const isShownUnsent = sql<boolean>`EXISTS (SELECT 1 FROM queue WHERE queue.row_id = working.id)`
const workingBelow = ({ id }: { id: string }) => build.selectFrom('working').select('id').where('parent_id', '=', id)
const workingIds = reusable(workingBelow)
const unsentWorkingIds = reusable((parent: { id: string }) => workingBelow(parent).where(isShownUnsent))

/** Returns the row as the user sees it, or null. */
export function getWorking(tx: Tx, id: string): Row | null {
  const columns = tx.get(byId({ id }))
  return columns ? fromColumns(columns) : null
}

/** Returns the rows with these ids as the user sees them, by id. */
export const workingRows = (tx: Tx, ids: readonly string[]): ReadonlyMap<string, Row> =>
  new Map(tx.all(byIds({ ids: JSON.stringify(ids) })).map((columns) => [columns.id, fromColumns(columns)]))

/** Returns the variable with this id as the user sees it, or null. */
export function getVariable(tx: Tx, id: string): Variable | null {
  const row = getWorking(tx, id)
  return isVariable(row) ? row : null
}

/** Returns the row with a natural key under a parent as the user sees it, or null. */
export function findWorking(tx: Tx, kind: Row['kind'], parentId: string | null, key: string): Row | null {
  const columns = tx.get((kind === 'variable' ? byName : bySlug)({ kind, parentId, key }))
  return columns ? fromColumns(columns) : null
}

/** Returns an environment's variables with these names, by name, as the user sees them. */
export const workingNamed = (tx: Tx, environmentId: string, names: readonly string[]): ReadonlyMap<string, Variable> => {
  const rows = tx.all(byNames({ environmentId, names: JSON.stringify(names) })).map(fromColumns)
  return new Map(rows.filter((row) => isVariable(row)).map((row) => [row.fields.name, row]))
}

/** Whether two variables of an environment have a name, as they do while a conflict about the name is open. */
export const hasTwoNamed = (tx: Tx, environmentId: string, name: string): boolean =>
  tx.all(byName({ kind: 'variable', parentId: environmentId, key: name })).length > 1

/** Returns the local ids of a parent and its ancestors, nearest first, as the user sees them. */
export const pathFrom = (tx: Tx, parentId: string | null): string[] => ancestorsFrom(parentId, (id) => shownParent(tx, id))

/** Returns the local id of a row's parent as the user sees it, or saw it before the row was deleted. Null: none. */
export const shownParent = (tx: Tx, id: string): string | null => (getWorking(tx, id) ?? getBase(tx, id))?.parentId ?? null

/** Returns the rows directly below a parent as the user sees them. */
export const workingChildren = (tx: Tx, kind: Row['kind'], parentId: string | null): Row[] =>
  tx.all(build.selectFrom('working').selectAll().where('kind', '=', kind).where('parent_id', 'is', parentId)).map(fromColumns)

/** Returns the local ids of all rows below a row as the user sees them. */
export function idsBelow(tx: Tx, { id, kind }: Shown): string[] {
  const ids = kind === 'variable' ? [] : tx.all(workingIds({ id })).map((child) => child.id)
  return kind === 'project' ? ids.flatMap((child) => [child, ...idsBelow(tx, { id: child, kind: 'environment' })]) : ids
}

/** Adds a new row to the layer if its parent is visible. The mirror must not have its id or a child of it yet. */
export function showNewRow(tx: Tx, row: Row): void {
  tx.run((row.parentId === null ? insert : insertBelow)(toWorkingColumns(row)))
}

/** Adds the base rows from this rowid on, each if its parent is visible. They have just been inserted and have no children. */
export function showNewRows(tx: Tx, from: number): void {
  tx.run(insertSeen({ from }))
}

/** Returns the variables of an environment as the user sees them. */
export const variablesIn = (tx: Tx, environmentId: string): Variable[] =>
  workingChildren(tx, 'variable', environmentId).filter((row) => isVariable(row))

/**
 * Updates one row of the working layer from base and queue. Updates the rows below it too, if it appears or disappears. Must run in the
 * transaction that changed base or queue. `replayed`: the row with its unsent changes; null: there is none.
 */
export function refreshRow(tx: Tx, id: string, replayed = replayRow(getBase(tx, id), changesOfRow(tx, id))): void {
  const before = getWorking(tx, id)
  const hasParent = replayed === null || replayed.parentId === null || getWorking(tx, replayed.parentId) !== null
  const after = hasParent ? replayed : null
  if (after === null) {
    if (before !== null) tx.run(remove({ id }))
  } else if (before === null) {
    tx.run(insert(toWorkingColumns(after)))
  } else {
    const changed = changedColumns(toWorkingColumns(before), toWorkingColumns(after))
    if (Object.keys(changed).length > 0) tx.run(change({ ...changed, id }))
  }
  if (before !== null && after === null) hideBelow(tx, before)
  if (before === null && after !== null) showBelow(tx, after)
}

/**
 * Updates the rows below a row that has disappeared. Rows with unsent changes are updated one by one, because they may have moved to
 * another parent. One statement updates all others.
 */
function hideBelow(tx: Tx, { id, kind }: Shown): void {
  if (kind === 'variable') return
  for (const child of tx.all(unsentWorkingIds({ id }))) refreshRow(tx, child.id)
  if (kind === 'project') for (const environment of tx.all(workingIds({ id }))) hideBelow(tx, { ...environment, kind: 'environment' })
  tx.run(removeBelow({ id }))
}

/** Updates the rows below a row that has appeared. Rows with unsent changes are updated one by one. One statement updates all others. */
function showBelow(tx: Tx, { id, kind }: Shown): void {
  if (kind === 'variable') return
  tx.run(insertUnedited({ id }))
  if (kind === 'project') for (const environment of tx.all(uneditedIds({ id }))) showBelow(tx, { ...environment, kind: 'environment' })
  const unsent = [unsentBaseIds, unsentIds].flatMap((query) => tx.all(query({ id })))
  for (const child of new Set(unsent.map((row) => row.id))) refreshRow(tx, child)
}

/**
 * Returns the local ids of rows in which the stored working layer differs from the one rebuilt from base and queue. Empty: none differs.
 */
export function checkWorking(tx: Tx): string[] {
  const rebuilt = replayAll(allBase(tx), allEntries(tx))
  const stored = new Map(tx.all(build.selectFrom('working').selectAll()).map((columns) => [columns.id, JSON.stringify(columns)]))
  return [...new Set([...rebuilt.keys(), ...stored.keys()])].filter((id) => {
    const row = rebuilt.get(id)
    return (row && JSON.stringify(toWorkingColumns(row))) !== stored.get(id)
  })
}
