import type { EntryState } from '../../queue/entry.ts'

/** What the queue says of a row: its first unsent change, which is the one that holds the others. */
export interface SyncColumns {
  change_id: string | null
  change_state: EntryState | null
  change_reason: string | null
}
