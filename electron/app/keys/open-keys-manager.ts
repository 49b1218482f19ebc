import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { KeychainState, KeysStatus, LockedBy, UnlockBy } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { SystemAuthentication } from '../app-deps.ts'
import type { Settings } from '../settings/settings.ts'
import { keysErrors } from './keys-errors.ts'
import type { KeyStores } from './key-stores.ts'
import type { KeysManager } from './keys-manager.ts'
import type { VaultFile } from '../../keychain/vault-file.ts'
import { createPinCheck } from './pin-check.ts'
import { atMost } from '../settings/at-most.ts'
import { moveKeys } from './move-keys.ts'

export interface KeysManagerDeps {
  stores: KeyStores
  settings: Settings
  systemAuthentication: SystemAuthentication | null
  /** Names under which keys may be kept, for the move out of a session store. */
  keyNames(): Promise<string[]>
}

/** A keychain may be asking the user; the status says what is known so far. */
const answerMs = 1500

type State =
  | { state: 'unchosen'; keychain: KeychainState }
  | { state: 'locked'; store: 'vault' | 'os'; keychain: KeychainState; by: LockedBy | null }
  | { state: 'ready'; store: KeyStore }

/**
 * Opens the keys as the settings say: the OS keychain when it was chosen and answers, a vault locked until its
 * passphrase comes. Never waits for the keychain here, which may be asking the user: the functions of the manager do.
 */
export const openKeysManager = ({ stores, settings, systemAuthentication, keyNames }: KeysManagerDeps): KeysManager => {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }

  /** What can be said while the keychain has not answered. */
  const provisional = (): State => {
    const chosen = settings.get().keyStore
    if (chosen === 'vault' || (chosen === null && stores.vaultExists()))
      return { state: 'locked', store: 'vault', keychain: 'locked', by: null }
    return chosen === 'os' ? { state: 'locked', store: 'os', keychain: 'locked', by: null } : { state: 'unchosen', keychain: 'locked' }
  }

  /** Whether the system can be asked, and nobody had to try that first. */
  let isSureToAsk = false

  const atStart = async (): Promise<State> => {
    const first = provisional()
    // A vault needs no keychain, and asking one may put a question on the screen.
    if (first.state === 'locked' && first.store === 'vault') return first
    isSureToAsk = systemAuthentication?.isReliable === true && (await systemAuthentication.isAvailable())
    const keychain = await stores.probeKeychain()
    if (first.state === 'unchosen') return { state: 'unchosen', keychain }
    // An end and a new start must not unlock what is locked.
    const staysLocked = (settings.get().isLocked || settings.get().hasPin) && unlockOf('os') !== 'none'
    return keychain === 'available' && !staysLocked
      ? { state: 'ready', store: stores.openKeychain() }
      : { state: 'locked', store: 'os', keychain, by: null }
  }

  /** What keys of a store are unlocked with. */
  const unlockOf = (store: KeyStore['kind']): UnlockBy => {
    if (store === 'vault') return 'passphrase'
    if (store === 'session') return 'none'
    const { asksSystem, hasPin, isLocked } = settings.get()
    if (asksSystem === true) return 'system'
    if (hasPin) return 'pin'
    // What was locked stays so where the system cannot be asked any more: a closed lid must not open Holdfast.
    return (asksSystem === null && isSureToAsk) || isLocked ? 'system' : 'none'
  }
  const statusOf = (state: State): KeysStatus => {
    if (state.state === 'ready')
      return { state: 'ready', store: state.store.kind, unlock: unlockOf(state.store.kind), hasPin: settings.get().hasPin }
    return state.state === 'locked' ? { ...state, unlock: unlockOf(state.store) } : state
  }

  const pins = createPinCheck(stores.openKeychain, keyNames)
  const provedByText = async (text: string): Promise<Result<null, AppError>> => {
    const right = await pins.check(text)
    if (!right.ok || right.value === 'pin') return right.ok ? ok(null) : right
    // A recovery key stands in for what was forgotten, or cannot be asked any more; another way can be set then.
    return settings.update({ hasPin: false, ...(settings.get().asksSystem && { asksSystem: false }) })
  }
  const provedBySystem = async (): Promise<Result<null, AppError>> => {
    const answer = systemAuthentication === null ? 'unavailable' : await systemAuthentication.confirm()
    if (answer === 'confirmed') return ok(null)
    return err(answer === 'refused' ? keysErrors.notAuthenticated : keysErrors.systemUnavailable)
  }
  /** Whether the user proved who they are, where keys in the keychain are locked. `text`: a PIN or a recovery key. */
  const proved = async (text: string | undefined): Promise<Result<null, AppError>> => {
    const by = unlockOf('os')
    if (by === 'none') return ok(null)
    if (text !== undefined && text !== '') return provedByText(text)
    return by === 'system' ? provedBySystem() : err(keysErrors.pinMissing)
  }

  let latest = provisional()
  let current: Promise<State> = atStart().then((state) => {
    latest = state
    tell()
    return state
  })
  // Whoever asks first hears of a failure; until then nobody is listening.
  current.catch(() => undefined)
  /** Runs one change of the state after the other, so that two commands at once cannot open two stores. */
  const change = <T>(step: (state: State) => Promise<{ next: State; answer: T }>): Promise<T> => {
    const before = current
    const done = before.then(step)
    // A step that throws is a bug told to its caller; the state stays as it was.
    current = done.then(
      ({ next }) => next,
      () => before,
    )
    return done.then(async ({ next, answer }) => {
      const changed = (await before) !== next
      latest = next
      if (changed) tell()
      return answer
    })
  }
  const stays = <T>(state: State, answer: T) => ({ next: state, answer })

  const openStore = async (kind: 'os' | 'vault' | 'session', passphrase: string | undefined): Promise<Result<KeyStore, AppError>> => {
    if (kind === 'session') return ok(stores.openSession())
    if (kind === 'vault') {
      if (passphrase === undefined || passphrase === '') return err(keysErrors.passphraseMissing)
      return stores.openVault(passphrase)
    }
    const keychain = await stores.probeKeychain()
    return keychain === 'available' ? ok(stores.openKeychain()) : err(keysErrors.keychain[keychain])
  }

  /** Opens a store, moves keys of this session into it, and remembers the choice. */
  const take = async (
    state: State,
    kind: 'os' | 'vault' | 'session',
    passphrase: string | undefined,
  ): Promise<Result<KeyStore, AppError>> => {
    const opened = await openStore(kind, passphrase)
    if (!opened.ok) return opened
    const moved = state.state === 'ready' ? await moveKeys(state.store, opened.value, await keyNames()) : ok(null)
    // An unlock must not need a disk with room on it.
    const remembered = kind === 'session' || settings.get().keyStore === kind
    const kept = moved.ok && !remembered ? await settings.update({ keyStore: kind }) : moved
    if (!kept.ok) {
      opened.value.close()
      return kept
    }
    if (state.state === 'ready') state.store.close()
    return opened
  }

  /** Like `take`, where the user chose a new vault over one that cannot be read: that one is put aside, not deleted. */
  const takeAnew: typeof take = async (state, kind, passphrase) => {
    const taken = await take(state, kind, passphrase)
    if (taken.ok || taken.error.kind !== 'vault-damaged') return taken
    await stores.putVaultAside()
    return take(state, kind, passphrase)
  }

  const storeOf = (state: State): Result<KeyStore, AppError> => {
    if (state.state === 'ready') return ok(state.store)
    if (state.state === 'unchosen') return err(keysErrors.unchosen)
    return err(
      state.store === 'vault' || state.keychain === 'available' ? keysErrors.locked[state.store] : keysErrors.keychain[state.keychain],
    )
  }

  const taken = (state: State, opened: Result<KeyStore, AppError>) =>
    opened.ok ? { next: { state: 'ready' as const, store: opened.value }, answer: ok(null) } : stays(state, opened)

  return {
    async status() {
      await atMost(current, answerMs)
      return statusOf(latest)
    },
    store: async () => storeOf(await current),
    storeForNewKeys: () =>
      change<Result<KeyStore, AppError>>(async (state) => {
        if (state.state !== 'unchosen' || state.keychain !== 'available') return stays(state, storeOf(state))
        const opened = await take(state, 'os', undefined)
        return opened.ok ? { next: { state: 'ready', store: opened.value }, answer: opened } : stays(state, opened)
      }),
    choose: (kind, passphrase) =>
      change<Result<null, AppError>>(async (state) => {
        if (state.state === 'ready' && state.store.kind === 'session' && kind === 'session') return stays(state, ok(null))
        if (state.state === 'ready' && state.store.kind !== 'session') return stays(state, err(keysErrors.alreadyChosen))
        return taken(state, await takeAnew(state, kind, passphrase))
      }),
    unlock: ({ passphrase, pin }) =>
      change<Result<null, AppError>>(async (state) => {
        if (state.state === 'ready') return stays(state, ok(null))
        if (state.state === 'unchosen') return stays(state, err(keysErrors.unchosen))
        const proof = state.store === 'os' ? await proved(pin) : ok(null)
        if (!proof.ok) return stays(state, proof)
        const opened = await take(state, state.store, passphrase)
        if (opened.ok && settings.get().isLocked) await settings.update({ isLocked: false })
        return taken(state, opened)
      }),
    lock: (by) =>
      change<Result<null, AppError>>(async (state) => {
        if (state.state !== 'ready') return stays(state, ok(null))
        const { kind } = state.store
        if (kind === 'session' || unlockOf(kind) === 'none') return stays(state, err(keysErrors.cannotLock))
        // A disk that is full must not keep Holdfast open: then only a new start would unlock it.
        if (kind === 'os') await settings.update({ isLocked: true })
        state.store.close()
        return { next: { state: 'locked', store: kind, keychain: 'available', by }, answer: ok(null) }
      }),
    setPin: (pin, current) =>
      change<Result<null, AppError>>(async (state) => {
        const store = storeOf(state)
        if (!store.ok || state.state !== 'ready') return stays(state, store.ok ? ok(null) : store)
        if (state.store.kind !== 'os') return stays(state, err(keysErrors.pinElsewhere))
        const { hasPin } = settings.get()
        if (hasPin && !current) return stays(state, err(keysErrors.pinMissing))
        const proof = await proved(hasPin ? current : undefined)
        if (!proof.ok) return stays(state, proof)
        const set = await pins.set(state.store, pin)
        // Another object: what can be locked changed, and the page is told.
        return { next: { ...state }, answer: set.ok ? await settings.update({ hasPin: pin !== null }) : set }
      }),
    async systemAuthentication() {
      if (systemAuthentication === null) return null
      const isOn = settings.get().asksSystem ?? isSureToAsk
      return isOn || (await systemAuthentication.isAvailable()) ? { kind: systemAuthentication.kind, isOn } : null
    },
    useSystem: (on) =>
      change<Result<null, AppError>>(async (state) => {
        const store = storeOf(state)
        if (!store.ok || state.state !== 'ready') return stays(state, store.ok ? ok(null) : store)
        if (state.store.kind !== 'os') return stays(state, err(keysErrors.pinElsewhere))
        const proof = await provedBySystem()
        if (!proof.ok) return stays(state, proof)
        return { next: { ...state }, answer: await settings.update({ asksSystem: on }) }
      }),
    changePassphrase: (current, next) =>
      change<Result<null, AppError>>(async (state) => {
        if (state.state !== 'ready' || !isVault(state.store)) return stays(state, err(keysErrors.noVault))
        const changed = await state.store.changePassphrase(current, next)
        if (changed.ok) await stores.deleteOldVaults()
        return stays(state, changed)
      }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () =>
      change(async (state) => {
        listeners.clear()
        if (state.state === 'ready') state.store.close()
        return stays(state, undefined)
      }),
  }
}

const isVault = (store: KeyStore): store is VaultFile => store.kind === 'vault'
