import type { Result } from '../bridge/result.ts'
import type { NetworkRow } from '../bridge/rows.ts'

/** The clipboard of the computer. */
export interface ClipboardPort {
  readText(): Promise<string>
  /** Puts a text there that clipboard histories leave out; false where this cannot be done. */
  writeConfidential(text: string): Promise<boolean>
  clear(): void
}

/** The system's own question whether its user is there. No function rejects. */
export interface SystemAuthentication {
  kind: 'touch-id' | 'windows-hello' | 'polkit'
  /** True where `isAvailable` is sure that the user can answer. Elsewhere only a confirmation shows it. */
  isReliable: boolean
  isAvailable(): Promise<boolean>
  /** Waits for the user. refused: it was not they, or they said no. unavailable: nobody could be asked. */
  confirm(): Promise<'confirmed' | 'refused' | 'unavailable'>
}

/**
 * The dependencies that a shell (Electron's main process or the browser host) passes to `createApp`. Everything the
 * application cannot do itself in both shells, and nothing else.
 */
export interface AppDeps {
  shell: 'electron' | 'browser'
  version: string
  platform: string
  /** Folder that holds everything of this Holdfast. Created if absent. */
  dataDir: string
  /** Never called with a value, a key or a name of a variable. */
  log(level: 'info' | 'warn' | 'error', message: string, data?: Record<string, unknown>): void
  /** Milliseconds since the epoch. */
  now(): number
  /** `length` random bytes from the system. */
  randomBytes(length: number): Uint8Array
  /** Goes through the proxy and trusts the certificates that `network` tells of. */
  fetch: typeof fetch
  network: NetworkRow
  /** Shows a folder in the file manager; the error says why it did not. Absent where there is no such thing, as for a browser. */
  openFolder?(folder: string): Promise<Result<null, string>>
  /**
   * Asks the user where to save a file of the proposed name, and writes it there readable by this user alone. ok(false): they thought better
   * of it. Absent where there is no window of ours to ask in.
   */
  saveFile?(name: string, text: string): Promise<Result<boolean, string>>
  /** Absent where Holdfast knows no way to ask the system, as in the browser host. */
  systemAuthentication?: SystemAuthentication
  /** Absent where the page's own clipboard is the only one, as in a browser. */
  clipboard?: ClipboardPort
}
