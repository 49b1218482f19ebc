import type { Mirror } from '../mirror.ts'

export interface SealedColumns {
  id: string
  sealed: string | null
  is_secret: number | null
}

/** The sealed values of some variables, as the user last left them; ids that are not there are left out. */
export function sealedValues({ read }: Mirror, ids: readonly string[]): Promise<SealedColumns[]> {
  if (ids.length === 0) return Promise.resolve([])
  return read.selectFrom('working').select(['id', 'sealed', 'is_secret']).where('kind', '=', 'variable').where('id', 'in', ids).execute()
}
