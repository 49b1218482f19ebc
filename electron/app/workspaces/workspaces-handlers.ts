import { displayNameProblem } from '../../../service/protocol/names.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { setState } from '../../mirror/workspace-state.ts'
import type { AppContext } from '../app-context.ts'
import { invalid } from '../edits/refusals.ts'
import type { Handlers } from '../handlers.ts'
import { ownRemote } from './own-remote.ts'
import { isNotOffered, remoteAppError } from './remote-app-error.ts'
import type { WorkspaceSession } from './workspace-session.ts'

type WorkspacesHandlers = Pick<
  Handlers,
  | 'workspaces.list'
  | 'workspaces.look-around'
  | 'workspaces.start-local'
  | 'workspaces.probe'
  | 'workspaces.connect'
  | 'workspaces.move'
  | 'workspaces.supply-keys'
  | 'workspaces.rename'
  | 'workspaces.remove'
>

export const workspacesHandlers = ({ workspaces, jobs, emit }: AppContext): WorkspacesHandlers => ({
  'workspaces.list': async () => ok(await workspaces.list()),
  'workspaces.look-around': () => workspaces.lookAround(),
  'workspaces.start-local': (args) => workspaces.startLocal(args),
  // Jobs, because typed keys must not wait in memory for a service when Holdfast is locked.
  'workspaces.probe': (args) => jobs.run(undefined, ({ signal }) => workspaces.probe(args, signal)),
  'workspaces.connect': (args) => jobs.run(undefined, ({ signal }) => workspaces.connect(args, signal)),
  'workspaces.move': (args) => jobs.run(undefined, ({ signal }) => workspaces.move(args, signal)),
  'workspaces.supply-keys': (args) => jobs.run(undefined, ({ signal }) => workspaces.supplyKeys(args, signal)),
  async 'workspaces.rename'({ workspaceId, name }) {
    const session = await workspaces.session(workspaceId)
    if (!session.ok) return session
    const renamed = await renameWorkspace(session.value, name)
    if (renamed.ok) emit({ push: 'changed', workspaceId, tables: ['workspaces'] })
    return renamed
  },
  'workspaces.remove': (args) => workspaces.remove(args),
})

/**
 * Renames a workspace on its service and here. If the service can't rename workspaces, only here. Errors: `invalid-input`, and those of the
 * request.
 */
async function renameWorkspace(session: WorkspaceSession, name: string): Promise<Result<{ where: 'service' | 'computer' }>> {
  const problem = displayNameProblem(name)
  if (problem !== null) return invalid('name', problem)
  const remote = await ownRemote(session)
  if (!remote.ok) return remote
  const renamed = await remote.value.renameWorkspace(name)
  if (!renamed.ok && !isNotOffered(renamed.error)) return err(remoteAppError(renamed.error))
  session.mirror.write((tx) => setState(tx, 'name', name))
  return ok({ where: renamed.ok ? 'service' : 'computer' })
}
