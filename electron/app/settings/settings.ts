import type { Result } from '../../bridge/result.ts'
import type { Place, SettingsRow } from '../../bridge/rows.ts'

/** The settings kept between starts. Never a secret. */
export interface SettingsData extends SettingsRow {
  /** Where keys are kept; null until chosen. A session store is never remembered. */
  keyStore: 'os' | 'vault' | null
  /** Keys in the system's keychain are unlocked by a PIN, at every start. The keychain holds its hash. */
  hasPin: boolean
  /**
   * Keys in the system's keychain are unlocked by the system's authentication; null: only where it is sure to work (Touch ID) and no PIN is
   * set.
   */
  asksSystem: boolean | null
  /** Keys in the system's keychain were locked when Holdfast exited: a restart does not unlock them. */
  isLocked: boolean
  /** Where the user was last. */
  place: Place | null
}

/** The one file `settings.json`. */
export interface Settings {
  get(): SettingsData
  /** Merges `patch` and writes the file; an ok means that it is on disk. */
  update(patch: Partial<SettingsData>): Promise<Result<null>>
  /** Calls `listener` after every update that reached the disk, until the returned function is called. */
  onChange(listener: () => void): () => void
}
