import type { AppDeps } from '../app-deps.ts'
import type { KeyStores } from '../keys/key-stores.ts'
import type { KeysManager } from '../keys/keys-manager.ts'
import type { Sessions } from './sessions.ts'
import type { WorkspaceFolders } from './workspace-folders.ts'

export interface WorkspacesContext {
  readonly app: AppDeps
  readonly keys: KeysManager
  readonly stores: KeyStores
  readonly folders: WorkspaceFolders
  readonly sessions: Sessions
  newId(): string
}
