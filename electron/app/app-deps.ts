import type { Result } from '../bridge/result.ts'
import type { NetworkRow } from '../bridge/rows.ts'

/** A service child under our control: the embedded service. */
export interface ServiceChild {
  /** Base URL on loopback. */
  url: string
  workspaceId: string
  /** Only at bootstrap of a new data folder. */
  apiKey: string | null
  /** Resolves when the process has ended, however it ended. */
  readonly exited: Promise<void>
  stop(): Promise<void>
}

/** The clipboard of the computer. */
export interface ClipboardPort {
  readText(): Promise<string>
  clear(): void
}

/**
 * What a shell (Electron's main process or the browser host) hands to `createApp`. Everything the
 * application cannot do itself in both shells, and nothing else.
 */
export interface AppDeps {
  shell: 'electron' | 'browser'
  version: string
  platform: string
  /** Folder that holds everything of this Holdfast. Created if absent. */
  dataDir: string
  /**
   * Starts `service/main.ts` as a child on a random loopback port with its data in `dir`.
   * `extraArgs` are passed on (for example `--mint-key`). Rejects with an Error whose message says why.
   */
  startService(dir: string, extraArgs: readonly string[]): Promise<ServiceChild>
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
  /** Absent where the page's own clipboard is the only one, as in a browser. */
  clipboard?: ClipboardPort
}
