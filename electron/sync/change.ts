import type { Fields } from './fields.ts'

export type RowKind = 'project' | 'environment' | 'variable'

export type ChangeKind = 'create' | 'update' | 'delete'

/**
 * queued: waits for its turn. sending: its request may be under way, or its outcome is unknown.
 * blocked: this server offers no way to send it. conflict: the user has to choose.
 * failed: the server refused it, or would not take it after many tries.
 */
export type ChangeState = 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed'

export type ConflictKind = 'fields' | 'deleted-remotely' | 'changed-remotely' | 'name-taken'

/** What stands against a change, kept until the user chooses. `theirs` null: it is gone there. */
export interface Conflict {
  kind: ConflictKind
  theirs: Fields | null
  by: string | null
}

/** Where a row lives on the wire: the slugs above it; empty texts where its kind has none. */
export interface WirePlace {
  project: string
  environment: string
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

/** Whether a change waits for the user or the server's abilities, and so holds back only what depends on it. */
export const isParked = (change: Change): boolean => change.state === 'blocked' || change.state === 'conflict' || change.state === 'failed'

/** Whether anything of a change may have reached the server; from then on it is never rewritten. */
export const isAttempted = (change: Change): boolean => change.attempts > 0 || change.state === 'sending'

/** Whether a create that waits may have been made all the same: it was sent, and nothing has said since that it was not. */
export const mayHaveActed = (change: Change): boolean => change.sentTo != null

/** A parked create of unknown outcome on its way again: looked for first, and sent as it was, under the same Idempotency-Key. */
export const lookedForAgain = (change: Change): Change => ({ ...change, state: 'sending', attempts: 1, nextAttemptAt: null, reason: null })
