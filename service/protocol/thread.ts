/** What the service's thread is started with. */
export interface ThreadData {
  /** Folder of its database; created when absent. */
  dataDir: string
  /** The id of its workspace when it makes one. */
  workspaceId: string
  /** False: a folder without a workspace is one that was lost, and must not become an empty one. */
  mayBootstrap: boolean
  /** The key that the requests of this process carry; kept nowhere. */
  ownerKey: string
}

/** One request. `url` is path and query. */
export interface ThreadRequest {
  id: number
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

/** `close`: answer what was begun, close the database and end. */
export type ToThread = { do: 'answer'; request: ThreadRequest } | { do: 'close' }

/** Why the service could not start. `code` is that of Node or SQLite. */
export interface StartFailure {
  code: string | null
  message: string
}

export type FromThread =
  | { is: 'started' }
  | { is: 'failed'; failure: StartFailure }
  | { is: 'answer'; id: number; status: number; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> }
