import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeysStatus } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'

/** Where keys are kept, and whether they can be used now. */
export interface KeysManager {
  status(): KeysStatus
  /** The open store, or why there is none: `keys-unchosen`, `keys-locked`. */
  store(): Result<KeyStore, AppError>
  /** Like `store`, but takes the OS keychain by itself when nothing is chosen yet and there is one. */
  storeForNewKeys(): Promise<Result<KeyStore, AppError>>
  choose(kind: 'os' | 'vault' | 'session', passphrase: string | undefined): Promise<Result<null, AppError>>
  unlock(passphrase: string | undefined): Promise<Result<null, AppError>>
  lock(): void
  /** Calls `listener` after every change of `status`, until the returned function is called. */
  onChange(listener: () => void): () => void
  close(): void
}
