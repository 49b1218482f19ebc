import type { Fields } from './fields.ts'

export type RowKind = 'project' | 'environment' | 'variable'

/** The kind of the parent of each kind of row; null: a project has none. */
export const parentKind: Readonly<Record<RowKind, RowKind | null>> = { variable: 'environment', environment: 'project', project: null }

export type ChangeKind = 'create' | 'update' | 'delete'

/**
 * queued: waits for its turn. sending: its request may be under way, or its outcome is unknown.
 * blocked: this service offers no way to send it. conflict: the user has to choose.
 * failed: the service refused it, or would not take it after many tries.
 */
export type EntryState = 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed'

/**
 * fields: others changed the same field. deleted-remotely: others deleted the row. changed-remotely: others changed a row that is deleted here.
 * name-taken: another record has the name. changed-below: others changed something in a project or environment that is deleted here.
 * stale-rollback: the environment is no longer what the preview showed.
 */
export type ConflictKind = 'fields' | 'deleted-remotely' | 'changed-remotely' | 'name-taken' | 'changed-below' | 'stale-rollback'

/** Why an entry waits for the user to choose. `remote`: the other side, null when it is deleted. */
export interface Conflict {
  kind: ConflictKind
  remote: Fields | null
  by: string | null
  /** For `deleted-remotely`: the deleted record. Where a service reports no renames, it may only have been renamed. */
  remoteId?: string
}

/** Where an entry is in its life cycle. Only `transition` changes these values. */
export interface Life {
  state: EntryState
  /** Requests that may have reached the service. */
  attempts: number
  /** Milliseconds since the epoch; null: now. */
  nextAttemptAt: number | null
  /** Why it waits or was parked, as one sentence. */
  reason: string | null
  conflict: Conflict | null
}

/** The parts that changes and operations have in common. */
export interface EntryCore extends Life {
  /** The order in which the user made the entries. */
  seq: number
  /** Identifies the bytes of the request: once it was attempted, other bytes need another id. */
  id: string
  rowId: string
  /** Local ids, nearest first: a variable's environment and project, or an environment's project. For a move: those of the destination. */
  ancestors: readonly string[]
  createdAt: number
}

/** One unsent change of a row. A move of a variable is an update whose patch holds `parent`. */
export interface Change extends EntryCore {
  kind: ChangeKind
  rowKind: RowKind
  /** For a create: a UUIDv7 made here, which a full service uses as the record's id. Otherwise null. */
  remoteId: string | null
  /** For a move: the environment it leaves, and its project. Otherwise empty. */
  leaves: readonly string[]
  /** For a deletion of a project or environment: the mirror revision that the user saw. Otherwise null. */
  seen: number | null
  /** create: the whole row. update: the changed fields. delete: empty. Values are sealed. */
  patch: Fields
  /** The row as base had it when the change was made; null for a create. Rebased when base moves without conflict. */
  base: Fields | null
}

/** A row as the user sees it. Its fields do not repeat `parentId`. */
export interface Row {
  id: string
  kind: RowKind
  /** Local id of the environment of a variable, the project of an environment; null for a project. */
  parentId: string | null
  fields: Fields
}

/** A variable as the user sees it: it is in an environment, under a name. */
export interface Variable extends Row {
  kind: 'variable'
  parentId: string
  fields: Fields & { name: string }
}

export const isVariable = <Each extends Row>(row: Each | null): row is Each & Variable =>
  row?.kind === 'variable' && row.parentId !== null && row.fields.name !== undefined

/** A row as the service last showed it. */
export interface BaseRow extends Row {
  remoteId: string
  etag: string | null
  createdAt: string | null
  updatedAt: string | null
  updatedBy: string | null
}

/** Whether only the id of a row is known, because a record below it arrived first. */
export const isPlaceholder = (row: Row | null): boolean => row !== null && Object.keys(row.fields).length === 0

/** A queued request that edits no field. The mirror shows its result only after the service has done it. */
export type OperationKind = 'snapshot' | 'rollback' | 'invite' | 'set-role' | 'remove'

export type OperationRowKind = 'version' | 'member'

/** How many variables a rollback adds, changes and removes. */
export interface Counts {
  added: number
  updated: number
  removed: number
}

/** The effect of a rollback, and a digest of the facts it was computed from. */
export interface RollbackPreview {
  counts: Counts
  /** Values with another seal and the same text: the service counts them as updated too. */
  resealed: number
  fingerprint: string
}

/** Local ids of an environment and of its project. */
export type EnvironmentPath = readonly [string, ...string[]]

/** Saves an environment as it is when the operation is sent. `rowId`: the local id of the version that it creates. */
export interface SnapshotOperation extends EntryCore {
  kind: 'snapshot'
  rowKind: 'version'
  ancestors: EnvironmentPath
  /** `remoteId`: a UUIDv7 made here, which a full service uses as the version's id. */
  detail: { label?: string | undefined; note?: string | undefined; remoteId: string }
}

/** Resets an environment to a version. `rowId`: the local id of the version. */
export interface RollbackOperation extends EntryCore {
  kind: 'rollback'
  rowKind: 'version'
  ancestors: EnvironmentPath
  detail: {
    label: string
    /** The preview that the user confirmed. */
    agreed: RollbackPreview
    /** When parked because the environment changed since: the new preview. */
    offered?: RollbackPreview
    /** The counts that the service reported, set once it has rolled back. Then only the environment must still be read. */
    said?: Counts
  }
}

export interface InviteOperation extends EntryCore {
  kind: 'invite'
  rowKind: 'member'
  /** `remote`: the role of the existing member with this e-mail address, once the invitation conflicts with it. */
  detail: { email: string; roleId: string; remote?: string }
}

export interface SetRoleOperation extends EntryCore {
  kind: 'set-role'
  rowKind: 'member'
  /** `base`: the role that the user saw. `remote`: the role that a colleague has set since. */
  detail: { email: string; roleId: string; base: string; remote?: string }
}

export interface RemoveOperation extends EntryCore {
  kind: 'remove'
  rowKind: 'member'
  detail: { email: string }
}

export type VersionOperation = SnapshotOperation | RollbackOperation

export type MemberOperation = InviteOperation | SetRoleOperation | RemoveOperation

export type Operation = VersionOperation | MemberOperation

export type Entry = Change | Operation

/** `Omit` for each type of a union by itself. */
export type Without<Each, Key extends keyof Each> = Each extends unknown ? Omit<Each, Key> : never

/** An entry before the queue has given it its `seq`. */
export type UnplacedEntry = Without<Entry, 'seq'>

export const isOperation = (entry: Entry): entry is Operation => entry.rowKind === 'version' || entry.rowKind === 'member'

export const isChange = (entry: Entry): entry is Change => !isOperation(entry)

/** Whether an entry waits for the user, or for a service that can take it. A parked entry holds back only entries that depend on it. */
export const isParked = ({ state }: Pick<Life, 'state'>): boolean => state === 'blocked' || state === 'conflict' || state === 'failed'

/** Whether a request with the present bytes may have reached the service. */
export const isAttempted = ({ attempts }: Pick<Life, 'attempts'>): boolean => attempts > 0

/**
 * Whether the user has retried an entry that the service may have done, and sync has not checked that yet. No request of it is under way: one
 * that is has no reason to wait, and a lost answer counts as another attempt.
 */
export const isToBeChecked = ({ state, attempts, reason }: Pick<Life, 'state' | 'attempts' | 'reason'>): boolean =>
  state === 'sending' && attempts === 1 && reason !== null

export const isMove = ({ kind, patch }: Pick<Change, 'kind' | 'patch'>): boolean => kind === 'update' && patch.parent !== undefined
