import type { RoleId } from '../protocol/roles.ts'
import type { Usage } from './usage.ts'

/**
 * Rows as both databases keep them. Times are ISO 8601 text in UTC, flags are 0 or 1. `seq` is the
 * commit that wrote the row last: unique over all records of a workspace, rising in commit order. It is the row's
 * position in the change feed and its ETag. `ordinal` is the `seq` of its creation, the order of lists.
 */

/** Every table names the workspace of its rows, and its keys begin with it: ids and slugs of two workspaces are independent. */
interface InWorkspace {
  workspace_id: string
}

interface Tracked {
  seq: number
  ordinal: number
  created_at: string
  updated_at: string
  updated_by: string
}

/** One row for each workspace. `seq` is its last commit; every write to it locks this row first, so commits come one after another. */
export interface ClockTable extends InWorkspace, Usage {
  seq: number
  /** Changes when a backup is restored: cursors of another epoch are answered 410. */
  epoch: string
  /** The last commit whose tombstone was pruned: a follower behind it cannot learn what was deleted. */
  pruned_to: number
  /** The newest gap in the commit order: a start of the service. */
  gap_after: number
  gap_before: number
}

/** A gap in the commit order, which a start of the service has left. */
export interface GapTable extends InWorkspace {
  gap_after: number
  gap_before: number
}

/** One row, once there was a trim: the time from which that counted ages, in milliseconds since the epoch. */
export interface TrimClockTable {
  id: number
  at: number
}

export interface WorkspaceTable extends Tracked {
  id: string
  name: string
  slug: string
  icon: string
}

export interface ProjectTable extends Tracked, InWorkspace {
  id: string
  name: string
  slug: string
  icon: string
}

export interface EnvironmentTable extends Tracked, InWorkspace {
  id: string
  project_id: string
  name: string
  slug: string
  /** The last commit by which a variable left it, deleted or moved. 0: none. */
  left_seq: number
}

export type VariableType = 'string' | 'number' | 'boolean'

export interface VariableTable extends Tracked, InWorkspace {
  id: string
  environment_id: string
  name: string
  value: string
  type: VariableType
  is_secret: number
}

export interface VersionTable extends Tracked, InWorkspace {
  id: string
  environment_id: string
  label: string
  note: string
  variable_count: number
}

/** The contents of an environment when a version was made; `ordinal` keeps the order. */
export interface VersionVariableTable extends InWorkspace {
  version_id: string
  ordinal: number
  name: string
  value: string
  type: VariableType
  is_secret: number
}

export interface MemberTable extends Tracked, InWorkspace {
  id: string
  /** As invited; `email_folded` (lower case) must be unique. */
  email: string
  email_folded: string
  status: 'invited' | 'active'
  role_id: RoleId
}

/** API keys: only a hash of each. */
export interface KeyTable extends InWorkspace {
  id: string
  member_id: string
  name: string
  /** SHA-256 of the whole key, hex. */
  hash: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

/** One row for each deleted record, for the change feed. */
export interface TombstoneTable extends InWorkspace {
  seq: number
  resource: string
  id: string
  /** When the record was deleted; empty where that was not kept yet. */
  at: string
}

/**
 * A deleted project or environment that can be restored. Its rows and those of everything below it are in the tables `archived_*`, which
 * have the columns of the live ones and `deletion_id`.
 */
export interface DeletionTable extends InWorkspace {
  /** The id of the project or environment. */
  id: string
  /** Its position in the commit order, and so among the deletions. */
  seq: number
  resource: 'project' | 'environment'
  name: string
  slug: string
  /** The project of an environment; null for a project. */
  parent_id: string | null
  deleted_at: string
  deleted_by: string
  /** How many records it contains. */
  environment_count: number
  variable_count: number
  version_count: number
}

export interface AuditTable extends InWorkspace {
  id: string
  at: string
  actor: string
  key_name: string
  action: string
  resource: string
  resource_id: string
  /** JSON. Never a value of a variable. */
  detail: string
  request_id: string
}

/** Answers kept for their Idempotency-Key. */
export interface AnswerTable extends InWorkspace {
  member_id: string
  idempotency_key: string
  request_hash: string
  status: number
  etag: string | null
  body: string
  created_at: string
}

export interface Tables {
  clock: ClockTable
  gaps: GapTable
  trim_clock: TrimClockTable
  workspaces: WorkspaceTable
  projects: ProjectTable
  environments: EnvironmentTable
  variables: VariableTable
  versions: VersionTable
  version_variables: VersionVariableTable
  members: MemberTable
  keys: KeyTable
  tombstones: TombstoneTable
  deletions: DeletionTable
  audit: AuditTable
  answers: AnswerTable
}
