import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { KeychainState, KeysStatus, LockedBy } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { Settings } from '../settings/settings.ts'
import type { KeyStores } from './key-stores.ts'
import { keysErrors } from './keys-errors.ts'
import type { UnlockProof } from './unlock-proof.ts'
import { untilClosed } from './until-closed.ts'

/** The key store, and whether it is open. */
export type KeysState =
  | { state: 'unchosen'; keychain: KeychainState }
  | { state: 'locked'; store: 'vault' | 'os'; keychain: KeychainState; by: LockedBy | null }
  | { state: 'ready'; store: KeyStore }

interface Deps {
  stores: KeyStores
  settings: Settings
}

/** Returns the state before the keychain has answered. */
export function provisionalState({ stores, settings }: Deps): KeysState {
  const chosen = settings.get().keyStore
  if (chosen === 'vault' || (chosen === null && stores.vaultExists()))
    return { state: 'locked', store: 'vault', keychain: stores.vaultExists() ? 'locked' : 'absent', by: null }
  return chosen === 'os' ? { state: 'locked', store: 'os', keychain: 'locked', by: null } : { state: 'unchosen', keychain: 'locked' }
}

/**
 * Returns the state at the start of Holdfast. The OS keychain is open if it was chosen, answers and was not locked. A vault waits for its
 * passphrase.
 */
export async function stateAtStart(deps: Deps, proof: UnlockProof): Promise<KeysState> {
  const { stores, settings } = deps
  const first = provisionalState(deps)
  // A vault needs no keychain, and a keychain may ask the user something.
  if (first.state === 'locked' && first.store === 'vault') return first
  await proof.probeSystem()
  const keychain = await stores.probeKeychain()
  if (first.state === 'unchosen') return { state: 'unchosen', keychain }
  // Restarting Holdfast must not unlock locked keys.
  const staysLocked = (settings.get().isLocked || settings.get().hasPin) && proof.unlockOf('os') !== 'none'
  return keychain === 'available' && !staysLocked
    ? { state: 'ready', store: untilClosed(stores.openKeychain()) }
    : { state: 'locked', store: 'os', keychain, by: null }
}

export function statusOf(state: KeysState, { unlockOf }: UnlockProof, { hasPin }: { hasPin: boolean }): KeysStatus {
  if (state.state === 'ready') return { state: 'ready', store: state.store.kind, unlock: unlockOf(state.store.kind), hasPin }
  return state.state === 'locked' ? { ...state, unlock: unlockOf(state.store) } : state
}

export function storeOf(state: KeysState): Result<KeyStore, AppError> {
  if (state.state === 'ready') return ok(state.store)
  if (state.state === 'unchosen') return err(keysErrors.unchosen)
  return err(
    state.store === 'vault' || state.keychain === 'available' ? keysErrors.locked[state.store] : keysErrors.keychain[state.keychain],
  )
}
