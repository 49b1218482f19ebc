import type { EntryState, RowKind } from '../../queue/entry.ts'
import type { Mirror } from '../mirror.ts'

export interface RowCounts {
  rows: Partial<Record<RowKind, number>>
  changes: Partial<Record<EntryState, number>>
  kept: number
}

/** Counts the rows of each kind as the user sees them, the unsent changes in each state, and the values in the history. */
export async function rowCounts({ read }: Mirror): Promise<RowCounts> {
  const rows = await read
    .selectFrom('working')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('n')])
    .groupBy('kind')
    .execute()
  const changes = await read
    .selectFrom('queue')
    .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const history = await read
    .selectFrom('history')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return {
    rows: Object.fromEntries(rows.map(({ kind, n }) => [kind, n])),
    changes: Object.fromEntries(changes.map(({ state, n }) => [state, n])),
    kept: history.n,
  }
}
