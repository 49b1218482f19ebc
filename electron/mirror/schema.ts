import type { Generated } from 'kysely'
import type { ChangeKind, EntryState, OperationKind, OperationRowKind, RowKind } from '../queue/entry.ts'

/** The columns both layers of rows share. Booleans are 0 and 1; a null field is unknown. */
export interface RowColumns {
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
  /** The revision of the mirror at which others last changed the row's content; 0: only this computer has written it. */
  rev: Generated<number>
}

/** Former states of rows that others changed or deleted, for as long as a screen may still show them. Sealed. */
export interface PastTable {
  seq: Generated<number>
  row_id: string
  kind: RowKind
  parent_id: string | null
  /** JSON of Fields. */
  fields: string
  /** The revision at which the row stopped being like this. */
  rev_until: number
  at: number
}

/** Each row as the user sees it: `base` with `queue` replayed, kept for speed and always rebuildable. */
export interface WorkingTable extends RowColumns {
  name_key: Generated<string>
}

export interface QueueTable {
  seq: Generated<number>
  id: string
  kind: ChangeKind | OperationKind
  row_kind: RowKind | OperationRowKind
  row_id: string
  parent_id: string | null
  /** JSON array of local ids, nearest first; for a move, of the destination, as `parent_id`. */
  ancestors: string
  /** JSON of Fields, values sealed; for an operation, its detail. */
  patch: string
  base: string | null
  /**
   * Natural keys. `key_now`: the one that the change takes below `parent_id`. `key_before`: the one it frees there, or in the parent that a
   * move leaves.
   */
  key_now: string | null
  key_before: string | null
  state: EntryState
  attempts: number
  next_attempt_at: number | null
  reason: string | null
  /** The remote id that a create gives its record; null for all other entries. */
  remote_id: string | null
  /** JSON array of local ids, nearest first, of the parent that a move leaves; empty for all other entries. */
  leaves: string
  /** The mirror revision that the user saw when deleting a project or environment; null for all other entries. */
  seen: number | null
  /** JSON of Conflict. */
  conflict: string | null
  created_at: number
}

/** Each deleted project and environment, and the rows deleted with it, as the service last showed them. Sealed. */
export interface DeletedTable extends RowColumns {
  seq: Generated<number>
  remote_id: string
  name: string
  /** Who deleted it. */
  whose: 'mine' | 'theirs'
  by: string | null
  at: number
  /** Rows in it that were deleted after this time were deleted with it. */
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
  /** JSON of names and sealed values; null if they were never read. */
  variables: string | null
  at: number
}

/** Values that a sync or an edit overwrote, restorable for 30 days. Sealed. */
export interface HistoryTable {
  seq: Generated<number>
  row_id: string
  /** Local id of the environment. */
  parent_id: string
  name: string
  /** Whose write overwrote it. */
  whose: 'mine' | 'theirs'
  why: 'changed' | 'deleted' | 'given-up'
  /** Who overwrote it, as the service says. */
  by: string | null
  sealed: string
  tag: string | null
  key_id: string
  type: 'string' | 'number' | 'boolean' | null
  is_secret: number | null
  at: number
  /** 1: the service had this value for this variable, as far as is known. */
  was_sent: Generated<number>
}

/** The names that the user tracks on a service without lists, and what sync found for each. */
export interface TrackedTable {
  id: string
  kind: RowKind
  /** The id of its parent in this table; empty for a project. */
  parent_id: string
  /** The slug or name as the service knows it. */
  key: string
  /** Local id of the row, once the service has shown it. */
  row_id: string | null
  /** waiting: not read yet. refused: the API key may not see it. */
  state: 'waiting' | 'there' | 'missing' | 'refused'
}

export interface StateTable {
  key: string
  value: string
}

/** The versions that the service showed, or that the user entered by id. */
export interface VersionsTable {
  id: string
  remote_id: string
  /** A remote id, because a version may arrive before its environment, and belongs to the record. */
  environment_remote_id: string
  label: string
  note: string
  variable_count: number
  created_at: string
  created_by: string | null
  is_mirrored: number
  /** The revision at which a pull first showed it; 0: the user created it here or entered its id. */
  rev: number
}

export interface VersionVariablesTable {
  version_id: string
  name: string
  sealed: string
  tag: string | null
  key_id: string
}

/** The outcomes of rollbacks that this computer sent, for the user. */
export interface RollbacksTable {
  seq: Generated<number>
  environment_remote_id: string
  version_id: string
  label: string
  at: number
  /** JSON of the Counts that the service returned; null: the answer was lost. */
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
  /** JSON array of strings. */
  permissions: string
}

/** Superseded bound values, by the nonce of each. */
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
