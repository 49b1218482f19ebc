import { sql } from 'kysely'
import type { BaseRow } from '../queue/entry.ts'
import { nonceOfLast } from './migrations.ts'
import { isUnverified } from './reads/unverified.ts'
import { reusable } from './reusable.ts'
import { build, type Tx } from './tx.ts'

/** How many superseded values are kept: the newest ones. */
const mostRemembered = 200_000

const nonceOf = (column: string) => sql<string>`substr(${sql.ref(column)}, 4, 16)`
const isBound = (column: string) => sql<boolean>`substr(${sql.ref(column)}, -44, 1) = '.'`

/** One query for both facts, because it runs for every value of a first pull. */
const recalled = reusable(({ nonce, remoteId }: { nonce: string; remoteId: string }) =>
  build.selectNoFrom(({ exists, selectFrom }) => [
    exists(selectFrom('superseded').select('seq').where('nonce', '=', nonce)).as('superseded'),
    exists(selectFrom('base').select('id').where('kind', '=', 'variable').where('remote_id', '=', remoteId)).as('known'),
  ]),
)
/** A literal, so that SQLite uses the partial index for it. */
const isOnVersion = sql<boolean>`queue.row_kind = 'version'`
const agreedTo = reusable(({ nonce, name }: { nonce: string; name: string }) =>
  build
    .selectFrom('queue')
    .innerJoin('version_variables as saved', 'saved.version_id', 'queue.row_id')
    .select('queue.seq')
    .where(isOnVersion)
    .where('queue.kind', '=', 'rollback')
    .where('queue.state', 'in', ['queued', 'sending'])
    .where('queue.attempts', '>', 0)
    .where('saved.name', '=', name)
    .where(nonceOf('saved.sealed'), '=', nonce),
)

/** A bound value that a service shows for a record, by the nonce that it was sealed with. */
export interface ShownBound {
  nonce: string
  remoteId: string
  environmentId: string
  name: string
}

/**
 * Returns what the mirror knows of a value. isKnown: it has this variable. isSuperseded: another value has superseded this one. While a
 * rollback has no outcome yet, the values of its version don't count as superseded, because the user confirmed them. Once the rollback is
 * refused, parked or discarded, they do again.
 */
export function recall(tx: Tx, { nonce, remoteId, name }: Omit<ShownBound, 'environmentId'>): { isKnown: boolean; isSuperseded: boolean } {
  const found = tx.get(recalled({ nonce, remoteId }))
  const isSuperseded = Boolean(found?.superseded) && tx.get(agreedTo({ nonce, name })) === undefined
  return { isKnown: Boolean(found?.known), isSuperseded }
}

const anotherHolds = reusable(({ nonce, remoteId, environmentId, name }: ShownBound) => {
  const environment = build.selectFrom('base').select('id').where('kind', '=', 'environment').where('remote_id', '=', environmentId)
  const doubted = build
    .selectFrom('base')
    .select(sql`1`.as('held'))
    .where(isUnverified)
    .where(sql<string>`${sql.raw(nonceOfLast)}`, '=', nonce)
    .where('remote_id', '!=', remoteId)
  const verified = build
    .selectFrom('base')
    .select(sql`1`.as('held'))
    .where('parent_id', 'in', environment)
    .where('name', 'in', [name])
    .where(nonceOf('sealed'), '=', nonce)
    .where('remote_id', '!=', remoteId)
  const deleted = build
    .selectFrom('history')
    .select(sql`1`.as('held'))
    .where('parent_id', 'in', environment)
    .where('name', '=', name)
    .where('why', '=', 'deleted')
    .where(nonceOf('sealed'), '=', nonce)
  return doubted.unionAll(verified).unionAll(deleted)
})

/** Whether a value is the last verified value of another record. That record may be deleted. */
export const isAnothers = (tx: Tx, { nonce, remoteId, environmentId, name }: ShownBound): boolean =>
  tx.get(anotherHolds({ nonce, remoteId, environmentId, name })) !== undefined

const deletedNamesakes = reusable(({ from }: { from: number }) =>
  build
    .insertInto('superseded')
    .columns(['nonce'])
    .expression(
      build
        .selectFrom('base as row')
        // A cross join keeps this order. Otherwise SQLite would read the whole history first.
        .crossJoin('history as kept')
        .select(nonceOf('kept.sealed').as('nonce'))
        .where(sql<number>`row.rowid`, '>=', from)
        .whereRef('kept.parent_id', '=', 'row.parent_id')
        .whereRef('kept.name', '=', 'row.name')
        .where(sql<boolean>`substr(row.sealed, 1, 3) = 'v1:'`)
        .where(isBound('row.sealed'))
        .where('kept.why', '=', 'deleted')
        .where('kept.was_sent', '=', 1)
        .whereRef('kept.sealed', '!=', 'row.sealed')
        .where(sql<boolean>`substr(kept.sealed, 1, 3) = 'v1:'`)
        .where(isBound('kept.sealed')),
    )
    .onConflict((conflict) => conflict.column('nonce').doNothing()),
)

/**
 * Notes the sent values of deleted variables as superseded, when new base rows with bound values have their names. `rows`: the base rows
 * from the rowid `from` on. One statement for all of them, because a first pull inserts every row. A trigger does the same for renamed rows.
 */
export function noteNamesakes(tx: Tx, rows: readonly BaseRow[], from: number): void {
  if (rows.some(({ kind, fields: { value } }) => kind === 'variable' && value !== undefined && isBoundText(value.sealed)))
    tx.run(deletedNamesakes({ from }))
}

/** Like `isBound`, for a value that is not Unverified. */
const isBoundText = (sealed: string): boolean => sealed.startsWith('v1:') && sealed.at(-44) === '.'

/**
 * Before a rollback, notes the values of the version that the environment no longer has as superseded. A new mirror may not know that they
 * were, and `broughtBack` depends on it.
 */
export function noteReplaced(tx: Tx, environmentId: string, versionId: string): void {
  const missing = build
    .selectFrom('version_variables as saved')
    .leftJoin('base', (join) =>
      join.on('base.parent_id', '=', environmentId).onRef('base.name', '=', 'saved.name').onRef('base.sealed', '=', 'saved.sealed'),
    )
    .select(nonceOf('saved.sealed').as('nonce'))
    .where('version_id', '=', versionId)
    .where(isBound('saved.sealed'))
    .where('base.id', 'is', null)
  tx.run(
    build
      .insertInto('superseded')
      .columns(['nonce'])
      .expression(missing)
      .onConflict((conflict) => conflict.column('nonce').doNothing()),
  )
}

/** Returns the variables of an environment that a rollback to a version has given an earlier value, with the characters of that. */
export const broughtBack = (tx: Tx, environmentId: string, versionId: string): { id: string; length: number }[] =>
  tx.all(
    build
      .selectFrom('version_variables as saved')
      .innerJoin('superseded', (join) => join.on(sql<boolean>`superseded.nonce = ${nonceOf('saved.sealed')}`))
      .innerJoin('base', (join) => join.onRef('base.name', '=', 'saved.name').onRef('base.sealed', '=', 'saved.sealed'))
      .select(['base.id', sql<number>`length(saved.sealed)`.as('length')])
      .where('saved.version_id', '=', versionId)
      .where('base.parent_id', '=', environmentId)
      .where('base.kind', '=', 'variable'),
  )

const heldAgain = reusable(({ id }: { id: string }) =>
  build
    .selectFrom('base')
    .innerJoin('superseded', (join) => join.on(sql<boolean>`superseded.nonce = ${nonceOf('base.sealed')}`))
    .select('base.id')
    .where('base.id', 'in', [id]),
)

/**
 * Whether the service has brought an earlier value of a variable back. Other computers treat that value as superseded until it is sealed
 * again.
 */
export const isBroughtBack = (tx: Tx, rowId: string): boolean => tx.get(heldAgain({ id: rowId })) !== undefined

const withEnvironment = reusable(({ parentId }: { parentId: string }) =>
  build.updateTable('history').set({ was_sent: 0 }).where('parent_id', '=', parentId).where('was_sent', '=', 1),
)

/**
 * Forgets which values were sent to a deleted environment: variables deleted in it come back only with it. An environment created again
 * under its local id is another record, and none of these values is bound to it.
 */
export function forgetNamesakes(tx: Tx, environmentId: string): void {
  tx.run(withEnvironment({ parentId: environmentId }))
}

/**
 * Deletes the oldest values beyond the limit. A value that a service shows again and again is stored once, so it doesn't displace others.
 */
export function trimSuperseded(tx: Tx): void {
  const newest = build.selectFrom('superseded').select('seq').orderBy('seq', 'desc').limit(1)
  const span = tx.get(build.selectFrom('superseded').select('seq').orderBy('seq').limit(1))
  const last = tx.get(newest)
  // Cheaper than counting, which reads all rows: `seq` within the limit means rows within the limit.
  if (span === undefined || last === undefined || last.seq - span.seq < mostRemembered) return
  const oldest = tx.get(newest.offset(mostRemembered))
  if (oldest !== undefined) tx.run(build.deleteFrom('superseded').where('seq', '<=', oldest.seq))
}
