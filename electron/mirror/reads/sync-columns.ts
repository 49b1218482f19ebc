import { sql } from 'kysely'
import type { Entry, EntryState } from '../../queue/entry.ts'

/** The sync state of a row: that of its first unsent change, for which the others wait. */
export interface SyncColumns {
  change_id: string | null
  change_kind: Entry['kind'] | null
  change_state: EntryState | null
  change_reason: string | null
}

/** `SyncColumns` of the queue joined as `first`. */
export const syncColumns = [
  'first.id as change_id',
  'first.kind as change_kind',
  'first.state as change_state',
  'first.reason as change_reason',
] as const

/** The `seq` of the first unsent change of a row, to join the queue as `first` on. */
export const firstSeqOf = (rowId: 'row.id' | 'window.id') => sql<number>`(SELECT min(seq) FROM queue WHERE row_id = ${sql.ref(rowId)})`
