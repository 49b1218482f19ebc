import type { BaseRow, Counts, Entry, RowKind } from '../queue/entry.ts'
import type { Fields } from '../queue/fields.ts'

/**
 * The port between the engine and a service. It speaks of records by their remote ids and of entries of the queue; an adapter translates
 * that to the wire: `adapters/full` for services with the change feed, `adapters/basic` for the documented 14 operations.
 */

/** A record of the service in the terms of the mirror. Values are sealed and tagged by the adapter, before anything is stored. */
export interface RemoteRow extends Pick<BaseRow, 'remoteId' | 'etag' | 'createdAt' | 'updatedAt' | 'updatedBy'> {
  kind: RowKind
  /** The remote id of the parent; null for a project. */
  parentRemoteId: string | null
  fields: Fields
}

export interface RemoteVersionRow {
  remoteId: string
  environmentRemoteId: string
  label: string
  note: string
  variableCount: number
  createdAt: string
  createdBy: string | null
  /** Sealed values by name; null when the version was read without its variables. */
  variables: readonly { name: string; value: NonNullable<Fields['value']> }[] | null
}

export interface RemoteMemberRow {
  remoteId: string
  email: string
  status: string
  roleId: string
  etag: string | null
  createdAt: string | null
}

export interface RemoteRoleRow {
  id: string
  name: string
  permissions: readonly string[]
}

/** One fact that a pull read, in the order to apply it. */
export type Delta =
  /** `tracked`: the id of the tracked name that was read; null: no tracked name. */
  | { is: 'row'; row: RemoteRow; tracked: string | null }
  /** Deleted: the service said so, or a read of that one record did. */
  | { is: 'deleted'; kind: RowKind | 'version' | 'member'; remoteId: string; by: string | null }
  | { is: 'version'; version: RemoteVersionRow }
  | { is: 'member'; member: RemoteMemberRow }
  /** The whole list, in the order of the service. */
  | { is: 'roles'; roles: readonly RemoteRoleRow[] }
  /** The answer for a tracked name (services without lists). */
  | { is: 'tracked'; id: string; state: 'there' | 'missing' | 'refused'; remoteId: string | null }

/** Deltas to write in one transaction, with the cursor to store in the same one. */
export interface PullPage {
  deltas: readonly Delta[]
  /** The cursor for the next pull; null: it starts from the beginning. */
  cursor: string | null
  /** Set on the first page after the service rejected the cursor as of another history: it was restored from a backup. */
  restarted: boolean
  /** Which history of the service the page is of: another one once it was restored from a backup. Missing: it doesn't say. */
  history?: string | undefined
  workspace?: WorkspaceNews
}

/** What a service says about the workspace and the user. A missing part: it says nothing. */
export interface WorkspaceNews {
  name?: string | undefined
  /** The user's permissions, in the service's words. */
  permissions?: readonly string[] | undefined
  /** The service's id of the member who the user is. */
  memberId?: string | undefined
}

/** Why a request failed. */
export interface Failure {
  /**
   * offline, busy: nothing was sent, or nothing was done; everything waits. unauthorized: the key was refused. not-a-service: the answer is
   * not from a service. failed: the service could not do it now. refused: it will not. disk: this computer has no room for its answers.
   */
  kind: 'offline' | 'busy' | 'unauthorized' | 'not-a-service' | 'failed' | 'refused' | 'disk'
  /** What happened, for the user. */
  message: string
  /** What sync does about it, as a sentence. Missing: nothing. */
  next?: string
  /** How long the service asked to wait; null: it did not ask. */
  retryAfterMs: number | null
}

/** The slugs that lead to a record's parent. A slug is empty if the kind has no such parent. */
export interface WirePath {
  project: string
  environment: string
}

/** A parent as the service knows it. */
export interface RemoteParent {
  remoteId: string
  path: WirePath
}

/** An entry with the facts that an adapter needs to send it, read in one snapshot. */
export interface PushItem {
  entry: Entry
  /** The row of a change as the service last showed it. */
  base: BaseRow | null
  /** The parent that the row has or will have; null for projects and members. */
  parent: RemoteParent | null
  /** For a move: the environment it leaves. */
  from: RemoteParent | null
  /** For an operation: the version or member it is about; null if the service does not know it. */
  remoteId: string | null
  /** For an operation on a member: the member as last shown. */
  member: RemoteMemberRow | null
  /** For a deletion of a parent and a rollback: the feed cursor up to which the user has seen everything. Null: not known. */
  seen: string | null
}

/** The outcome of one pushed entry. */
export type Outcome =
  | { is: 'confirmed'; row: RemoteRow | null; version?: RemoteVersionRow; member?: RemoteMemberRow; counts?: Counts }
  /** Others changed the record since the user saw it; `current`: the record now, null: deleted. */
  | { is: 'stale'; current: RemoteRow | null; member?: RemoteMemberRow | null }
  /** Something below changed since `seen`: pull, then decide. */
  | { is: 'changed-below' }
  /** The name, slug or e-mail belongs to another record. */
  | { is: 'taken'; holder: RemoteRow | null; member?: RemoteMemberRow | null; message: string }
  | { is: 'missing'; what: 'record' | 'parent'; message: string }
  | { is: 'refused'; message: string }
  | { is: 'unsupported'; message: string }
  /** Certainly not done: sync sends it again later. */
  | { is: 'unsent'; failure: Failure }
  /** The service may have done it: `reconcile` comes before anything else. */
  | { is: 'unknown'; failure: Failure }

/** The answer to `reconcile`, for an entry whose outcome was unknown. */
export type Reconciled =
  /** The record now (null: it does not exist); `holder`: another record that has the name of a create. */
  | { is: 'row'; row: RemoteRow | null; holder: RemoteRow | null }
  | { is: 'done'; version?: RemoteVersionRow; member?: RemoteMemberRow }
  | { is: 'undone' }
  /** No read can show it: the user has to decide. */
  | { is: 'unknowable'; message: string }

/** Reads of the mirror for an adapter that pulls; each call reads the present state. */
export interface Known {
  rows(kind: RowKind, parentRemoteId: string | null): readonly BaseRow[]
  /**
   * The names to read on a service without lists: those that the user tracks, those of unsent creates, and those in the version of a
   * rollback. Names tracked below a `missing` one are missing too.
   */
  trackedNames(kind: RowKind, parentRemoteId: string | null): readonly { id: string | null; key: string }[]
  versions(environmentRemoteId: string): readonly string[]
  /** The remote ids of those variables that the mirror already has, complete and with the same ETag and parent. */
  unchanged(variables: readonly { remoteId: string; parentRemoteId: string; etag: string | undefined }[]): ReadonlySet<string>
  /** The remote ids of the members without unsent operations. A list may be incomplete, and none of the 14 operations reads one member. */
  members(): readonly string[]
}

export interface Batch {
  /** The most entries of one push. */
  entries: number
  /** Whether entries of different lanes may go together: the service then answers each by itself. */
  joinsLanes: boolean
}

/** One service, as the engine sees it. */
export interface SyncPort {
  /**
   * Whether `pull` reads a feed. A record may then come before its parent, and deletions send the cursor that the user has seen. Without a
   * feed, `pull` reads lists and tracked names, each parent before its children.
   */
  readonly hasFeed: boolean
  /** How entries are put together in one push. */
  readonly batch: Batch
  /** Whether the API key opens this workspace (its remote id). If so, finds the profile of the service too. */
  identify(workspaceId: string): Promise<{ ok: true; value: boolean } | { ok: false; error: Failure }>
  /** Whether the service answers: one cheap request, asked every few seconds while it is offline. */
  probe(): Promise<boolean>
  /** Why the service can't take an entry, as a sentence; null: it can. This is another function once the service can take other entries. */
  readonly limitOf: (entry: Entry) => string | null
  /**
   * Reads everything since `cursor`. With null it reads everything, then yields `deleted` for each row that `known` has and the service
   * does not. Ends at the first failure. `environment`: reads only that one, before and after a rollback; an adapter with a feed may read
   * the feed to its end.
   */
  pull(
    cursor: string | null,
    known: Known,
    environment?: RemoteParent,
  ): AsyncIterable<{ ok: true; value: PullPage } | { ok: false; error: Failure }>
  /** Sends entries in order; one outcome each, in order. Entries after one that depends on a failed one answer `unsent`. */
  push(items: readonly PushItem[]): Promise<readonly Outcome[]>
  /** Reads the record of an entry whose outcome is unknown. */
  reconcile(item: PushItem): Promise<{ ok: true; value: Reconciled } | { ok: false; error: Failure }>
  /** A version with its variables; null: the service does not have it. */
  readVersion(remoteId: string): Promise<{ ok: true; value: RemoteVersionRow | null } | { ok: false; error: Failure }>
}
