import type { EntryState } from '../../queue/entry.ts'

/** The sync state of a row: that of its first unsent change, for which the others wait. */
export interface SyncColumns {
  change_id: string | null
  change_state: EntryState | null
  change_reason: string | null
}
