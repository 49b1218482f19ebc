import { ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'

type WorkspacesHandlers = Pick<
  Handlers,
  | 'workspaces.list'
  | 'workspaces.look-around'
  | 'workspaces.start-local'
  | 'workspaces.probe'
  | 'workspaces.connect'
  | 'workspaces.supply-keys'
  | 'workspaces.remove'
>

export const workspacesHandlers = ({ workspaces }: AppContext): WorkspacesHandlers => ({
  'workspaces.list': async () => ok(await workspaces.list()),
  'workspaces.look-around': () => workspaces.lookAround(),
  'workspaces.start-local': (args) => workspaces.startLocal(args),
  'workspaces.probe': (args) => workspaces.probe(args),
  'workspaces.connect': (args) => workspaces.connect(args),
  'workspaces.supply-keys': (args) => workspaces.supplyKeys(args),
  'workspaces.remove': (args) => workspaces.remove(args),
})
