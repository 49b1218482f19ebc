import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { SystemAuthenticationRow, UnlockBy } from '../../bridge/rows.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { SystemAuthentication } from '../app-deps.ts'
import type { Settings } from '../settings/settings.ts'
import { keysErrors } from './keys-errors.ts'
import type { PinCheck } from './pin-check.ts'

/** How the user proves who they are before keys are unlocked. */
export interface UnlockProof {
  /** Finds out whether the system's authentication can be used. Until then it counts as unreliable. */
  probeSystem(): Promise<void>
  /** Returns how the keys of a store are unlocked. */
  unlockOf(store: KeyStore['kind']): UnlockBy
  /** Asks the user to prove who they are, for locked keys in the OS keychain. `text`: a PIN or a recovery key. */
  prove(text: string | undefined): Promise<Result<null, AppError>>
  proveBySystem(): Promise<Result<null, AppError>>
  /** See `systemAuthentication` of KeysManager. */
  systemRow(): Promise<SystemAuthenticationRow | null>
}

export function createUnlockProof(settings: Settings, pins: PinCheck, system: SystemAuthentication | null): UnlockProof {
  /** Whether the system's authentication is available and reliable without a first try. */
  let isSureToAsk = false

  const unlockOf = (store: KeyStore['kind']): UnlockBy => {
    if (store === 'vault') return 'passphrase'
    if (store === 'session') return 'none'
    const { asksSystem, hasPin, isLocked } = settings.get()
    if (asksSystem === true) return 'system'
    if (hasPin) return 'pin'
    // Locked keys stay locked even if the system can no longer ask: a closed lid must not unlock Holdfast.
    return (asksSystem === null && isSureToAsk) || isLocked ? 'system' : 'none'
  }
  const proveByText = async (text: string): Promise<Result<null, AppError>> => {
    const right = await pins.check(text)
    if (!right.ok || right.value === 'pin') return right.ok ? ok(null) : right
    // A recovery key turns off a forgotten PIN, or an authentication that doesn't work. The user can set up either again. If the disk is
    // full, this fails, and the key unlocks all the same.
    await settings.update({ hasPin: false, ...(settings.get().asksSystem && { asksSystem: false }) })
    return ok(null)
  }
  const proveBySystem = async (): Promise<Result<null, AppError>> => {
    const answer = system === null ? 'unavailable' : await system.confirm()
    if (answer === 'confirmed') return ok(null)
    return err(answer === 'refused' ? keysErrors.notAuthenticated : keysErrors.systemUnavailable)
  }

  return {
    async probeSystem() {
      isSureToAsk = system?.isReliable === true && (await system.isAvailable())
    },
    unlockOf,
    async prove(text) {
      const by = unlockOf('os')
      if (by === 'none') return ok(null)
      if (text !== undefined && text !== '') return proveByText(text)
      return by === 'system' ? proveBySystem() : err(keysErrors.pinMissing)
    },
    proveBySystem,
    async systemRow() {
      if (system === null) return null
      const isOn = settings.get().asksSystem ?? isSureToAsk
      return isOn || (await system.isAvailable()) ? { kind: system.kind, isOn } : null
    },
  }
}
