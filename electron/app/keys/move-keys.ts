import { err, ok, type Result } from '../../bridge/result.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'
import { keepKey } from './keep-key.ts'

/** Copies the keys under `names` from one store to another; ok once each has been read back. The old store keeps them. */
export const moveKeys = async (from: KeyStore, to: KeyStore, names: readonly string[]): Promise<Result<null, KeyStoreError>> => {
  for (const name of names) {
    const secret = await from.get(name)
    if (!secret.ok) return err(secret.error)
    if (secret.value === null) continue
    const kept = await keepKey(to, name, secret.value)
    if (!kept.ok) return kept
  }
  return ok(null)
}
