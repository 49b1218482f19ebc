import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeychainState } from '../../bridge/rows.ts'
import type { VaultFile } from '../../keychain/vault-file.ts'
import type { KeyStore } from '../../keychain/key-store.ts'

/** The stores this computer offers. */
export interface KeyStores {
  /** Puts a secret in the OS keychain, reads it back and takes it out again; says what became of it. */
  probeKeychain(): Promise<KeychainState>
  openKeychain(): KeyStore
  vaultExists(): boolean
  /** Opens the vault file; one that is missing or can't be read is `vault-damaged`. */
  openVault(passphrase: string): Promise<Result<VaultFile, AppError>>
  /** Makes a new, empty vault; an existing file is renamed, whatever it holds. */
  createVault(passphrase: string): Promise<Result<VaultFile, AppError>>
  /** Deletes vaults that were put aside: they open with earlier passphrases. */
  deleteOldVaults(): Promise<void>
  openSession(): KeyStore
}
