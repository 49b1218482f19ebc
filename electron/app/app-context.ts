import type { Push } from '../bridge/contract.ts'
import type { AppDeps } from './app-deps.ts'
import type { Jobs } from './jobs.ts'
import type { OpenPages } from './drafts/open-pages.ts'
import type { KeysManager } from './keys/keys-manager.ts'
import type { Settings } from './settings/settings.ts'
import type { UndoMemory } from './undo/undo-memory.ts'
import type { WorkspaceManager } from './workspaces/workspace-manager.ts'

/** The argument of every slice of handlers: `projectsHandlers(context)`. */
export interface AppContext {
  readonly deps: AppDeps
  readonly settings: Settings
  readonly keys: KeysManager
  readonly workspaces: WorkspaceManager
  readonly undo: UndoMemory
  /** Long work that a lock and the end of Holdfast cancel. */
  readonly jobs: Jobs
  readonly pages: OpenPages
  /** A new local id: UUIDv7. */
  newId(): string
  /** Tells the page. All pushes of one tick arrive as one push per workspace. */
  emit(push: Push): void
}
