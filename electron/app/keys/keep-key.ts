import { err, type Result } from '../../bridge/result.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'

/**
 * Stores a secret and reads it back. Nothing may be encrypted with a key before this returns ok: if the store lost the key, every value
 * would be lost with it.
 */
export const keepKey = async (store: KeyStore, name: string, secret: string): Promise<Result<null, KeyStoreError>> => {
  const kept = await store.set(name, secret)
  if (!kept.ok) return kept
  const back = await store.get(name)
  if (!back.ok) return back
  if (back.value === secret) return kept
  return err({
    kind: 'keychain-absent',
    message: 'The key store didn’t return the key it was given. Choose another key store, then try again.',
  })
}
