import { openKeysManager } from '../../electron/app/keys/open-keys-manager.ts'
import { apiKeyName, workspaceKeyName } from '../../electron/app/keys/key-names.ts'
import type { KeyStores } from '../../electron/app/keys/key-stores.ts'
import type { SystemAuthentication } from '../../electron/app/app-deps.ts'
import type { KeysManager } from '../../electron/app/keys/keys-manager.ts'
import type { Settings } from '../../electron/app/settings/settings.ts'
import { ok } from '../../electron/bridge/result.ts'
import type { KeyStore } from '../../electron/keychain/key-store.ts'
import { formatWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import { workspaceId } from '../support/desk.ts'

const alwaysThere: SystemAuthentication = {
  kind: 'touch-id',
  isReliable: true,
  isAvailable: async () => true,
  confirm: async () => 'confirmed',
}

/** A key of the service that opens another workspace of it, and one that opens none. */
export const keyOfElsewhere = 'hf_elsewhere'
export const badKey = 'hf_not-a-key'

/** The keychain of one computer, which outlives every Holdfast on it, may refuse for a while, and may forget. */
export class KeyRing {
  readonly #secrets = new Map<string, string>()
  readonly #workspaceKey: string
  readonly #apiKey: string
  /** Its owner does not let anybody in now. */
  isRefusing = false

  constructor(key: Uint8Array, apiKey: string) {
    this.#workspaceKey = formatWorkspaceKey(key)
    this.#apiKey = apiKey
    this.fill()
  }

  /** Holds what it should, and gives it. */
  fill(): void {
    this.isRefusing = false
    this.#secrets.set(workspaceKeyName(workspaceId), this.#workspaceKey)
    this.#secrets.set(apiKeyName(workspaceId), this.#apiKey)
  }

  set apiKey(key: string) {
    this.#secrets.set(apiKeyName(workspaceId), key)
  }

  get workspaceKey(): string {
    return this.#workspaceKey
  }

  get goodApiKey(): string {
    return this.#apiKey
  }

  forget(what: 'api-key' | 'workspace-key'): void {
    this.#secrets.delete((what === 'api-key' ? apiKeyName : workspaceKeyName)(workspaceId))
  }

  /** The keys of a Holdfast that starts on this computer. */
  open(): KeysManager {
    const settings = { get: () => ({ keyStore: 'os', asksSystem: true }), update: async () => ok(null) } as unknown as Settings
    return openKeysManager({ stores: this.#stores(), settings, systemAuthentication: alwaysThere, keyNames: async () => [] })
  }

  #stores(): KeyStores {
    const none = () => {
      throw new Error('There is a keychain here, and nothing else was chosen.')
    }
    return {
      probeKeychain: async () => (this.isRefusing ? 'cancelled' : 'available'),
      openKeychain: () => this.#store(),
      keychainAnswered: async () => undefined,
      vaultExists: () => false,
      openVault: none,
      createVault: none,
      openSession: none,
    }
  }

  #store(): KeyStore {
    return {
      kind: 'os',
      get: async (name) => ok(this.#secrets.get(name) ?? null),
      set: async (name, secret) => {
        this.#secrets.set(name, secret)
        return ok(null)
      },
      delete: async (name) => {
        this.#secrets.delete(name)
        return ok(null)
      },
      close: () => undefined,
    }
  }
}
