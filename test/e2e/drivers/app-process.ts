import type { ElectronApplication, Page } from '@playwright/test'
import type { Workspace } from './make-workspace.ts'

export interface StartOptions {
  dataDir: string
  /** `none`: no keychain can be reached. A bus address: the keychain behind it. */
  keychain: 'none' | { busAddress: string }
  /** Environment variables beside those of the test. */
  env?: Readonly<Record<string, string>>
  /** In a process of its own also where the worker's would do: it is killed, or the process is what is tested. Electron always has one. */
  ownProcess?: boolean
  /** Leaves a window as large as it opens itself. */
  keepsSize?: boolean
  /** Made in it before its window shows anything; none: it begins on its first screen. */
  workspace?: Workspace | undefined
}

/** One running Holdfast, whichever shell it runs in. */
export interface AppProcess {
  page: Page
  /** The shell itself; null where it is a browser. */
  electron: ElectronApplication | null
  /** The key of the workspace that was made in it; null: none was, or it has the key of another one. */
  workspaceKey: string | null
  /** Quits the way a user does, and waits for the end of every process of it. */
  quit(): Promise<void>
  /** Ends it without warning, as a crash or a power cut does. */
  kill(): Promise<void>
  /** All it wrote to stdout and stderr. */
  output(): string
}
