import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeychainState } from '../../bridge/rows.ts'
import type { VaultFile } from '../../keychain/vault-file.ts'
import type { KeyStore } from '../../keychain/key-store.ts'

export interface KeyStores {
  /** Tests the OS keychain: stores a secret, reads it back and deletes it. */
  probeKeychain(): Promise<KeychainState>
  openKeychain(): KeyStore
  /** Resolves once the OS keychain has answered all calls so far, also those that nobody waits for any more. */
  keychainAnswered(): Promise<unknown>
  vaultExists(): boolean
  /** Opens the vault file. Error `vault-damaged`: it is missing or can't be read. */
  openVault(passphrase: string): Promise<Result<VaultFile, AppError>>
  /** Creates a new, empty vault. Renames an existing file, and keeps it. */
  createVault(passphrase: string): Promise<Result<VaultFile, AppError>>
  openSession(): KeyStore
}
