import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createOsKeychain } from '../../keychain/os-keychain.ts'
import { probeKeychain } from '../../keychain/probe-keychain.ts'
import { createSessionKeys } from '../../keychain/session-keys.ts'
import { createVaultFile, openVaultFile } from '../../keychain/vault-file.ts'
import { type Derivation, newDerivation } from '../../keychain/vault-format.ts'
import type { KeyStores } from './key-stores.ts'

/**
 * One name for all data folders: keys are named by workspace ids, which are unique, so a folder keeps its keys when it is moved.
 */
const service = 'Holdfast'

/**
 * The stores of this computer; the vault is the file `keys.vault` in `dataDir`. `derive` gives the parameters of a new vault: others than fresh ones
 * of full cost only in tests that open many vaults.
 */
export const createKeyStores = (dataDir: string, derive: () => Derivation = newDerivation): KeyStores => {
  const vault = join(dataDir, 'keys.vault')
  return {
    probeKeychain: () => probeKeychain({ service }),
    openKeychain: () => createOsKeychain({ service }),
    vaultExists: () => existsSync(vault),
    openVault: (passphrase) => openVaultFile(vault, passphrase),
    createVault: (passphrase) => createVaultFile(vault, passphrase, derive()),
    async deleteOldVaults() {
      const old = (await readdir(dataDir)).filter((name) => /^keys\.vault\.(old|aside)(-\d+)?$/.test(name))
      await Promise.all(old.map((name) => rm(join(dataDir, name), { force: true })))
    },
    openSession: createSessionKeys,
  }
}
