import type { Result } from '../../bridge/result.ts'
import type { Place, SettingsRow } from '../../bridge/rows.ts'

/** The settings kept between starts. Never a secret. */
export interface SettingsData extends SettingsRow {
  /** The chosen key store; null: none yet. A session store is not saved. */
  keyStore: 'os' | 'vault' | null
  /** Whether a PIN unlocks the keys in the system's keychain, at every start. The keychain has the hash of the PIN. */
  hasPin: boolean
  /** The name of the PIN’s entry in the keychain. Each PIN has its own: one whose change fails, or comes late, replaces no other. */
  pinEntry: string
  /**
   * Whether the system's authentication unlocks the keys in the system's keychain; null: only if it is sure to work (Touch ID) and no PIN
   * is set.
   */
  asksSystem: boolean | null
  /** Whether the keys in the system's keychain were locked when Holdfast exited. A restart does not unlock them. */
  isLocked: boolean
  /** The screen that the user saw last. */
  place: Place | null
}

/** The one file `settings.json`. */
export interface Settings {
  get(): SettingsData
  /** Merges `patch` and writes the file. ok: it is on disk. */
  update(patch: Partial<SettingsData>): Promise<Result<null>>
  /** Calls `listener` after every update that reached the disk, until the returned function is called. */
  onChange(listener: () => void): () => void
}
