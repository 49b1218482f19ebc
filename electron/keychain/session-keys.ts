import { ok } from '../bridge/result.ts'
import type { KeyStore } from './key-store.ts'

/** Keeps keys in memory only, for this session. `close` forgets all of them. */
export function createSessionKeys(): KeyStore {
  const secrets = new Map<string, string>()
  return {
    kind: 'session',
    get: async (name) => ok(secrets.get(name) ?? null),
    set: async (name, secret) => {
      secrets.set(name, secret)
      return ok(null)
    },
    delete: async (name) => {
      secrets.delete(name)
      return ok(null)
    },
    close: () => secrets.clear(),
  }
}
