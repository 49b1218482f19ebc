import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { LockedBy } from '../../bridge/rows.ts'
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

const forget = (): void => {}

/** How long the status waits for a keychain, which may be asking the user. Then it returns the state known so far. */
const answerMs = 1500

/**
 * Opens the key store that the settings name: the OS keychain if it answers. A vault stays locked until its passphrase is entered. Never
 * waits for the keychain, which may be asking the user; the functions of the manager do.
 */
export const openKeysManager = (given: KeysManagerDeps): KeysManager => {
  const pins = createPinCheck(given.stores.openKeychain, given.keyNames, () => given.settings.get().pinEntry)
  const proof = createUnlockProof(given.settings, pins, given.systemAuthentication)
  const deps = { ...given, pins, proof }
  const listeners = new Set<() => void>()
  let latest = provisionalState(deps)
  const become = (next: KeysState): void => {
    if (next === latest) return
    latest = next
    for (const listener of listeners) listener()
  }

  let lastLock: { by: LockedBy } | null = null
  let last: Promise<unknown> = Promise.resolve()
  /** Runs changes of the state one at a time, so that two commands can't open two stores. */
  const change = <T>(step: (state: KeysState) => Promise<{ next: KeysState; answer: T }>): Promise<T> => {
    const done = last.then(async () => {
      const lockBefore = lastLock
      const stepped = await step(latest)
      // The step may have waited for the user. Keys that were locked meanwhile must not be open after it.
      if (lastLock === null || lastLock === lockBefore) become(stepped.next)
      else await lockNow(stepped.next, lastLock.by)
      return stepped.answer
    })
    // A step that throws leaves the state as it was; its caller reports the bug. Answers are dropped: one may have a key.
    last = done.then(forget, forget)
    return done
  }
  /** Locks without waiting for a step under way: the user may be asked something, and not be there to answer. */
  const lockNow = async (state: KeysState, by: LockedBy): Promise<Result<null, AppError>> => {
    const { next, answer } = lock(deps, state, by)
    if (answer.ok) lastLock = { by }
    become(next)
    // If the disk is full, this fails, and a restart unlocks the keys again.
    if (next !== state && next.state === 'locked' && next.store === 'os') await given.settings.update({ isLocked: true })
    return answer
  }

  const started = change(async () => ({ next: await stateAtStart(deps, proof), answer: null }))
  // The first caller gets the failure. Until then nothing else handles it.
  started.catch(forget)

  return {
    async status() {
      await atMost(started, answerMs)
      return statusOf(latest, proof, given.settings.get())
    },
    async store() {
      await started
      return storeOf(latest)
    },
    storeForNewKeys: () => change((state) => openForNewKeys(deps, state)),
    choose: (kind, passphrase) => change((state) => choose(deps, state, kind, passphrase)),
    unlock: (keys) => change((state) => unlock(deps, state, keys)),
    lock(by) {
      const locked = lockNow(latest, by)
      // An unlock that follows saves after this.
      last = Promise.all([last, locked]).then(forget, forget)
      return locked
    },
    setPin: (pin, currentPin) => change((state) => setPin(deps, state, pin, currentPin)),
    systemAuthentication: proof.systemRow,
    useSystem: (on) => change((state) => useSystem(deps, state, on)),
    changePassphrase: (currentOne, next) => change((state) => changePassphrase(state, currentOne, next)),
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
