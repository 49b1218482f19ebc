import type { ChangeInput } from './changes.ts'

/** A record that the app has seen, as the request that would make it. */
export type KnownRecord = Extract<ChangeInput, { op: 'create' }>

/** The job of the service's thread. */
export type ThreadData = ServeData | RestoreData

/** To answer requests, until it is told to close. */
export interface ServeData {
  do: 'serve'
  /** Folder of its database; created when missing. */
  dataDir: string
  /** The id of its workspace when it makes one. */
  workspaceId: string
  /** False: a folder without a workspace is one that was lost, and must not become an empty one. */
  mayBootstrap: boolean
  /** The key that the requests of this process carry; kept nowhere. */
  ownerKey: string
}

/** To replace a damaged database with a backup, and end. */
export interface RestoreData {
  do: 'restore'
  dataDir: string
  workspaceId: string
  /** Parents before their children. */
  records: readonly KnownRecord[]
}

/** One request. `url` is path and query. */
export interface ThreadRequest {
  id: number
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

/** `close`: answer the requests under way, close the database and end. */
export type ToThread = { do: 'answer'; request: ThreadRequest } | { do: 'close' }

/** A damaged or missing database. `newestBackup`: milliseconds since the epoch; null: no backup exists. */
export interface Damage {
  newestBackup: number | null
}

/** Why the service could not start. `code` is that of Node or SQLite; `damage` is set where a backup can replace the database. */
export interface StartFailure {
  code: string | null
  message: string
  damage: Damage | null
}

export interface Restored {
  /** When the backup was made, milliseconds since the epoch; null: there was no whole one, and it was made of the records alone. */
  from: number | null
  /** How many records the service did not take. */
  refused: number
  /** Folder of the damaged files. */
  aside: string
}

export type FromThread =
  | { is: 'started' }
  | { is: 'failed'; failure: StartFailure }
  | { is: 'answer'; id: number; status: number; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> }
  | { is: 'damaged'; damage: Damage }
  /** For the log. */
  | { is: 'troubled'; message: string; code: string | null }
  | { is: 'restored'; restored: Restored }
