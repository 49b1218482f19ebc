import { sql } from 'kysely'
import type { Entry, EntryState } from '../../queue/entry.ts'

/** The sync state of a row: the state of its first unsent change, because later ones wait for it. */
export interface SyncColumns {
  change_id: string | null
  change_kind: Entry['kind'] | null
  change_state: EntryState | null
  change_reason: string | null
}

/** Selects `SyncColumns` from the queue, joined as `first`. */
export const syncColumns = [
  'first.id as change_id',
  'first.kind as change_kind',
  'first.state as change_state',
  'first.reason as change_reason',
] as const

/** The `seq` of a row's first unsent change, to join the queue as `first`. */
export const firstSeqOf = (rowId: 'row.id' | 'window.id') => sql<number>`(SELECT min(seq) FROM queue WHERE row_id = ${sql.ref(rowId)})`
