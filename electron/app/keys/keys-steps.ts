import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { LockedBy } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { VaultFile } from '../../keychain/vault-file.ts'
import { keysErrors } from './keys-errors.ts'
import { storeOf, type KeysState } from './keys-state.ts'
import type { PinCheck } from './pin-check.ts'
import { takeStore, takeStoreAnew, type TakeDeps } from './take-store.ts'
import type { UnlockProof } from './unlock-proof.ts'

/** The new state after a command, and its answer. */
interface Stepped<T> {
  next: KeysState
  answer: T
}

type Step = Promise<Stepped<Result<null, AppError>>>

interface Deps extends TakeDeps {
  pins: PinCheck
  proof: UnlockProof
}

const stays = <T>(state: KeysState, answer: T): Stepped<T> => ({ next: state, answer })

const taken = (state: KeysState, opened: Result<KeyStore, AppError>): Stepped<Result<null, AppError>> =>
  opened.ok ? { next: { state: 'ready', store: opened.value }, answer: ok(null) } : stays(state, opened)

const isVault = (store: KeyStore): store is VaultFile => store.kind === 'vault'

/** See `storeForNewKeys` of KeysManager. The other functions are named like those of KeysManager. */
export async function openForNewKeys(deps: Deps, state: KeysState): Promise<Stepped<Result<KeyStore, AppError>>> {
  if (state.state !== 'unchosen' || state.keychain !== 'available') return stays(state, storeOf(state))
  const opened = await takeStore(deps, state, 'os', undefined)
  return opened.ok ? { next: { state: 'ready', store: opened.value }, answer: opened } : stays(state, opened)
}

export async function choose(deps: Deps, state: KeysState, kind: KeyStore['kind'], passphrase: string | undefined): Step {
  if (state.state === 'ready' && state.store.kind === 'session' && kind === 'session') return stays(state, ok(null))
  if (state.state === 'ready' && state.store.kind !== 'session') return stays(state, err(keysErrors.alreadyChosen))
  const proved = await mayReplace(deps, state, kind)
  if (!proved.ok) return stays(state, proved)
  return taken(state, await takeStoreAnew(deps, state, kind, passphrase))
}

/**
 * Whether the user may choose this store. If the present store can be unlocked, they must unlock it first: choosing a store again must not
 * be a way around that.
 */
async function mayReplace({ stores, settings, proof }: Deps, state: KeysState, kind: KeyStore['kind']): Promise<Result<null, AppError>> {
  const locked = state.state === 'locked' ? state : null
  if (locked?.store === 'vault' && kind !== 'vault') {
    // A vault that only refuses an empty passphrase is not damaged, so it can be unlocked.
    const opened = await stores.openVault('')
    if (!opened.ok && opened.error.kind === 'passphrase-wrong') return err(keysErrors.locked.vault)
  }
  const { isLocked, hasPin } = settings.get()
  const isKeychainLocked = locked?.store === 'os' || isLocked || hasPin
  const canUnlock = kind === 'os' || (locked?.store === 'os' && locked.keychain === 'available')
  return isKeychainLocked && canUnlock ? proof.prove(undefined) : ok(null)
}

export async function unlock(
  deps: Deps,
  state: KeysState,
  { passphrase, pin }: { passphrase?: string | undefined; pin?: string | undefined },
): Step {
  const { settings, proof } = deps
  if (state.state === 'ready') return stays(state, ok(null))
  if (state.state === 'unchosen') return stays(state, err(keysErrors.unchosen))
  const proved = state.store === 'os' ? await proof.prove(pin) : ok(null)
  const opened = proved.ok ? await takeStore(deps, state, state.store, passphrase) : proved
  // A new object, so that listeners scrub the memory again: it has the refused text, and may have keys that it was compared with.
  if (!opened.ok) return { next: { ...state }, answer: opened }
  if (settings.get().isLocked) await settings.update({ isLocked: false })
  return taken(state, opened)
}

/** Closes the store at once. */
export function lock({ proof }: Deps, state: KeysState, by: LockedBy): Stepped<Result<null, AppError>> {
  if (state.state !== 'ready') return stays(state, ok(null))
  const { kind } = state.store
  if (kind === 'session' || proof.unlockOf(kind) === 'none') return stays(state, err(keysErrors.cannotLock))
  state.store.close()
  return { next: { state: 'locked', store: kind, keychain: 'available', by }, answer: ok(null) }
}

export async function setPin({ settings, pins, proof }: Deps, state: KeysState, pin: string | null, current: string | undefined): Step {
  const store = storeOf(state)
  if (!store.ok || state.state !== 'ready') return stays(state, store.ok ? ok(null) : store)
  if (state.store.kind !== 'os') return stays(state, err(keysErrors.pinElsewhere))
  const { hasPin, pinEntry } = settings.get()
  if (hasPin && !current) return stays(state, err(keysErrors.pinMissing))
  const proved = await proof.prove(hasPin ? current : undefined)
  if (!proved.ok) return stays(state, proved)
  // Reading fails if Holdfast was locked meanwhile: without the PIN, nothing would unlock it.
  const kept = pin === null ? await state.store.get(pinEntry) : await pins.keep(state.store, pin)
  if (!kept.ok) return stays(state, kept)
  const next = pin === null ? { hasPin: false } : { hasPin: true, pinEntry: kept.value ?? pinEntry }
  const saved = await settings.update(next)
  // Only the settings say which PIN unlocks, so an entry that can't be deleted does no harm.
  if (saved.ok && hasPin) await state.store.delete(pinEntry)
  // A new object, so that listeners are told that the ways to unlock have changed.
  return { next: { ...state }, answer: saved }
}

export async function useSystem({ settings, proof }: Deps, state: KeysState, on: boolean): Step {
  const store = storeOf(state)
  if (!store.ok || state.state !== 'ready') return stays(state, store.ok ? ok(null) : store)
  if (state.store.kind !== 'os') return stays(state, err(keysErrors.pinElsewhere))
  const proved = await proof.proveBySystem()
  if (!proved.ok) return stays(state, proved)
  return { next: { ...state }, answer: await settings.update({ asksSystem: on }) }
}

export async function changePassphrase(state: KeysState, current: string, next: string): Step {
  if (state.state !== 'ready' || !isVault(state.store)) return stays(state, err(keysErrors.noVault))
  return stays(state, await state.store.changePassphrase(current, next))
}
