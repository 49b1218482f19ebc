import type { KeyStores } from '../../../electron/app/keys/key-stores.ts'
import { ok } from '../../../electron/bridge/result.ts'
import type { KeyStore } from '../../../electron/keychain/key-store.ts'
import { storesWithoutKeychain } from './start-app.ts'

export interface LastingStores {
  kept: Map<string, string>
  stores: (dataDir: string) => KeyStores
}

/** A computer whose session store outlives the application, as a keychain does; what is in it can be looked at and taken away. */
export const lastingStores = (): LastingStores => {
  const kept = new Map<string, string>()
  const store: KeyStore = {
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
    close: () => {},
  }
  const stores = (dataDir: string): KeyStores => ({ ...storesWithoutKeychain(dataDir), openSession: () => store })
  return { kept, stores }
}
