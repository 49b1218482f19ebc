import type { Result } from '../bridge/result.ts'
import type { NetworkRow } from '../bridge/rows.ts'

export interface ClipboardPort {
  readText(): Promise<string>
  /** Writes a text and asks clipboard histories to leave it out; false: the system can't do that. */
  writeConfidential(text: string): Promise<boolean>
  clear(): void
}

/** The system's authentication (Touch ID, Windows Hello, polkit). No function rejects. */
export interface SystemAuthentication {
  kind: 'touch-id' | 'windows-hello' | 'polkit'
  /** Whether `isAvailable` can be trusted. If not, only a successful `confirm` shows that the user can answer. */
  isReliable: boolean
  isAvailable(): Promise<boolean>
  /** Waits for the user. refused: the user said no, or it was another person. unavailable: the system could not ask. */
  confirm(): Promise<'confirmed' | 'refused' | 'unavailable'>
}

/**
 * The dependencies that a shell (Electron's main process or the browser host) passes to `createApp`. They cover everything that the
 * application can't do by itself in both shells.
 */
export interface AppDeps {
  shell: 'electron' | 'browser'
  version: string
  platform: string
  /** The folder with all data of this Holdfast. Created if missing. */
  dataDir: string
  /** Never called with a value, a key or a name of a variable. */
  log(level: 'info' | 'warn' | 'error', message: string, data?: Record<string, unknown>): void
  /** Milliseconds since the epoch. */
  now(): number
  randomBytes(length: number): Uint8Array
  /** Uses the proxy and the certificates that `network` describes. */
  fetch: typeof fetch
  network: NetworkRow
  /** Shows a folder in the file manager; the error says why it could not. Missing if there is no file manager, as for a browser. */
  openFolder?(folder: string): Promise<Result<null, string>>
  /** Asks the user where to save a file, and proposes its name. Null: the user cancelled. Missing if there is no window to ask in. */
  askWhereToSave?(name: string): Promise<string | null>
  /** Missing if Holdfast has no way to ask the system, as in the browser host. */
  systemAuthentication?: SystemAuthentication
  /** Missing if the page has the only clipboard, as in a browser. */
  clipboard?: ClipboardPort
}
