import { err, type Result } from '../../bridge/result.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'

/**
 * Keeps a secret and reads it back. Nothing may be encrypted with a key before this says ok: a store that
 * takes a key and loses it would take every value along.
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
