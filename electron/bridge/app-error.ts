/**
 * Every expected failure that reaches the page. `message` tells the user in one sentence what happened and what to do. The other fields are
 * data for the screen. Any other failure is a bug: it is logged with a `reference` and shown as `bug`.
 */
export type AppError =
  | { kind: 'invalid-input'; message: string; field?: string }
  | { kind: 'not-found'; message: string }
  | { kind: 'name-taken'; message: string }
  /** Others changed the rows that the user decided on. Nothing was changed here; the screen must read the rows again. */
  | { kind: 'outdated'; message: string }
  /** Undo can't take back a rollback that is done. A rollback to another version of this environment can. */
  | { kind: 'rolled-back'; message: string; environmentId: string }
  | { kind: 'too-large'; message: string }
  | { kind: 'not-text'; message: string }
  | { kind: 'value-unreadable'; message: string }
  | { kind: 'cancelled'; message: string }
  // Keys
  | { kind: 'keys-unchosen'; message: string }
  | { kind: 'keys-locked'; message: string }
  | { kind: 'keychain-absent'; message: string }
  | { kind: 'keychain-locked'; message: string }
  | { kind: 'keychain-cancelled'; message: string }
  | { kind: 'passphrase-wrong'; message: string }
  | { kind: 'vault-damaged'; message: string }
  | { kind: 'workspace-key-missing'; message: string }
  | { kind: 'workspace-key-wrong'; message: string }
  | { kind: 'workspace-key-unconfirmed'; message: string }
  // The service
  | { kind: 'offline'; message: string }
  | { kind: 'timeout'; message: string }
  | { kind: 'unauthorized'; message: string }
  | { kind: 'refused'; message: string; status: number }
  | { kind: 'not-a-service'; message: string }
  | { kind: 'insecure-url'; message: string }
  | { kind: 'wrong-workspace'; message: string }
  | { kind: 'service-failed'; message: string; status: number }
  | { kind: 'service-not-started'; message: string }
  /** The service does not offer this. */
  | { kind: 'unsupported'; message: string }
  | { kind: 'unsent-edits'; message: string }
  // The disk
  | { kind: 'folder-read-only'; message: string }
  | { kind: 'folder-in-use'; message: string }
  | { kind: 'disk-full'; message: string }
  | { kind: 'database-newer'; message: string }
  | { kind: 'database-damaged' | 'database-missing'; message: string }
  | { kind: 'bug'; message: string; reference: string }
