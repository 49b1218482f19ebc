import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeysStatus, LockedBy, SystemAuthenticationRow } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'

/** Manages the key store: which one it is, and whether it is open. */
export interface KeysManager {
  /** Answers soon, even while a keychain is asking the user. Then it returns the state known so far, and `onChange` follows. */
  status(): Promise<KeysStatus>
  /** The open store. Errors: `keys-unchosen`, `keys-locked`. */
  store(): Promise<Result<KeyStore, AppError>>
  /** Like `store`, but chooses the OS keychain if no store is chosen yet and a keychain is available. */
  storeForNewKeys(): Promise<Result<KeyStore, AppError>>
  /**
   * Chooses the key store: the first one, or a new one if the former one can't be opened any more. Keys of a session store move to the new
   * store. Errors: those of the store; `invalid-input` if a durable store is open already.
   */
  choose(kind: 'os' | 'vault' | 'session', passphrase: string | undefined): Promise<Result<null, AppError>>
  /**
   * Opens the vault with its passphrase. Opens a locked OS keychain after the user proved who they are: by their PIN, by the system's
   * authentication (without `pin`), or by a recovery key instead. ok if it is open already.
   */
  unlock(given: { passphrase?: string | undefined; pin?: string | undefined }): Promise<Result<null, AppError>>
  /**
   * Forgets the keys in memory at once, also while the user is asked something; keys that are being unlocked are locked again. Fails if
   * unlocking would need no proof: for a session store, and a keychain without PIN.
   */
  lock(by: LockedBy): Promise<Result<null, AppError>>
  /** Sets or removes (null) the PIN for keys in the OS keychain. `current`: the present PIN, if one is set. */
  setPin(pin: string | null, current: string | undefined): Promise<Result<null, AppError>>
  /** The system's authentication, if it can be used now or is in use; otherwise null. */
  systemAuthentication(): Promise<SystemAuthenticationRow | null>
  /**
   * Turns the system's authentication on or off. It must succeed once first: an authentication that doesn't work here must not become the
   * only way to unlock.
   */
  useSystem(on: boolean): Promise<Result<null, AppError>>
  /** Seals the open vault under another passphrase, and deletes its renamed copies under the former one. */
  changePassphrase(current: string, next: string): Promise<Result<null, AppError>>
  /** Calls `listener` after every change of the store, until the returned function is called. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
