import type { SystemAuthentication } from '../app-deps.ts'
import type { KeysManager } from './keys-manager.ts'
import { changePassphrase, choose, lock, openForNewKeys, setPin, unlock, useSystem } from './keys-steps.ts'
import { provisionalState, stateAtStart, statusOf, storeOf, type KeysState } from './keys-state.ts'
import { createPinCheck } from './pin-check.ts'
import type { TakeDeps } from './take-store.ts'
import { createUnlockProof } from './unlock-proof.ts'
import { atMost } from '../settings/at-most.ts'

export interface KeysManagerDeps extends TakeDeps {
  systemAuthentication: SystemAuthentication | null
}

/** How long the status waits for a keychain, which may be asking the user. Then it returns the state known so far. */
const answerMs = 1500

/**
 * Opens the key store that the settings name: the OS keychain if it answers. A vault stays locked until its passphrase is entered. Never
 * waits for the keychain, which may be asking the user; the functions of the manager do.
 */
export const openKeysManager = (given: KeysManagerDeps): KeysManager => {
  const pins = createPinCheck(given.stores.openKeychain, given.keyNames)
  const proof = createUnlockProof(given.settings, pins, given.systemAuthentication)
  const deps = { ...given, pins, proof }
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }

  let latest = provisionalState(deps)
  let current: Promise<KeysState> = stateAtStart(deps, proof).then((state) => {
    latest = state
    tell()
    return state
  })
  // The first caller gets the failure. Until then nothing else handles it.
  current.catch(() => undefined)
  /** Runs changes of the state one at a time, so that two commands can't open two stores. */
  const change = <T>(step: (state: KeysState) => Promise<{ next: KeysState; answer: T }>): Promise<T> => {
    const before = current
    const done = before.then(step)
    // A step that throws leaves the state as it was; its caller reports the bug.
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

  return {
    async status() {
      await atMost(current, answerMs)
      return statusOf(latest, proof, given.settings.get())
    },
    store: async () => storeOf(await current),
    storeForNewKeys: () => change((state) => openForNewKeys(deps, state)),
    choose: (kind, passphrase) => change((state) => choose(deps, state, kind, passphrase)),
    unlock: (keys) => change((state) => unlock(deps, state, keys)),
    lock: (by) => change((state) => lock(deps, state, by)),
    setPin: (pin, currentPin) => change((state) => setPin(deps, state, pin, currentPin)),
    systemAuthentication: proof.systemRow,
    useSystem: (on) => change((state) => useSystem(deps, state, on)),
    changePassphrase: (currentOne, next) => change((state) => changePassphrase(deps, state, currentOne, next)),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () =>
      change(async (state) => {
        listeners.clear()
        if (state.state === 'ready') state.store.close()
        return { next: state, answer: undefined }
      }),
  }
}
