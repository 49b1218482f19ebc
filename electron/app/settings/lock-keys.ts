import type { AppDeps } from '../app-deps.ts'
import type { LockedBy } from '../../bridge/rows.ts'
import type { KeysManager } from '../keys/keys-manager.ts'
import type { WorkspaceManager } from '../workspaces/workspace-manager.ts'

/**
 * Locks the keys, unless unlocking would need no proof. Drops everything that the page and the application have read with them. Never
 * rejects.
 */
export async function lockKeys(
  keys: Pick<KeysManager, 'lock'>,
  workspaces: Pick<WorkspaceManager, 'refreshKeys'>,
  by: LockedBy,
  log: AppDeps['log'],
): Promise<void> {
  try {
    const locked = await keys.lock(by)
    if (locked.ok) await workspaces.refreshKeys()
  } catch (error) {
    log('error', 'The keys could not be locked', { name: error instanceof Error ? error.name : typeof error })
  }
}
