import type { Mirror } from '../mirror.ts'

/** A value as the user sees it, and what the service last showed for its variable; null: it showed none. */
export interface MirroredValue {
  id: string
  sealed: string | null
  base: string | null
  /** The name and the environment's remote id that the service showed. */
  name: string | null
  environmentId: string | null
}

/** Returns up to `limit` values, by local id, after `id`. */
export const valuesAfter = ({ read }: Mirror, id: string, limit: number): Promise<MirroredValue[]> =>
  read
    .selectFrom('working as row')
    .leftJoin('base', 'base.id', 'row.id')
    .leftJoin('base as environment', 'environment.id', 'base.parent_id')
    .select(['row.id', 'row.sealed', 'base.sealed as base', 'base.name', 'environment.remote_id as environmentId'])
    .where('row.sealed', 'is not', null)
    .where('row.id', '>', id)
    .orderBy('row.id')
    .limit(limit)
    .execute()
