import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { RemoteWorkspace } from '../../remote/records.ts'
import type { Remote } from '../../remote/remote.ts'
import { remoteAppError } from './remote-app-error.ts'
import type { WorkspaceSession } from './workspace-session.ts'

/**
 * Returns the client of the service, after checking that the API key opens this workspace. With a key of another workspace, none of our
 * records would seem to exist. Errors: why the session has no client, `wrong-workspace`, and those of the request.
 */
export async function ownRemote({
  info,
  remote,
  engineProblem,
}: Pick<WorkspaceSession, 'info' | 'remote' | 'engineProblem'>): Promise<Result<Remote>> {
  if (remote === null) return err(engineProblem ?? { kind: 'offline', message: 'Not connected to the service. Connect, then try again.' })
  const workspace = await remote.getWorkspace()
  if (!workspace.ok) return err(remoteAppError(workspace.error))
  return workspace.value.id === info.remoteId ? ok(remote) : err(wrongWorkspace(workspace.value))
}

export const wrongWorkspace = ({ name }: RemoteWorkspace): AppError => ({
  kind: 'wrong-workspace',
  message: `This API key belongs to the workspace “${name}”. Nothing was changed. Enter a key for this workspace.`,
})
