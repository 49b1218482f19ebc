import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeysStatus, LockedBy, SystemAuthenticationRow } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'

/** Where keys are kept, and whether they can be used now. */
export interface KeysManager {
  /** Answers soon even while a keychain is asking the user: with what is known so far, and `onChange` follows. */
  status(): Promise<KeysStatus>
  /** The open store, or why there is none: `keys-unchosen`, `keys-locked`. */
  store(): Promise<Result<KeyStore, AppError>>
  /** Like `store`, but chooses the OS keychain if nothing is chosen yet and there is one. */
  storeForNewKeys(): Promise<Result<KeyStore, AppError>>
  /**
   * The first choice of where keys live, or a new one where the store chosen before cannot be opened any more. Keys kept for this session
   * only move along to a durable store. Errors: those of the store, `invalid-input` when a durable store is open already.
   */
  choose(kind: 'os' | 'vault' | 'session', passphrase: string | undefined): Promise<Result<null, AppError>>
  /**
   * Opens the vault, or the OS keychain after the user proved who they are where it was locked: by their PIN, the
   * system's authentication (`pin` absent), or a recovery key instead of either; ok when it is open already.
   */
  unlock(given: { passphrase?: string | undefined; pin?: string | undefined }): Promise<Result<null, AppError>>
  /** Forgets what is held in memory. Fails where nothing would be asked for to unlock it again: keys of a session, a keychain without PIN. */
  lock(by: LockedBy): Promise<Result<null, AppError>>
  /** Sets or removes (null) the PIN for keys in the OS keychain; `current` must be right where one is set. */
  setPin(pin: string | null, current: string | undefined): Promise<Result<null, AppError>>
  /** The system's authentication, if it can be used now or is in use; null elsewhere. */
  systemAuthentication(): Promise<SystemAuthenticationRow | null>
  /**
   * Turns the system's authentication on or off. It has to succeed once before it is turned on: a way in that doesn't work here must not
   * become the only one.
   */
  useSystem(on: boolean): Promise<Result<null, AppError>>
  /** Seals the open vault under another passphrase and deletes what is kept under earlier ones. */
  changePassphrase(current: string, next: string): Promise<Result<null, AppError>>
  /** Calls `listener` after every change of the store, until the returned function is called. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
