import type { AppDeps } from '../app-deps.ts'
import type { KeysManager } from '../keys/keys-manager.ts'
import type { WorkspaceManager } from '../workspaces/workspace-manager.ts'

/** Locks the keys when nobody was there for a while: only where they can be unlocked again, for those of a session are gone when it ends. */
export async function lockKeys(
  keys: Pick<KeysManager, 'status' | 'lock'>,
  workspaces: Pick<WorkspaceManager, 'refreshKeys'>,
  log: AppDeps['log'],
): Promise<void> {
  try {
    const status = await keys.status()
    if (status.state !== 'ready' || status.store === 'session') return
    await keys.lock()
    await workspaces.refreshKeys()
  } catch (error) {
    log('error', 'The keys could not be locked', { name: error instanceof Error ? error.name : typeof error })
  }
}
