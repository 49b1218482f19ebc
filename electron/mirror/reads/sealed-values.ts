import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'

export interface SealedColumns {
  id: string
  sealed: string | null
  is_secret: number | null
  /** Null: the service has never shown it. */
  rev: number | null
}

/** Returns the sealed values of these variables as the user sees them. Leaves out unknown ids. */
export function sealedValues({ read }: Mirror, ids: readonly string[]): Promise<SealedColumns[]> {
  if (ids.length === 0) return Promise.resolve([])
  return (
    read
      .selectFrom('working as row')
      .leftJoin('base', 'base.id', 'row.id')
      .select(['row.id', 'row.sealed', 'row.is_secret', 'base.rev'])
      // The plus keeps SQLite from searching by kind, which would read every variable.
      .where(sql`+row.kind`, '=', 'variable')
      .where('row.id', 'in', ids)
      .execute()
  )
}
