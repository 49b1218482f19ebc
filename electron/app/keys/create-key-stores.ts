import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createOsKeychain, keychainAnswered } from '../../keychain/os-keychain.ts'
import { probeKeychain } from '../../keychain/probe-keychain.ts'
import { createSessionKeys } from '../../keychain/session-keys.ts'
import { createVaultFile, openVaultFile } from '../../keychain/vault-file.ts'
import { type Derivation, newDerivation } from '../../keychain/vault-format.ts'
import type { KeyStores } from './key-stores.ts'

/**
 * All data folders share this name. Keys are named by workspace ids, so a moved folder keeps its keys. A copied folder has the same ids and
 * settings: it shares its keys and its PIN with the original.
 */
const service = 'Holdfast'

/**
 * Returns the key stores of this computer. The vault is the file `keys.vault` in `dataDir`. `derive`: makes the parameters of a new vault;
 * only tests that open many vaults pass cheaper ones.
 */
export const createKeyStores = (dataDir: string, derive: () => Derivation = newDerivation): KeyStores => {
  const vault = join(dataDir, 'keys.vault')
  return {
    probeKeychain: () => probeKeychain({ service }),
    openKeychain: () => createOsKeychain({ service }),
    keychainAnswered,
    vaultExists: () => existsSync(vault),
    openVault: (passphrase) => openVaultFile(vault, passphrase),
    createVault: (passphrase) => createVaultFile(vault, passphrase, derive()),
    openSession: createSessionKeys,
  }
}
