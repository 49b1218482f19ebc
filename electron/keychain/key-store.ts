import type { Result } from '../bridge/result.ts'

/**
 * Keeps API keys and workspace keys. There are three: the OS keychain, a vault file under a passphrase, and this session's memory.
 * "Cancelled", "locked" and "absent" are three different answers.
 */
export interface KeyStore {
  readonly kind: 'os' | 'vault' | 'session'
  /** Returns the secret kept under `name`, or null if there is none. */
  get(name: string): Promise<Result<string | null, KeyStoreError>>
  /** Keeps `secret` under `name`. If the result is ok, the secret is as durable as this store can make it. */
  set(name: string, secret: string): Promise<Result<null, KeyStoreError>>
  /** Forgets `name`. The result is ok even if there was no secret. */
  delete(name: string): Promise<Result<null, KeyStoreError>>
  /** Drops all keys held in memory. */
  close(): void
}

export type KeyStoreError =
  /** There is no keychain on this machine, or it failed its self-test. */
  | { kind: 'keychain-absent'; message: string }
  | { kind: 'keychain-locked'; message: string }
  /** Holdfast was locked before the store answered. */
  | { kind: 'keys-locked'; message: string }
  /** The user refused, or did not answer in time. */
  | { kind: 'keychain-cancelled'; message: string }
  | { kind: 'passphrase-wrong'; message: string }
  | { kind: 'vault-damaged'; message: string }
  /** Windows keeps at most 2,560 bytes under one name. */
  | { kind: 'too-large'; message: string }
  | { kind: 'folder-read-only'; message: string }
  | { kind: 'disk-full'; message: string }
