import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createOsKeychain, keychainAnswered } from '../../keychain/os-keychain.ts'
import { probeKeychain } from '../../keychain/probe-keychain.ts'
import { createSessionKeys } from '../../keychain/session-keys.ts'
import { createVaultFile, openVaultFile } from '../../keychain/vault-file.ts'
import { type Derivation, newDerivation } from '../../keychain/vault-format.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { KeyStores } from './key-stores.ts'
import { shareKeychain } from './share-keychain.ts'

/** All data folders share this name. Keys are named by workspace ids, so a moved folder keeps its keys. See `shareKeychain` for copies. */
const service = 'Holdfast'

/**
 * Returns the key stores of this computer. The vault is the file `keys.vault` in `dataDir`. `derive`: makes the parameters of a new vault;
 * only tests that open many vaults pass cheaper ones. `openKeychain`: only tests pass another keychain than that of this computer.
 */
export const createKeyStores = (
  dataDir: string,
  derive: () => Derivation = newDerivation,
  openKeychain: () => KeyStore = () => createOsKeychain({ service }),
): KeyStores => {
  const vault = join(dataDir, 'keys.vault')
  return {
    probeKeychain: () => probeKeychain({ service }),
    openKeychain: shareKeychain(dataDir, openKeychain),
    keychainAnswered,
    vaultExists: () => existsSync(vault),
    openVault: (passphrase) => openVaultFile(vault, passphrase),
    createVault: (passphrase) => createVaultFile(vault, passphrase, derive()),
    openSession: createSessionKeys,
  }
}
