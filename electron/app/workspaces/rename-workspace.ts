import { displayNameProblem } from '../../../service/protocol/names.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { setState } from '../../mirror/workspace-state.ts'
import { invalid } from '../edits/refusals.ts'
import { ownRemote } from './own-remote.ts'
import { isNotOffered, remoteAppError } from './remote-app-error.ts'
import type { WorkspaceSession } from './workspace-session.ts'

/**
 * Renames a workspace on its service and here. If the service can't rename workspaces, only here. Errors: `invalid-input`, and those of the
 * request.
 */
export async function renameWorkspace(session: WorkspaceSession, name: string): Promise<Result<{ where: 'service' | 'computer' }>> {
  const problem = displayNameProblem(name)
  if (problem !== null) return invalid('name', problem)
  const remote = await ownRemote(session)
  if (!remote.ok) return remote
  const renamed = await remote.value.renameWorkspace(name)
  if (!renamed.ok && !isNotOffered(renamed.error)) return err(remoteAppError(renamed.error))
  session.mirror.write((tx) => setState(tx, 'name', name))
  return ok({ where: renamed.ok ? 'service' : 'computer' })
}
