import { sql, type Insertable, type Selectable } from 'kysely'
import type { Row } from '../queue/entry.ts'
import type { HistoryTable } from './schema.ts'
import { one, reusable, textsIn } from './reusable.ts'
import { dateOfWrite } from './trim-clock.ts'
import { trimOld } from './trim-old.ts'
import { build, type Tx } from './tx.ts'

/** How long an overwritten value can be restored, in milliseconds. */
export const historyKeptMs = 30 * 24 * 60 * 60 * 1000

/** How a value was overwritten, and by whom. */
export interface Overwrite {
  /** Whose write overwrote it. */
  whose: 'mine' | 'theirs'
  /**
   * changed: another value replaced it. deleted: the variable was deleted. given-up: the user gave up this unsent value for the remote one.
   */
  why: 'changed' | 'deleted' | 'given-up'
  /** Who overwrote it, as the service says. */
  by?: string | null
}

const add = reusable((columns: Omit<Insertable<HistoryTable>, 'was_sent'>) =>
  build.insertInto('history').values({
    ...columns,
    was_sent: sql<number>`EXISTS (SELECT 1 FROM base WHERE id = ${columns.row_id} AND sealed = ${columns.sealed})`,
  }),
)

const replaced = reusable(({ id, sealed }: { id: string; sealed: string }) =>
  build.selectFrom('history').select('seq').where('row_id', '=', id).where('sealed', '=', sealed).limit(one),
)

/** Whether another value has replaced this one, as far as the history reaches. */
export const wasReplaced = (tx: Tx, id: string, sealed: string): boolean => tx.get(replaced({ id, sealed })) !== undefined

/** Keeps the value of a variable that is about to be overwritten or deleted. */
export function keepHistory(tx: Tx, row: Row, { whose, why, by = null }: Overwrite, now: number): void {
  const { value, name, type, isSecret } = row.fields
  if (value === undefined || name === undefined || row.parentId === null) return
  tx.run(
    add({
      row_id: row.id,
      parent_id: row.parentId,
      name,
      whose,
      why,
      by,
      sealed: value.sealed,
      tag: value.tag,
      key_id: value.keyId,
      type: type ?? null,
      is_secret: isSecret === undefined ? null : Number(isSecret),
      at: dateOfWrite(tx, now),
    }),
  )
}

const kept = ['row_id', 'parent_id', 'name', 'whose', 'why', 'sealed', 'tag', 'key_id', 'type', 'is_secret', 'at', 'was_sent'] as const
const addFromBase = reusable(({ ids, at }: { ids: string; at: number }) =>
  build
    .insertInto('history')
    .columns(kept)
    .expression(
      build
        .selectFrom('base')
        .select(({ val, lit }) => [
          'id',
          'parent_id',
          'name',
          val('mine').as('whose'),
          val('deleted').as('why'),
          'sealed',
          'tag',
          sql<string>`coalesce(key_id, '')`.as('key_id'),
          'type',
          'is_secret',
          val(at).as('at'),
          lit(0).as('was_sent'),
        ])
        .where('id', 'in', textsIn(ids))
        .where('name', 'is not', null)
        .where('sealed', 'is not', null)
        .$narrowType<{ parent_id: string; name: string; sealed: string }>(),
    ),
)

/**
 * Keeps the base values of variables that the user deletes with their environment. `ids`: a JSON list. None is recorded as sent, for the
 * reason that `forgetNamesakes` gives.
 */
export function keepDeletedValues(tx: Tx, ids: string, now: number): void {
  tx.run(addFromBase({ ids, at: dateOfWrite(tx, now) }))
}

export type HistoryEntry = Selectable<HistoryTable>

/**
 * Returns kept values, newest first, including those of deleted variables: of the variable `rowId`, else of the environment, else of all
 * environments.
 */
export function historyOf(tx: Tx, environmentId: string | null, rowId: string | null, limit: number): HistoryEntry[] {
  const newestFirst = build.selectFrom('history').orderBy('at', 'desc').orderBy('seq', 'desc')
  // Read from an index alone: with their values the rows of an environment, or of all, would take long to sort.
  const wanted = newestFirst
    .select('seq')
    .limit(limit)
    .$if(rowId !== null, (query) => query.where('row_id', '=', rowId))
    .$if(rowId === null && environmentId !== null, (query) => query.where('parent_id', '=', environmentId))
  return tx.all(newestFirst.selectAll().where('seq', 'in', wanted))
}

/** Returns the values that were kept of variables with one of these names in the environment. */
export const historyNamed = (tx: Tx, environmentId: string, names: readonly string[]): HistoryEntry[] =>
  tx.all(build.selectFrom('history').selectAll().where('parent_id', '=', environmentId).where('name', 'in', names))

const keptAsSecret = reusable(({ ids }: { ids: string }) =>
  build.selectFrom('history').select('row_id').distinct().where('row_id', 'in', textsIn(ids)).where('is_secret', '=', 1),
)

/** Returns those of these variables that have a kept value from a time when they were secrets. */
export const onceSecret = (tx: Tx, rowIds: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(tx.all(keptAsSecret({ ids: JSON.stringify([...rowIds]) })).map((row) => row.row_id))

/** Returns the entries with these numbers (`seq`) that still exist. */
export const historyEntries = (tx: Tx, numbers: readonly number[]): HistoryEntry[] =>
  tx.all(build.selectFrom('history').selectAll().where('seq', 'in', numbers))

/** Deletes values and past rows after `historyKeptMs`. */
export function trimHistory(tx: Tx, now: number): void {
  for (const table of ['past', 'history'] as const) trimOld(tx, table, now, historyKeptMs)
}
