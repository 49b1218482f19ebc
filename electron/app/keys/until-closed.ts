import { err, type Result } from '../../bridge/result.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'
import { keysErrors } from './keys-errors.ts'

/**
 * Returns a store whose `close` ends the calls under way with `keys-locked`, and refuses later ones. A keychain may answer long after a
 * lock, when somebody closes its prompt. Such an answer is dropped.
 */
export function untilClosed(store: KeyStore): KeyStore {
  const refusal = err(keysErrors.locked.os)
  const refusals = new Set<() => void>()
  let isClosed = false

  const ask = <T>(call: () => Promise<Result<T, KeyStoreError>>): Promise<Result<T, KeyStoreError>> => {
    if (isClosed) return Promise.resolve(refusal)
    return new Promise((resolve, reject) => {
      const refuse = () => resolve(refusal)
      refusals.add(refuse)
      call()
        .then(resolve, reject)
        .finally(() => refusals.delete(refuse))
    })
  }

  return {
    kind: store.kind,
    get: (name) => ask(() => store.get(name)),
    set: (name, secret) => ask(() => store.set(name, secret)),
    delete: (name) => ask(() => store.delete(name)),
    close() {
      isClosed = true
      for (const refuse of refusals) refuse()
      store.close()
    },
  }
}
