import { sql } from 'kysely'
import type { BaseRow, Change, Row, RowKind } from '../queue/entry.ts'
import { changedFields, fieldNames, pickFields, sameField, type Fields } from '../queue/fields.ts'
import { deleteBase, getBase, putBase } from './base-layer.ts'
import { changesOfRow } from './queue-layer.ts'
import { getState } from './workspace-state.ts'
import { one, reusable } from './reusable.ts'
import { parseFields } from './row-codec.ts'
import { dateOfWrite } from './trim-clock.ts'
import { build, type Tx } from './tx.ts'
import { getWorking } from './working-layer.ts'

/**
 * The mirror revision that a screen showed when the user decided. If others have not changed the row since, any later revision means the
 * same.
 */
export type Seen = number

/** For a decision that the application makes in the same transaction, about the present row. */
export const seenNow: Seen = Number.MAX_SAFE_INTEGER

const bump = reusable(() =>
  build
    .insertInto('meta')
    .values({ key: 'rev', value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql`CAST(meta.value AS INTEGER) + 1` }))
    .returning('value'),
)
const mark = reusable(({ rev, id }: { rev: number; id: string }) => build.updateTable('base').set({ rev }).where('id', '=', id))
const revOfRow = reusable(({ id }: { id: string }) => build.selectFrom('base').select('rev').where('id', '=', id))
const firstAfter = reusable(({ id, seen }: { id: string; seen: number }) =>
  build
    .selectFrom('past')
    .select(['kind', 'parent_id', 'fields'])
    .where('row_id', 'in', [id])
    .where('rev_until', '>', seen)
    .orderBy('rev_until')
    .orderBy('seq')
    .limit(one),
)

const lastPast = reusable(({ id }: { id: string }) =>
  build.selectFrom('past').select('fields').where('row_id', 'in', [id]).orderBy('rev_until', 'desc').orderBy('seq', 'desc').limit(one),
)
const endingAt = reusable(({ id, rev }: { id: string; rev: number }) =>
  build.selectFrom('past').select('seq').where('row_id', 'in', [id]).where('rev_until', 'in', [rev]).limit(one),
)
/** The fields in `past` for a row that did not exist yet. */
const noFields = '{}'
const takeOwn = reusable(({ id, own, parentId }: { id: string; own: string; parentId: string | null }) =>
  build
    .updateTable('past')
    .set({ fields: sql`json_patch(fields, ${own})`, parent_id: sql`coalesce(${parentId}, parent_id)` })
    .where('row_id', '=', id)
    .where('fields', '<>', noFields),
)

/** Returns the newest revision: a screen that is read now shows everything up to it. */
export const newestRev = (tx: Tx): Seen => Number(getState(tx, 'rev') ?? 0)

/** Returns the revision at which others last changed the row; 0: only the user has. */
export const revOf = (tx: Tx, id: string): Seen => tx.get(revOfRow({ id }))?.rev ?? 0

const revs = new WeakMap<Tx, Seen>()

/** Returns the revision for all remote changes in this transaction. They share one, because no screen can show a part of them. */
export function nextRev(tx: Tx): Seen {
  const rev = revs.get(tx) ?? Number(tx.get(bump({}))?.value)
  revs.set(tx, rev)
  return rev
}

/**
 * Writes a base row as the service shows it. `expected`: the row as it would be if only this user had written it; null: it is unknown here.
 * A difference means that others changed the row. That makes a new revision, and the former row is kept for screens that still show it.
 */
export function putRemote(tx: Tx, row: BaseRow, expected: Pick<Row, 'parentId' | 'fields'> | null, now: number): void {
  // No screen shows a placeholder, a row without fields.
  const before = expected === null || Object.keys(expected.fields).length === 0 ? null : expected
  const base = putBase(tx, row)
  if (before !== null) {
    if (base !== null) keepOwn(tx, base, before, row.id)
    // Made again by its user, the row is a new one: what a deleted record of it was says nothing of what a screen shows now.
    else forgetPast(tx, row.id)
  }
  if (before !== null && before.parentId === row.parentId && !differs(before.fields, row.fields)) return
  const rev = nextRev(tx)
  // The past row includes the unsent edits: the screen showed them too, and they may be sent or discarded before it is read.
  if (before !== null) keepPast(tx, getWorking(tx, row.id) ?? { ...row, ...before }, rev, now)
  tx.run(mark({ id: row.id, rev }))
}

/**
 * Writes the user's own edit of a row into all its past rows, so that every screen counts as showing it, even an older one. Once the edit
 * is sent, nothing else tells it from a remote change.
 */
function keepOwn(tx: Tx, from: Pick<Row, 'parentId' | 'fields'>, { parentId, fields }: Pick<Row, 'parentId' | 'fields'>, id: string): void {
  const own = changedFields(from.fields, fields)
  const isMoved = parentId !== from.parentId
  if (Object.keys(own).length > 0 || isMoved) tx.run(takeOwn({ id, own: JSON.stringify(own), parentId: isMoved ? parentId : null }))
}

/** Whether a field that both sides know differs. A field that becomes known is not a change. */
const differs = (before: Fields, after: Fields): boolean =>
  fieldNames.some((name) => before[name] !== undefined && after[name] !== undefined && !sameField(before[name], after[name]))

/** Removes a row that others deleted. Keeps it, with its unsent edits, for screens that still show it. */
export function deleteRemote(tx: Tx, row: Row, now: number): void {
  keepPast(tx, getWorking(tx, row.id) ?? row, nextRev(tx), now)
  deleteBase(tx, row.id)
}

/**
 * Makes a new revision when the user discards changes of a row: a screen that still shows the changes has not shown the base row. A row
 * that others deleted stops existing without these changes.
 */
export function keepGivenUp(tx: Tx, shown: Row, now: number): void {
  const left = getWorking(tx, shown.id)
  if (left !== null) keepOwn(tx, left, shown, shown.id)
  keepShown(tx, shown, now)
}

/** Makes a new revision of a row that no screen shows: the user has not seen its remote changes. */
export function keepUnseen(tx: Tx, rowId: string): void {
  if (getBase(tx, rowId) !== null) tx.run(mark({ id: rowId, rev: nextRev(tx) }))
}

function keepShown(tx: Tx, shown: Row, now: number): void {
  const base = getBase(tx, shown.id)
  // A row in a deleted project or environment has no working row. That deletion asks about rows that were not shown.
  const left = getWorking(tx, shown.id) ?? base
  if (left === null) forgetPast(tx, shown.id)
  if (left === null || base === null || !differs(shown.fields, left.fields)) return
  const rev = nextRev(tx)
  keepPast(tx, shown, rev, now)
  tx.run(mark({ id: shown.id, rev }))
}

/**
 * Makes new revisions when the user discards a deletion. A screen without the row has not shown later remote changes of the row, nor, for a
 * project or environment, of the rows below it.
 */
export function keepWithdrawn(tx: Tx, { kind, rowId, rowKind, ancestors, base, seen }: Change, now: number): void {
  if (kind !== 'delete') return
  if (seen !== null) {
    for (const below of tx.all(changedBelow(rowId, seen))) tx.run(mark({ id: below.id, rev: nextRev(tx) }))
    for (const version of tx.all(versionsBelow(rowId).where('rev', '>', seen)))
      tx.run(
        build
          .updateTable('versions')
          .set({ rev: nextRev(tx) })
          .where('remote_id', '=', version.remote_id),
      )
  }
  // No screen has shown the row at all.
  if (base === null) tx.run(mark({ id: rowId, rev: nextRev(tx) }))
  const { parent = ancestors[0] ?? null, ...fields } = base ?? {}
  keepShown(tx, { id: rowId, kind: rowKind, parentId: parent, fields }, now)
}

function keepPast(tx: Tx, { id, kind, parentId, fields }: Row, rev: Seen, now: number): void {
  const since = revOf(tx, id)
  const columns = { row_id: id, kind, at: dateOfWrite(tx, now) }
  // Others created the row at the revision `since`: no earlier screen shows it.
  const isNew = since > 0 && tx.get(endingAt({ id, rev: since })) === undefined
  if (isNew) tx.run(build.insertInto('past').values({ ...columns, parent_id: null, fields: noFields, rev_until: since }))
  tx.run(build.insertInto('past').values({ ...columns, parent_id: parentId, fields: JSON.stringify(fields), rev_until: rev }))
}

/** Deletes the past of a row that the user deleted or gave up. */
export function forgetPast(tx: Tx, rowId: string): void {
  tx.run(build.deleteFrom('past').where('row_id', '=', rowId))
}

/**
 * Returns the row as a screen of the revision `seen` showed it: without later remote changes, with all changes made here. It also returns a
 * row that others have deleted since. Null: that screen did not show the row, because others created it later or the user deleted it.
 */
export function seenRow(tx: Tx, id: string, seen: Seen): Row | null {
  const now = getWorking(tx, id)
  const columns = tx.get(firstAfter({ id, seen }))
  if (columns === undefined) return revOf(tx, id) > seen ? null : now
  if (columns.fields === noFields) return null
  const base = getBase(tx, id)
  const then: Row = { id, kind: columns.kind, parentId: columns.parent_id, fields: parseFields(columns.fields) }
  // A missing row with unsent changes was deleted by the user.
  if (now === null) return base === null && changesOfRow(tx, id).length === 0 ? then : null
  const theirs = fieldNames.filter((name) => sameField(now.fields[name], base?.fields[name]))
  const parentId = now.parentId === base?.parentId ? then.parentId : now.parentId
  return { ...then, parentId, fields: { ...now.fields, ...pickFields(then.fields, theirs) } }
}

/** Returns the fields that a row had before others last changed or deleted it; empty: they never did. */
export const lastOf = (tx: Tx, id: string): Fields => {
  const last = tx.get(lastPast({ id }))
  return last === undefined ? {} : parseFields(last.fields)
}

/**
 * Whether a row of an environment was elsewhere, or did not exist, on the service at the revision `seen`. False for a row that others had
 * deleted before: the screen showed the values that the user had typed.
 */
export function wasElsewhere(tx: Tx, id: string, environmentId: string, seen: Seen): boolean {
  const then = tx.get(firstAfter({ id, seen }))
  if (then !== undefined) return then.parent_id !== environmentId
  const base = getBase(tx, id)
  return base !== null && (base.parentId !== environmentId || revOf(tx, id) > seen)
}

/** Returns the local ids of an environment's variables that others changed, added or deleted after the revision `seen`. */
export function changedSince(tx: Tx, environmentId: string, seen: Seen): string[] {
  const here = build
    .selectFrom('base')
    .select('id')
    .where('kind', '=', 'variable')
    .where('parent_id', '=', environmentId)
    .where('rev', '>', seen)
  const before = build
    .selectFrom('past')
    .select('row_id as id')
    .where('kind', '=', 'variable')
    .where('parent_id', '=', environmentId)
    .where('rev_until', '>', seen)
  return tx.all(here.union(before)).map(({ id }) => id)
}

/** How many rows of a project or environment others changed since a screen showed it. */
export interface News {
  added: Record<RowKind | 'version', number>
  changed: Record<RowKind, number>
}

/** The project or environment itself and the rows below it, if others changed them after the revision `seen`. */
const changedBelow = (placeId: string, seen: Seen) => {
  const inside = build.selectFrom('base').select('id').where('parent_id', '=', placeId)
  return build
    .selectFrom('base')
    .select(['id', 'kind', 'parent_id'])
    .where('rev', '>', seen)
    .where((where) => where.or([where('id', '=', placeId), where('parent_id', '=', placeId), where('parent_id', 'in', inside)]))
}

/** The versions of an environment, or of all environments of a project. */
const versionsBelow = (placeId: string) => {
  const environments = build
    .selectFrom('base')
    .select('remote_id')
    .where('kind', '=', 'environment')
    .where((where) => where.or([where('id', '=', placeId), where('parent_id', '=', placeId)]))
  return build.selectFrom('versions').select('remote_id').where('environment_remote_id', 'in', environments)
}

/** Returns the remote ids of the versions of an environment, or of all environments of a project. */
export const versionIdsBelow = (tx: Tx, placeId: string): string[] => tx.all(versionsBelow(placeId)).map((version) => version.remote_id)

/**
 * Counts the remote changes after the revision `seen`: new and changed rows at and below a project or environment, and its new versions.
 */
export function newsSince(tx: Tx, placeId: string, seen: Seen): News {
  const news: News = {
    added: { project: 0, environment: 0, variable: 0, version: 0 },
    changed: { project: 0, environment: 0, variable: 0 },
  }
  // Searching 100,000 rows takes a tenth of a second.
  if (seen >= newestRev(tx)) return news
  for (const { id, kind, parent_id: parentId } of tx.all(changedBelow(placeId, seen))) {
    const then = tx.get(firstAfter({ id, seen }))
    // A row that was moved here counts as added.
    news[then === undefined || then.parent_id !== parentId ? 'added' : 'changed'][kind] += 1
  }
  news.added.version = tx.all(versionsBelow(placeId).where('rev', '>', seen)).length
  return news
}
