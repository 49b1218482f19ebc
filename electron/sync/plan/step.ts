import type { BaseRow, Change, Conflict, Entry, Operation, Row, RowKind } from '../../queue/entry.ts'
import type { EntryEvent } from '../../queue/transition.ts'
import type { RemoteMemberRow, RemoteVersionRow } from '../port.ts'

/** Whose write overwrote or deleted a value. */
export interface Overwrite {
  whose: 'mine' | 'theirs'
  why: 'changed' | 'deleted'
  by?: string | null
}

/** A change that the engine adds: a row created again because of the edits below it. */
export type Recreation = Pick<Change, 'rowKind' | 'rowId' | 'ancestors' | 'patch' | 'base' | 'remoteId'>

/** One write of a plan. The engine writes all steps of a plan in one transaction, in order. */
export type Step =
  | { do: 'advance'; entry: Entry; event: EntryEvent }
  | { do: 'add'; change: Recreation; conflict: Conflict | null }
  /** Inserts a row that others created, under a new local id. */
  | { do: 'insert'; row: BaseRow }
  /** Writes base. `expected`: the row as it would be if only this user had written it; null: this user has never seen it. */
  | { do: 'write'; row: BaseRow; expected: Pick<Row, 'parentId' | 'fields'> | null }
  /** Merges two local ids of the same record into `to`. */
  | { do: 'rebind'; from: string; to: string }
  /** Keeps the value of a row in the local history. */
  | { do: 'keep'; row: Row; overwrite: Overwrite }
  /** Removes a row from base. `kept`: who deleted it; the mirror keeps it, to be restored. Null: the mirror does not keep it. */
  | { do: 'forget'; row: BaseRow; whose: 'mine' | 'theirs'; kept: { by: string | null } | null }
  | { do: 'refresh'; rowId: string }
  | { do: 'untrack'; rowId: string }
  | { do: 'write-version'; version: RemoteVersionRow; id: string }
  | { do: 'write-member'; member: RemoteMemberRow; id: string }
  | { do: 'delete-member'; id: string }

/** Reads of the mirror that a plan needs, all in the transaction that writes the plan. */
export interface Facts {
  base(id: string): BaseRow | null
  baseOf(kind: RowKind, remoteId: string): BaseRow | null
  /** Rows of base right below a row. */
  children(id: string): readonly BaseRow[]
  /** Whether a row of an environment was elsewhere, or did not exist, on the service at a revision. */
  wasElsewhere(id: string, environmentId: string, rev: number): boolean
  /** The row as the user sees it. */
  working(id: string): Row | null
  /** Unsent changes of a row, in order. */
  changesOf(rowId: string): readonly Change[]
  /** The other unsent changes of a change's row, in order. */
  changesBeside(change: Change): readonly Change[]
  /** Unsent changes of rows right below a row, moves to it included, in order. */
  childChanges(parentId: string): readonly Change[]
  operationsOn(environmentId: string): readonly Operation[]
  /** The first unsent create that claims a name or slug. */
  createClaiming(kind: RowKind, parentId: string | null, key: string): Change | null
  /** The unsent create that makes the record of this id, or makes it again after others deleted it. */
  createOf(kind: RowKind, remoteId: string): Change | null
  /** The unsent create of a variable that had this name in an environment before others deleted it. */
  createAgain(parentId: string, name: string): Change | null
  /** Returns a local id for a record without one: the id it had before it was deleted if that is free, otherwise a new one. */
  idFor(kind: RowKind, remoteId: string): string
  /** Milliseconds since the epoch. */
  now: number
  /** UUIDv7. */
  newId(): string
}

/** `Facts`, with those that only a plan for an answer needs. */
export interface AnswerFacts extends Facts {
  /** In [0, 1). */
  random(): number
  /** How often in this run the entry was already answered with a newer record. */
  timesStale: number
  /** The status of a member by its local id: empty when only the id is known; null: no such member. */
  memberStatus(id: string): string | null
}
