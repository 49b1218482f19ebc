import { err, ok, type Result } from '../../bridge/result.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { ownRemote } from '../workspaces/own-remote.ts'
import { isNotOffered, remoteAppError } from '../workspaces/remote-app-error.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

/** Whether the service of a workspace keeps deleted projects and environments. */
export const keepsDeleted = ({ mirror, remote }: WorkspaceSession): boolean =>
  (remote?.profile() ?? mirror.snapshot(readProfile))?.kind === 'full'

/**
 * Restores a project or environment on the service with everything in it, and syncs. Unsent changes in it become changes of its records
 * again. False: the service no longer keeps it, so it must be created again from the mirror.
 */
export async function restoreOnService(session: WorkspaceSession, remoteId: string): Promise<Result<boolean>> {
  const remote = await ownRemote(session)
  if (!remote.ok) return remote
  const restored = await remote.value.restoreDeleted(remoteId, undefined)
  if (!restored.ok && !isNotOffered(restored.error)) return err(remoteAppError(restored.error))
  await session.engine?.syncNow()
  return ok(restored.ok)
}
