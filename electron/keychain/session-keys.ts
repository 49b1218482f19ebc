import { ok } from '../bridge/result.ts'
import type { KeyStore } from './key-store.ts'

/** Keys in memory, for this session only: nothing is written anywhere, and `close` forgets all. */
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
