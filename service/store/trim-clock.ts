import type { Runner, Store } from './store.ts'
import { withoutTimeout } from './without-timeout.ts'

const dayMs = 24 * 3_600_000

/** The time of the last trim; of a database without one, of its oldest deletion. Null: there is neither. */
const lastTrim = async ({ kysely }: Pick<Runner, 'kysely'>): Promise<number | null> => {
  const [trim] = await kysely.selectFrom('trim_clock').select('at').execute()
  if (trim !== undefined) return trim.at
  const { at } = await kysely
    .selectFrom('deletions')
    .select((eb) => eb.fn.min<string | null>('deleted_at').as('at'))
    .executeTakeFirstOrThrow()
  return at === null ? null : Date.parse(at)
}

/**
 * Moves the clock of the trims to `now`, by a day at most, and returns the time from which ages are counted. While the computer's clock is
 * wrong, a trim removes nothing that it would not have removed a day later.
 */
export const moveTrimClock = (store: Store, now: number): Promise<number> =>
  withoutTimeout(store)
    .kysely.transaction()
    .execute(async (trx) => {
      const last = (await lastTrim({ kysely: trx })) ?? now
      const at = Math.min(Math.max(now, last - dayMs), last + dayMs)
      await trx
        .insertInto('trim_clock')
        .values({ id: 1, at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
        .execute()
      return Math.min(at, now)
    })

/** The date (ISO 8601) for a deletion at `at`. A clock that is far behind the last trim would make it look old to the next one. */
export const dateOfDeletion = async (db: Runner, at: string): Promise<string> => {
  const now = Date.parse(at)
  return new Date(Math.max(now, ((await lastTrim(db)) ?? now) - dayMs)).toISOString()
}
