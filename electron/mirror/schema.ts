import type { Generated } from 'kysely'
import type { ChangeKind, ChangeState, RowKind } from '../sync/change.ts'

/** The columns both layers of rows share. Booleans are 0 and 1; a null field is unknown. */
interface RowColumns {
  id: string
  kind: RowKind
  parent_id: string | null
  name: string | null
  slug: string | null
  sealed: string | null
  tag: string | null
  key_id: string | null
  type: 'string' | 'number' | 'boolean' | null
  is_secret: number | null
}

/** Each row as the server last showed it. */
export interface BaseTable extends RowColumns {
  remote_id: string
  etag: string | null
  created_at: string | null
  updated_at: string | null
  updated_by: string | null
}

/** Each row as the user sees it: `base` with `queue` replayed, kept for speed and always rebuildable. */
export type WorkingTable = RowColumns

export interface QueueTable {
  seq: Generated<number>
  id: string
  kind: ChangeKind
  row_kind: RowKind
  row_id: string
  parent_id: string | null
  /** JSON array of local ids, nearest first. */
  ancestors: string
  /** JSON of Fields; values are sealed. */
  patch: string
  base: string | null
  /** Natural keys the change claims and frees; both null for none. */
  key_now: string | null
  key_before: string | null
  state: ChangeState
  attempts: number
  next_attempt_at: number | null
  reason: string | null
  /** Local id of the row that must be on the server first; null for none. */
  after: string | null
  /** JSON of WirePlace: where a create whose outcome is unknown was sent; null for none. */
  sent_to: string | null
  /** JSON of Conflict. */
  conflict: string | null
  created_at: number
}

/** Values that a sync or an edit overwrote, restorable for 30 days. Sealed. */
export interface HistoryTable {
  seq: Generated<number>
  row_id: string
  name: string
  whose: 'mine' | 'theirs'
  sealed: string
  tag: string | null
  key_id: string
  at: number
}

export interface MetaTable {
  key: string
  value: string
}

export interface MirrorDatabase {
  base: BaseTable
  working: WorkingTable
  queue: QueueTable
  history: HistoryTable
  meta: MetaTable
}
