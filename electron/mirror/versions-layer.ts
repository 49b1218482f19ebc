import type { Selectable } from 'kysely'
import type { SealedValue } from '../queue/fields.ts'
import type { RollbacksTable, VersionsTable, VersionVariablesTable } from './schema.ts'
import { keepDeletedVersions } from './deleted-layer.ts'
import { rebindEntries } from './queue-layer.ts'
import { isUnverified } from './reads/unverified.ts'
import { reusable, textsIn } from './reusable.ts'
import { build, type Tx } from './tx.ts'

export type VersionColumns = VersionsTable
export type RollbackColumns = Selectable<RollbacksTable>

export const getVersion = (tx: Tx, id: string): VersionColumns | null =>
  tx.get(build.selectFrom('versions').selectAll().where('id', '=', id)) ?? null

export const getVersionByRemote = (tx: Tx, remoteId: string): VersionColumns | null =>
  tx.get(build.selectFrom('versions').selectAll().where('remote_id', '=', remoteId)) ?? null

/** Returns the versions of an environment, by its remote id, newest first. */
export const versionsOf = (tx: Tx, environmentRemoteId: string): VersionColumns[] =>
  tx.all(
    build
      .selectFrom('versions')
      .selectAll()
      .where('environment_remote_id', '=', environmentRemoteId)
      .orderBy('created_at', 'desc')
      .orderBy('remote_id', 'desc'),
  )

/**
 * Returns the remote ids of versions whose variables are not mirrored, newest first: only those among the `newest` of their environment,
 * with at most `largest` variables.
 */
export function unmirroredVersions(tx: Tx, newest: number, largest: number): string[] {
  const ranked = build.selectFrom('versions').select(({ fn }) => [
    'remote_id',
    'created_at',
    'is_mirrored',
    'variable_count',
    fn
      .agg<number>('row_number')
      .over((over) => over.partitionBy('environment_remote_id').orderBy('created_at', 'desc'))
      .as('rank'),
  ])
  const wanted = build
    .selectFrom(ranked.as('version'))
    .select('remote_id')
    .where('rank', '<=', newest)
    .where('is_mirrored', '=', 0)
    .where('variable_count', '<=', largest)
    .orderBy('created_at', 'desc')
  return tx.all(wanted).map((row) => row.remote_id)
}

/** Writes the version, new or not. Its mirrored variables stay. */
export function putVersion(tx: Tx, version: VersionColumns): void {
  tx.run(
    build
      .insertInto('versions')
      .values(version)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(version)),
  )
}

/** Gives a version another local id: that of the snapshot that created it. */
export function rebindVersion(tx: Tx, from: string, to: string): void {
  tx.run(build.updateTable('versions').set({ id: to }).where('id', '=', from))
  tx.run(build.updateTable('version_variables').set({ version_id: to }).where('version_id', '=', from))
  rebindEntries(tx, from, to)
}

/**
 * Removes a version that the service no longer has, and its variables. If its environment is deleted too, both can be restored together.
 */
export function deleteVersion(tx: Tx, id: string, now: number): void {
  keepDeletedVersions(tx, [id], now)
  tx.run(build.deleteFrom('version_variables').where('version_id', '=', id))
  tx.run(build.deleteFrom('versions').where('id', '=', id))
}

const environmentIds = build.selectFrom('base').select('remote_id').where('kind', '=', 'environment')

/** Whether the mirror has versions of environments that the service no longer has. */
export const hasOrphans = (tx: Tx): boolean =>
  tx.get(build.selectFrom('versions').select('id').where('environment_remote_id', 'not in', environmentIds).limit(1)) !== undefined

/**
 * Removes the versions and rollback outcomes of environments that the service no longer has. The versions can be restored with their
 * environment.
 */
export function forgetOrphans(tx: Tx, now: number): void {
  const orphans = build.selectFrom('versions').select('id').where('environment_remote_id', 'not in', environmentIds)
  const ids = tx.all(orphans).map(({ id }) => id)
  keepDeletedVersions(tx, ids, now)
  tx.run(build.deleteFrom('version_variables').where('version_id', 'in', orphans))
  tx.run(build.deleteFrom('versions').where('environment_remote_id', 'not in', environmentIds))
  tx.run(build.deleteFrom('rollbacks').where('environment_remote_id', 'not in', environmentIds))
}

export interface VersionVariable {
  name: string
  value: SealedValue
}

/** Returns the variables of a version, by name; empty unless it is mirrored, even if some of them are written. */
export const variablesOfVersion = (tx: Tx, id: string): VersionVariable[] =>
  tx
    .all(
      build
        .selectFrom('version_variables')
        .innerJoin('versions', 'versions.id', 'version_variables.version_id')
        .selectAll('version_variables')
        .where('versions.id', '=', id)
        .where('versions.is_mirrored', '=', 1)
        .orderBy('name'),
    )
    .map(({ name, sealed, tag, key_id: keyId }) => ({ name, value: { sealed, tag, keyId } }))

/** Reusable, because a version may have 100,000 rows. If a version has a name twice, a rollback sets the later one. */
const variableOfVersion = reusable((row: VersionVariablesTable) =>
  build
    .insertInto('version_variables')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['version_id', 'name']).doUpdateSet(({ ref }) => ({
        sealed: ref('excluded.sealed'),
        tag: ref('excluded.tag'),
        key_id: ref('excluded.key_id'),
      })),
    ),
)

/** Writes the variables of a version, which then counts as mirrored. */
export function putVariablesOfVersion(tx: Tx, id: string, variables: readonly VersionVariable[]): void {
  tx.run(build.deleteFrom('version_variables').where('version_id', '=', id))
  addToVersion(tx, id, variables)
  completeVersion(tx, id, new Set(variables.map(({ name }) => name)))
}

/** Writes some variables of a version. */
export function addToVersion(tx: Tx, id: string, variables: readonly VersionVariable[]): void {
  for (const { name, value } of variables)
    tx.run(variableOfVersion({ version_id: id, name, sealed: value.sealed, tag: value.tag, key_id: value.keyId }))
}

/**
 * Marks a version as mirrored, and deletes variables of other names, which an earlier write left behind. If names are missing it stays
 * unmirrored: the version was deleted meanwhile, and came back with its environment.
 */
export function completeVersion(tx: Tx, id: string, names: ReadonlySet<string>): void {
  const inVersion = () => build.selectFrom('version_variables').where('version_id', '=', id)
  const written = () => tx.get(inVersion().select(({ fn }) => fn.countAll<number>().as('n')))?.n
  if (written() !== names.size) {
    const known = textsIn(JSON.stringify([...names]))
    tx.run(build.deleteFrom('version_variables').where('version_id', '=', id).where('name', 'not in', known))
  }
  if (written() === names.size)
    tx.run(build.updateTable('versions').set({ is_mirrored: 1, variable_count: names.size }).where('id', '=', id))
}

/** Lets versions of which no value was verified be read from the service again, when they are next needed. */
export function rereadUnverifiedVersions(tx: Tx): void {
  const doubted = build.selectFrom('version_variables').select('version_id').where(isUnverified)
  const verified = build
    .selectFrom('version_variables')
    .select('version_id')
    .where(({ not, parens }) => not(parens(isUnverified)))
  tx.run(build.updateTable('versions').set({ is_mirrored: 0 }).where('id', 'in', doubted).where('id', 'not in', verified))
}

/** Stores the outcome of a rollback for the user. */
export function putRollback(tx: Tx, outcome: Omit<RollbackColumns, 'seq'>): void {
  tx.run(build.deleteFrom('rollbacks').where('environment_remote_id', '=', outcome.environment_remote_id))
  tx.run(build.insertInto('rollbacks').values(outcome))
}

/** Returns the outcome of the last rollback of an environment, or null. */
export const lastRollback = (tx: Tx, environmentRemoteId: string): RollbackColumns | null =>
  tx.get(
    build.selectFrom('rollbacks').selectAll().where('environment_remote_id', '=', environmentRemoteId).orderBy('seq', 'desc').limit(1),
  ) ?? null
