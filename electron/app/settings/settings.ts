import type { Result } from '../../bridge/result.ts'
import type { Place, SettingsRow } from '../../bridge/rows.ts'

/** The settings kept between starts. Never a secret. */
export interface SettingsData extends SettingsRow {
  /** Where keys are kept; null until chosen. A session store is never remembered. */
  keyStore: 'os' | 'vault' | null
  /** Keys in the system's keychain are opened by a PIN, at every start. Its check is in the keychain. */
  hasPin: boolean
  /** Keys in the system's keychain are opened by the system's authentication; null: where it is sure to work (Touch ID), and no PIN is set. */
  asksSystem: boolean | null
  /** Keys in the system's keychain were locked when Holdfast ended: a new start does not unlock them. */
  isLocked: boolean
  /** Where the user was last. */
  place: Place | null
}

/** The one file `settings.json`. */
export interface Settings {
  get(): SettingsData
  /** Merges `patch` and writes the file; when it says ok, the change is on the disk. */
  update(patch: Partial<SettingsData>): Promise<Result<null>>
  /** Calls `listener` after every update that came to the disk, until the returned function is called. */
  onChange(listener: () => void): () => void
}
