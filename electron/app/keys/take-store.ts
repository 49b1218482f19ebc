import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'
import type { Settings } from '../settings/settings.ts'
import { keepKey } from './keep-key.ts'
import type { KeyStores } from './key-stores.ts'
import { keysErrors } from './keys-errors.ts'
import type { KeysState } from './keys-state.ts'
import { untilClosed } from './until-closed.ts'

export interface TakeDeps {
  stores: KeyStores
  settings: Settings
  /** The names of keys that a session store may have. These keys move to the new store. */
  keyNames(): Promise<string[]>
}

type Kind = KeyStore['kind']

/** Opens a store, moves the keys of a session store into it, and saves the choice. */
export async function takeStore(
  { stores, settings, keyNames }: TakeDeps,
  state: KeysState,
  kind: Kind,
  passphrase: string | undefined,
): Promise<Result<KeyStore, AppError>> {
  const opened = await openStore(stores, kind, passphrase)
  if (!opened.ok) return opened
  const moved = state.state === 'ready' ? await moveKeys(state.store, opened.value, await keyNames()) : ok(null)
  // Save only a new choice: unlocking must work on a full disk.
  const remembered = kind === 'session' || settings.get().keyStore === kind
  const kept = moved.ok && !remembered ? await settings.update({ keyStore: kind }) : moved
  if (!kept.ok) {
    opened.value.close()
    return kept
  }
  if (state.state === 'ready') state.store.close()
  return opened
}

/** Like `takeStore`, when the user chooses the store. Creates a vault that is missing or can't be read; renames the file of the latter. */
export const takeStoreAnew: typeof takeStore = async (deps, state, kind, passphrase) => {
  const taken = await takeStore(deps, state, kind, passphrase)
  if (taken.ok || taken.error.kind !== 'vault-damaged') return taken
  const { createVault } = deps.stores
  return takeStore({ ...deps, stores: { ...deps.stores, openVault: createVault } }, state, kind, passphrase)
}

async function openStore(stores: KeyStores, kind: Kind, passphrase: string | undefined): Promise<Result<KeyStore, AppError>> {
  if (kind === 'session') return ok(stores.openSession())
  if (kind === 'vault') {
    if (passphrase === undefined || passphrase === '') return err(keysErrors.passphraseMissing)
    return stores.openVault(passphrase)
  }
  const keychain = await stores.probeKeychain()
  return keychain === 'available' ? ok(untilClosed(stores.openKeychain())) : err(keysErrors.keychain[keychain])
}

/** Copies the keys under `names` from one store to another, and reads each back. The old store keeps them. */
async function moveKeys(from: KeyStore, to: KeyStore, names: readonly string[]): Promise<Result<null, KeyStoreError>> {
  for (const name of names) {
    const secret = await from.get(name)
    if (!secret.ok) return err(secret.error)
    if (secret.value === null) continue
    const kept = await keepKey(to, name, secret.value)
    if (!kept.ok) return kept
  }
  return ok(null)
}
