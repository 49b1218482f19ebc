import type { Result } from '../bridge/result.ts'

/**
 * Where API keys and workspace keys live. Three implementations: the OS keychain, a vault file
 * under a passphrase, and this session's memory. "Cancelled", "locked" and "absent" are three answers.
 */
export interface KeyStore {
  readonly kind: 'os' | 'vault' | 'session'
  /** The secret kept under `name`, or null when there is none. */
  get(name: string): Promise<Result<string | null, KeyStoreError>>
  /** Keeps `secret` under `name`; when it says ok, the secret is durable (for this kind of store). */
  set(name: string, secret: string): Promise<Result<null, KeyStoreError>>
  /** Forgets `name`; ok also when there was none. */
  delete(name: string): Promise<Result<null, KeyStoreError>>
  /** Drops all keys held in memory. */
  close(): void
}

export type KeyStoreError =
  /** There is no keychain on this machine, or it failed its self-test. */
  | { kind: 'keychain-absent'; message: string }
  | { kind: 'keychain-locked'; message: string }
  /** The user said no, or did not answer in time. */
  | { kind: 'keychain-cancelled'; message: string }
  | { kind: 'passphrase-wrong'; message: string }
  | { kind: 'vault-damaged'; message: string }
  /** Windows keeps at most 2,560 bytes under one name. */
  | { kind: 'too-large'; message: string; limitBytes: number }
  | { kind: 'folder-read-only'; message: string; folder: string }
  | { kind: 'disk-full'; message: string }
