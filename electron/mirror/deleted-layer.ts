import { sql, type RawBuilder, type Selectable } from 'kysely'
import { z } from 'zod'
import type { RowKind } from '../queue/entry.ts'
import type { Fields, SealedValue } from '../queue/fields.ts'
import { fromColumns } from './row-codec.ts'
import { one, reusable, textsIn } from './reusable.ts'
import type { DeletedTable } from './schema.ts'
import { dateOfWrite } from './trim-clock.ts'
import { trimOld } from './trim-old.ts'
import { build, type Tx } from './tx.ts'
import { getState } from './workspace-state.ts'

/** How long a deleted project or environment can be restored from the mirror, in milliseconds: longer than the service keeps its own. */
export const deletedKeptMs = 90 * 24 * 60 * 60 * 1000

/** The longest that a sync takes to find all rows of one deletion, in milliseconds. */
const longSyncMs = 10 * 60 * 1000

export interface Deletion {
  whose: 'mine' | 'theirs'
  /** As the service says; null if it doesn't. */
  by: string | null
}

/** A deleted row, as the service last showed it. */
export type DeletedRow = Selectable<DeletedTable>

export type DeletedParent = DeletedRow & { kind: 'project' | 'environment'; slug: string }

const isParent = (row: DeletedRow): row is DeletedParent => row.kind !== 'variable' && row.slug !== null

const columns = ['id', 'remote_id', 'kind', 'parent_id', 'name', 'slug', 'sealed', 'tag', 'key_id', 'type', 'is_secret'] as const
const names = sql.join([...columns, 'whose', 'by', 'at', 'since'].map((name) => sql.ref(name)))
const copied = sql.join(columns.map((name) => sql.ref(name)))
const compiled = (query: RawBuilder<unknown>) => ({ compile: () => query.compile(build) })
const keep = reusable(({ ids, whose, by, at, since }: { ids: string; whose: string; by: string | null; at: number; since: number }) =>
  compiled(
    sql`INSERT INTO deleted (${names}) SELECT ${copied}, ${whose}, ${by}, ${at}, ${since} FROM base
      WHERE id IN ${textsIn(ids)} AND name IS NOT NULL`,
  ),
)

/** Keeps the rows that are about to leave base, as the service last showed them. */
export function keepDeleted(tx: Tx, ids: readonly string[], { whose, by }: Deletion, at: number): void {
  const now = dateOfWrite(tx, at)
  // The sync under way has sent the user's own deletion, however long ago the last sync succeeded.
  const since = whose === 'mine' ? Math.max(syncBegan(tx, now), now - longSyncMs) : syncBegan(tx, now)
  tx.run(keep({ ids: JSON.stringify(ids), whose, by, at: now, since }))
}

/**
 * Returns the earliest time that the sync under way can have begun, in milliseconds. All rows that one sync finds deleted belong to one
 * deletion, because a feed lists the contents of a project before the project.
 */
function syncBegan(tx: Tx, now: number): number {
  const lastSync = Number(getState(tx, 'last-synced-at') ?? 0)
  // If the clock was set back after the last sync, the present one began at most some minutes ago.
  return lastSync < now ? lastSync : now - longSyncMs
}

/** Keeps versions that are about to leave the mirror, with their variables if the mirror has them. */
export function keepDeletedVersions(tx: Tx, ids: readonly string[], now: number): void {
  const variables = sql`CASE WHEN is_mirrored = 0 THEN NULL ELSE (
    SELECT json_group_array(json_object('name', name, 'sealed', sealed, 'tag', tag, 'keyId', key_id)) FROM version_variables
    WHERE version_id = versions.id) END`
  const query = sql`INSERT OR REPLACE INTO deleted_versions (remote_id, environment_remote_id, label, note, created_at, variables, at)
    SELECT remote_id, environment_remote_id, label, note, created_at, ${variables}, ${now} FROM versions
    WHERE id IN ${textsIn(JSON.stringify(ids))}`
  tx.run(compiled(query))
}

const inBase = build.selectFrom('base').select('remote_id')

/**
 * Returns the projects and environments that are still deleted, in their last state, newest first. Environments that were deleted with
 * their project are left out.
 */
export function deletedParents(tx: Tx): DeletedParent[] {
  const rows = tx
    .all(
      build.selectFrom('deleted').selectAll().where('kind', '!=', 'variable').where('remote_id', 'not in', inBase).orderBy('seq', 'desc'),
    )
    .filter(isParent)
  const last = [...new Map(rows.toReversed().map((row) => [row.remote_id, row])).values()].toSorted((a, b) => b.seq - a.seq)
  const projects = new Map(last.map((row) => [row.id, row]))
  return last.filter((row) => {
    const project = row.kind === 'environment' && row.parent_id !== null ? projects.get(row.parent_id) : undefined
    return project === undefined || !wentWith(row, project)
  })
}

/**
 * Returns the times after which rows were deleted with their parent, by who deleted them. A row that the user deleted before the parent was
 * deleted by itself, even in the same sync.
 */
const beganOf = ({ whose, at, since }: DeletedRow) => ({ mine: whose === 'mine' ? at - 1 : since, theirs: since })

/** Whether a row was deleted with its parent. */
const wentWith = (row: Pick<DeletedRow, 'at' | 'whose'>, parent: DeletedRow): boolean =>
  row.at <= parent.at && row.at > beganOf(parent)[row.whose]

const byId = reusable(({ id }: { id: string }) => build.selectFrom('deleted').selectAll().where('id', 'in', [id]).orderBy('seq', 'desc'))

/** Returns a deleted row by its local id, in its last state; null: it is not kept. */
export const lastDeleted = (tx: Tx, id: string): DeletedRow | null => tx.get(byId({ id })) ?? null

/** Like `lastDeleted`, but returns only projects and environments. */
export function getDeleted(tx: Tx, id: string): DeletedParent | null {
  const row = lastDeleted(tx, id)
  return row !== null && isParent(row) ? row : null
}

/** Returns a deleted project or environment by its remote id, in its last state; null: it is not kept. */
export const deletedByRemote = (tx: Tx, remoteId: string): DeletedParent | null =>
  tx.all(build.selectFrom('deleted').selectAll().where('remote_id', '=', remoteId).orderBy('seq', 'desc')).find(isParent) ?? null

const anyDeleted = reusable(() => build.selectFrom('deleted').select('seq').limit(one))
const lastOf = reusable(({ kind, remoteId }: { kind: RowKind; remoteId: string }) =>
  build.selectFrom('deleted').select('id').where('remote_id', 'in', [remoteId]).where('kind', '=', kind).orderBy('seq', 'desc'),
)

export const isNothingDeleted = (tx: Tx): boolean => tx.get(anyDeleted({})) === undefined

/** Returns the local id that a deleted record had; null: it is not kept, or another record had that id later. */
export function idOfDeleted(tx: Tx, kind: RowKind, remoteId: string): string | null {
  const last = tx.get(lastOf({ kind, remoteId }))
  return last === undefined || lastDeleted(tx, last.id)?.remote_id !== remoteId ? null : last.id
}

/** Returns the direct children that were deleted with a project or environment, in their last state, each once. */
function deletedWith(tx: Tx, parent: DeletedRow): DeletedRow[] {
  const rows = tx.all(build.selectFrom('deleted').selectAll().where('parent_id', '=', parent.id).orderBy('seq'))
  const last = new Map(rows.filter((row) => wentWith(row, parent)).map((row) => [row.id, row]))
  return [...last.values()].toSorted((a, b) => a.seq - b.seq)
}

/**
 * Like `deletedWith`, but by name, and of several variables with one name, as after one was deleted and made again, only the last: it is the
 * one that restoring brings back.
 */
export function deletedChildren(tx: Tx, parent: DeletedRow): DeletedRow[] {
  const last = new Map(deletedWith(tx, parent).map((row) => [row.kind === 'variable' ? row.name : row.id, row]))
  return [...last.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the environments that were deleted with a project; for a deleted environment, only that one. */
export const deletedEnvironments = (tx: Tx, parent: DeletedParent): DeletedParent[] =>
  parent.kind === 'environment' ? [parent] : deletedChildren(tx, parent).filter(isParent)

export const fieldsOfDeleted = (row: DeletedRow): Fields => fromColumns(row).fields

/** A version of a deleted environment. `variables`: null if they were never read. */
export interface DeletedVersion {
  label: string
  note: string
  variables: { name: string; value: SealedValue }[] | null
}

const variablesSchema = z.array(z.object({ name: z.string(), sealed: z.string(), tag: z.string().nullable(), keyId: z.string() }))

/** Returns the versions of a deleted environment, oldest first. */
export const deletedVersions = (tx: Tx, environmentRemoteId: string): DeletedVersion[] =>
  tx
    .all(
      build
        .selectFrom('deleted_versions')
        .selectAll()
        .where('environment_remote_id', '=', environmentRemoteId)
        .orderBy('created_at')
        .orderBy('remote_id'),
    )
    .map(({ label, note, variables }) => ({
      label,
      note,
      variables: variables === null ? null : variablesSchema.parse(JSON.parse(variables)).map(({ name, ...value }) => ({ name, value })),
    }))

/** The number of variables that were deleted with an environment, as `deletedChildren` finds them: there may be 100,000 in a project. */
const variablesWith = (environment: DeletedRow) => {
  const began = beganOf(environment)
  const last = build
    .selectFrom('deleted')
    .select(({ fn }) => ['name', fn.max('seq').as('seq')])
    .where('parent_id', '=', environment.id)
    .where('kind', '=', 'variable')
    .where('at', '<=', environment.at)
    .where('at', '>', sql<number>`CASE whose WHEN 'mine' THEN ${began.mine} ELSE ${began.theirs} END`)
    .groupBy('id')
    .as('last')
  return build.selectFrom(last).select(({ fn }) => fn.count<number>('name').distinct().as('n'))
}

const versionsWith = ({ remote_id: remoteId }: DeletedRow) =>
  build
    .selectFrom('deleted_versions')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('environment_remote_id', '=', remoteId)

/** Counts the rows of each kind, and the versions, that restoring a deleted project or environment from the mirror brings back. */
export function countDeleted(tx: Tx, parent: DeletedRow): { environments: number; variables: number; versions: number } {
  if (parent.kind === 'environment') {
    const count = (query: ReturnType<typeof variablesWith | typeof versionsWith>) => tx.get(query)?.n ?? 0
    return { environments: 0, variables: count(variablesWith(parent)), versions: count(versionsWith(parent)) }
  }
  const below = deletedChildren(tx, parent).map((environment) => countDeleted(tx, environment))
  const sum = (key: 'variables' | 'versions') => below.reduce((total, counts) => total + counts[key], 0)
  return { environments: below.length, variables: sum('variables'), versions: sum('versions') }
}

/**
 * Returns who deleted a variable together with its environment, or with the project of that. Null: the service hasn't said. Undefined: the
 * variable was deleted by itself.
 */
export function deleterOf(tx: Tx, variable: Pick<DeletedRow, 'at' | 'whose'> & { parent_id: string }): string | null | undefined {
  const environment = getDeleted(tx, variable.parent_id)
  if (environment === null || !wentWith(variable, environment)) return undefined
  const project = environment.parent_id === null ? null : getDeleted(tx, environment.parent_id)
  return environment.by ?? (project !== null && wentWith(environment, project) ? project.by : null)
}

/** Records who deleted a row, if that was unknown. */
export function noteDeletedBy(tx: Tx, remoteId: string, by: string): void {
  tx.run(build.updateTable('deleted').set({ by }).where('remote_id', '=', remoteId).where('by', 'is', null))
}

/** Stops keeping a deleted row, and all rows deleted with it, because they are restored. */
export function dropDeleted(tx: Tx, row: DeletedRow): void {
  for (const child of row.kind === 'variable' ? [] : deletedWith(tx, row)) dropDeleted(tx, child)
  // By remote id: another record may have had the same local id, and is still deleted.
  tx.run(build.deleteFrom('deleted').where('remote_id', '=', row.remote_id).where('kind', '=', row.kind))
  tx.run(build.deleteFrom('deleted_versions').where('environment_remote_id', '=', row.remote_id))
}

/**
 * Stops keeping rows after `deletedKeptMs`, and versions with their environment. Variables that others deleted by themselves go at once: the
 * history has their values.
 */
export function trimDeleted(tx: Tx, now: number): void {
  trimOld(tx, 'deleted', now, deletedKeptMs)
  const parents = build.selectFrom('deleted as parent').select('parent.id').where('parent.kind', '!=', 'variable')
  // Only those of others: variables that the user deleted with their environment may be written before the environment. Those that the user
  // deleted by themselves are not in this table.
  const theirs = build.deleteFrom('deleted').where('kind', '=', 'variable').where('whose', '=', 'theirs')
  tx.run(theirs.where('parent_id', 'not in', parents))
  const environments = build.selectFrom('deleted').select('remote_id').where('kind', '=', 'environment')
  tx.run(build.deleteFrom('deleted_versions').where('environment_remote_id', 'not in', environments))
}
