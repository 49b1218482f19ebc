import type { Generated } from 'kysely'
import type { ChangeKind, EntryState, OperationKind, OperationRowKind, RowKind } from '../queue/entry.ts'

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

/** Each row as the service last showed it. */
export interface BaseTable extends RowColumns {
  remote_id: string
  etag: string | null
  created_at: string | null
  updated_at: string | null
  updated_by: string | null
  /** The revision of the mirror at which others last changed the row's content; 0: it was only ever written from here. */
  rev: Generated<number>
}

/** What a row was before others changed or deleted it, for as long as a screen could still show that. Sealed. */
export interface PastTable {
  seq: Generated<number>
  row_id: string
  kind: RowKind
  parent_id: string | null
  /** JSON of Fields. */
  fields: string
  /** The first revision at which the row was no longer this. */
  rev_until: number
  at: number
}

/** Each row as the user sees it: `base` with `queue` replayed, kept for speed and always rebuildable. */
export type WorkingTable = RowColumns

export interface QueueTable {
  seq: Generated<number>
  id: string
  kind: ChangeKind | OperationKind
  row_kind: RowKind | OperationRowKind
  row_id: string
  parent_id: string | null
  /** JSON array of local ids, nearest first: of a move of where it goes, as `parent_id`. */
  ancestors: string
  /** JSON of Fields, values sealed; of an operation: its detail. */
  patch: string
  base: string | null
  /** Natural keys the change claims below `parent_id` and frees there, or where a move leaves; null for none. */
  key_now: string | null
  key_before: string | null
  state: EntryState
  attempts: number
  next_attempt_at: number | null
  reason: string | null
  /** Id under which a create makes its record; null for everything else. */
  remote_id: string | null
  /** JSON array of local ids, nearest first: where a move leaves; empty for everything else. */
  leaves: string
  /** Mirror revision that the user of a deletion of a project or environment saw; null for everything else. */
  seen: number | null
  /** JSON of Conflict. */
  conflict: string | null
  created_at: number
}

/** Each row that was deleted with a project or environment, or is one, as the service last showed it. Sealed. */
export interface DeletedTable extends RowColumns {
  seq: Generated<number>
  remote_id: string
  name: string
  /** Who deleted it. */
  whose: 'mine' | 'theirs'
  by: string | null
  at: number
  /** What was in it and was deleted after this went with it. */
  since: number
}

/** The versions of environments that are deleted. */
export interface DeletedVersionsTable {
  seq: Generated<number>
  remote_id: string
  environment_remote_id: string
  label: string
  note: string
  created_at: string
  /** JSON of names and sealed values; null where they were never read. */
  variables: string | null
  at: number
}

/** Values that a sync or an edit overwrote, restorable for 30 days. Sealed. */
export interface HistoryTable {
  seq: Generated<number>
  row_id: string
  /** Local id of the environment; null for what was kept before this was noted. */
  parent_id: string | null
  name: string
  /** Whose write overwrote it. */
  whose: 'mine' | 'theirs'
  why: 'changed' | 'deleted' | 'given-up'
  /** Who that was, as the service says. */
  by: string | null
  sealed: string
  tag: string | null
  key_id: string
  type: 'string' | 'number' | 'boolean' | null
  is_secret: number | null
  at: number
  /** 1: the service had this value of this variable, as far as is known. */
  was_sent: Generated<number>
}

/** What the user named on a service that lists nothing, and what sync found there. */
export interface TrackedTable {
  id: string
  kind: RowKind
  /** Id in this table of its parent; empty for a project. */
  parent_id: string
  /** The slug or name as the service knows it. */
  key: string
  /** Local id of the row, once the service has shown it. */
  row_id: string | null
  /** waiting: not looked for yet. refused: the service does not let this key see it. */
  state: 'waiting' | 'there' | 'missing' | 'refused'
}

export interface StateTable {
  key: string
  value: string
}

/** The versions that the service showed, or that were asked for by id. */
export interface VersionsTable {
  id: string
  remote_id: string
  /** Not the local id: a version may be heard of before its environment, and goes with the record, not with the row. */
  environment_remote_id: string
  label: string
  note: string
  variable_count: number
  created_at: string
  created_by: string | null
  /** Whether its variables are here. */
  is_mirrored: number
}

export interface VersionVariablesTable {
  version_id: string
  name: string
  sealed: string
  tag: string | null
  key_id: string
}

/** How rollbacks that were sent from here ended, for the user to see. */
export interface RollbacksTable {
  seq: Generated<number>
  environment_remote_id: string
  version_id: string
  label: string
  at: number
  /** JSON of RollbackCounts as the service said them; null when its answer was lost. */
  counts: string | null
  previewed: string
  difference: string | null
}

/** The members as the service last showed them. */
export interface MembersTable {
  id: string
  remote_id: string
  email: string
  status: string
  role_id: string
  etag: string | null
  created_at: string | null
}

/** The roles in the service's order. */
export interface RolesTable {
  place: number
  id: string
  name: string
  /** JSON array of texts. */
  permissions: string
}

/** Bound values that another took the place of, by the random bytes that each was sealed with. */
export interface SupersededTable {
  seq: Generated<number>
  nonce: string
}

export interface MirrorDatabase {
  versions: VersionsTable
  version_variables: VersionVariablesTable
  rollbacks: RollbacksTable
  members: MembersTable
  roles: RolesTable
  base: BaseTable
  working: WorkingTable
  queue: QueueTable
  history: HistoryTable
  past: PastTable
  deleted: DeletedTable
  deleted_versions: DeletedVersionsTable
  superseded: SupersededTable
  followed: TrackedTable
  meta: StateTable
}
