import { err, ok, type Result } from '../../bridge/result.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import { isChange, type Change } from '../../queue/entry.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { remoteAppError } from '../workspaces/remote-app-error.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

/** The remote id of a project or environment that others deleted, if the service can restore it; else null. */
export function restorableBy({ mirror, remote }: WorkspaceSession, changeId: string): string | null {
  return mirror.snapshot((tx) => {
    const entry = getEntry(tx, changeId)
    if (entry === null || !isChange(entry) || !isDeletedParent(entry)) return null
    const profile = remote?.profile() ?? readProfile(tx)
    return profile?.kind === 'full' ? (entry.conflict?.remoteId ?? null) : null
  })
}

/** Whether a change would create a project or environment again that others deleted. */
export const isDeletedParent = ({ rowKind, kind, conflict }: Change): boolean =>
  rowKind !== 'variable' && kind === 'create' && conflict?.kind === 'deleted-remotely'

/**
 * Restores a project or environment on the service with everything that was in it, and syncs: unsent changes in it are changes of its records
 * again. False: the service no longer has it, and it has to be created again from what is here.
 */
export async function restoreParent(session: WorkspaceSession, remoteId: string): Promise<Result<boolean>> {
  if (session.remote === null)
    return err(session.engineProblem ?? { kind: 'offline', message: 'Connect to restore it with everything that was in it.' })
  const restored = await session.remote.restoreDeleted(remoteId, undefined)
  if (!restored.ok && restored.error.kind !== 'missing' && restored.error.kind !== 'no-route') return err(remoteAppError(restored.error))
  await session.engine?.syncNow()
  return ok(restored.ok)
}
