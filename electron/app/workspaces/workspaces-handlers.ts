import { ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { renameWorkspace } from './rename-workspace.ts'

type WorkspacesHandlers = Pick<
  Handlers,
  | 'workspaces.list'
  | 'workspaces.look-around'
  | 'workspaces.start-local'
  | 'workspaces.probe'
  | 'workspaces.connect'
  | 'workspaces.supply-keys'
  | 'workspaces.rename'
  | 'workspaces.remove'
>

export const workspacesHandlers = ({ workspaces, emit }: AppContext): WorkspacesHandlers => ({
  'workspaces.list': async () => ok(await workspaces.list()),
  'workspaces.look-around': () => workspaces.lookAround(),
  'workspaces.start-local': (args) => workspaces.startLocal(args),
  'workspaces.probe': (args) => workspaces.probe(args),
  'workspaces.connect': (args) => workspaces.connect(args),
  'workspaces.supply-keys': (args) => workspaces.supplyKeys(args),
  async 'workspaces.rename'({ workspaceId, name }) {
    const session = await workspaces.session(workspaceId)
    if (!session.ok) return session
    const renamed = await renameWorkspace(session.value, name)
    if (renamed.ok) emit({ push: 'changed', workspaceId, tables: ['workspaces'] })
    return renamed
  },
  'workspaces.remove': (args) => workspaces.remove(args),
})
