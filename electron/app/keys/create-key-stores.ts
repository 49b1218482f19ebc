import type { KeyStore } from '../../keychain/key-store.ts'
import { err, ok } from '../../bridge/result.ts'
import type { KeyStores } from './key-stores.ts'
import { keysErrors } from './keys-errors.ts'

const createSessionKeys = (): KeyStore => {
  const kept = new Map<string, string>()
  return {
    kind: 'session',
    get: async (name) => ok(kept.get(name) ?? null),
    set: async (name, secret) => {
      kept.set(name, secret)
      return ok(null)
    },
    delete: async (name) => {
      kept.delete(name)
      return ok(null)
    },
    close: () => kept.clear(),
  }
}

/** The stores of this computer; the vault is a file in `dataDir`. */
export const createKeyStores = (dataDir: string): KeyStores => ({
  probeKeychain: async () => 'absent',
  openKeychain: createSessionKeys,
  vaultExists: () => dataDir === '',
  openVault: async () => err(keysErrors.keychain.absent),
  openSession: createSessionKeys,
})
