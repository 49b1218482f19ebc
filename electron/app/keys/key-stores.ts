import type { Result } from '../../bridge/result.ts'
import type { KeychainState } from '../../bridge/rows.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'

/** The stores this computer offers. */
export interface KeyStores {
  /** Puts a secret in the OS keychain, reads it back and takes it out again; says what became of it. */
  probeKeychain(): Promise<KeychainState>
  openKeychain(): KeyStore
  vaultExists(): boolean
  /** Opens the vault file, or makes it when there is none. */
  openVault(passphrase: string): Promise<Result<KeyStore, KeyStoreError>>
  openSession(): KeyStore
}
