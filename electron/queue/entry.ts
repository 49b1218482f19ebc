import type { Fields } from './fields.ts'

export type RowKind = 'project' | 'environment' | 'variable'

export type ChangeKind = 'create' | 'update' | 'delete'

/**
 * queued: waits for its turn. sending: its request may be under way, or its outcome is unknown.
 * blocked: this server offers no way to send it. conflict: the user has to choose.
 * failed: the server refused it, or would not take it after many tries.
 */
export type ChangeState = 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed'

export type ConflictKind = 'fields' | 'deleted-remotely' | 'changed-remotely' | 'name-taken' | 'stale-rollback'

/** What stands against a change, kept until the user chooses. `theirs` null: it is gone there. */
export interface Conflict {
  kind: ConflictKind
  theirs: Fields | null
  by: string | null
  /** Of `deleted-remotely`: the record that was there. It may only have been renamed where nothing says so. */
  remoteId?: string
}

/** Where a row lives on the wire: the slugs above it; empty texts where its kind has none. */
export interface WirePlace {
  project: string
  environment: string
}

/** The one request that several changes went out in. `id` is its Idempotency-Key, `size` how many they are. */
export interface Batch extends WirePlace {
  id: string
  size: number
}

/** A record that a damaged database forgot: the natural key it is known by on the server, and the row as the server had it; null: not known. */
export interface Sought {
  key: string
  base: Fields | null
}

/**
 * One unsent change. `id` is its Idempotency-Key, and the patch holds values already sealed: once attempted it is
 * never rewritten, so every retry sends the same bytes, and a server that acted on the first and lost the answer sees the same again.
 */
export interface Change {
  /** Order in which the user made them. */
  seq: number
  id: string
  kind: ChangeKind
  rowKind: RowKind
  rowId: string
  /** Local ids, nearest first: a variable's environment and project, an environment's project. */
  ancestors: readonly string[]
  /** The row that has to be on the server, with this one's value, before this delete is sent: the copy that a move made. */
  after?: string | null
  /**
   * The slugs a create was sent to and may have been made under. They are part of the frozen request: as long as its outcome is unknown it
   * goes nowhere else, because only the same request under the same Idempotency-Key is answered as the first was.
   */
  sentTo?: WirePlace | null
  /** Only of a create that a repair made of what may be on the server already: there until the server shows the record. */
  sought?: Sought | null
  /** Set while it is under way together with others: then only the same request with all of them may go out again. */
  batch?: Batch | null
  /** create: the whole row. update: what changes. delete: nothing. */
  patch: Fields
  /** The row as it stood in base when the change was made; null for a create. Rebased when base moves without conflict. */
  base: Fields | null
  state: ChangeState
  attempts: number
  /** Milliseconds since the epoch; null: now. */
  nextAttemptAt: number | null
  /** Why it waits or was parked, as one sentence. */
  reason: string | null
  conflict: Conflict | null
  createdAt: number
}

/** A row as the user sees it. */
export interface Row {
  id: string
  kind: RowKind
  /** Local id of the environment of a variable, the project of an environment; null for a project. */
  parentId: string | null
  fields: Fields
}

/** A row as the server last showed it. */
export interface BaseRow extends Row {
  remoteId: string
  etag: string | null
  createdAt: string | null
  updatedAt: string | null
  updatedBy: string | null
}

/** What is asked of the server and is no field of a row: the mirror's rows do not show it until it is done. */
export type ActKind = 'snapshot' | 'rollback' | 'invite' | 'set-role' | 'remove'

export type ActRowKind = 'version' | 'member'

type ActCore = Pick<
  Change,
  'seq' | 'id' | 'rowId' | 'ancestors' | 'state' | 'attempts' | 'nextAttemptAt' | 'reason' | 'conflict' | 'createdAt'
>

/** How many variables a rollback adds, changes and removes. */
export interface Counts {
  added: number
  updated: number
  removed: number
}

/** What a rollback would do, and a digest of what it was worked out from. */
export interface Foreseen {
  counts: Counts
  /** Values that were only sealed anew: the server counts them as updated too. */
  resealed: number
  fingerprint: string
}

/** Saves what an environment holds when its turn comes. `rowId`: the local id of the version that it makes. */
export interface SnapshotAct extends ActCore {
  kind: 'snapshot'
  rowKind: 'version'
  /**
   * `after`: when the newest version that the server listed before it was last sent was made, by the server's clock; null: it listed none. `beside`:
   * the ids of all that were made at that time. Without them the server has no list, and what is met in one later may be anybody's.
   * `looks`: how often the server failed at the list since.
   */
  detail: { label?: string | undefined; note?: string | undefined; after?: string | null; beside?: readonly string[]; looks?: number }
}

/** Makes an environment what a version says. `rowId`: the local id of the version. */
export interface RollbackAct extends ActCore {
  kind: 'rollback'
  rowKind: 'version'
  detail: {
    label: string
    /** What the user agreed to. */
    agreed: Foreseen
    /** When parked because the environment is another by now: what the rollback would do to that one. */
    offered?: Foreseen
    /** What the server said it did, once it has: then only the environment has still to be read. */
    said?: Counts
  }
}

export interface InviteAct extends ActCore {
  kind: 'invite'
  rowKind: 'member'
  /** `theirs`: the role of the member that was found under this e-mail, once the two are in conflict. */
  detail: { email: string; roleId: string; theirs?: string }
}

export interface SetRoleAct extends ActCore {
  kind: 'set-role'
  rowKind: 'member'
  /** `was`: the role that the user saw. `theirs`: the one somebody else has given meanwhile. */
  detail: { email: string; roleId: string; was: string; theirs?: string }
}

export interface RemoveAct extends ActCore {
  kind: 'remove'
  rowKind: 'member'
  detail: { email: string }
}

export type Act = SnapshotAct | RollbackAct | InviteAct | SetRoleAct | RemoveAct

/** Everything that can stand in the queue. */
export type Queued = Change | Act

export const isAct = (queued: Queued): queued is Act => queued.rowKind === 'version' || queued.rowKind === 'member'

/** Whether a change waits for the user or the server's abilities, and so holds back only what depends on it. */
export const isParked = (change: Pick<Queued, 'state'>): boolean =>
  change.state === 'blocked' || change.state === 'conflict' || change.state === 'failed'

/** Whether anything of a change may have reached the server; from then on it is never rewritten. */
export const isAttempted = (change: Pick<Queued, 'attempts' | 'state'>): boolean => change.attempts > 0 || change.state === 'sending'

/** Whether a create that waits may have been made all the same: it was sent, and nothing has said since that it was not. */
export const mayHaveActed = (change: Change): boolean => change.sentTo != null

/** A parked create of unknown outcome on its way again: looked for first, and sent as it was, under the same Idempotency-Key. */
export const lookedForAgain = (change: Change): Change => ({ ...change, state: 'sending', attempts: 1, nextAttemptAt: null, reason: null })
