import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { formatWorkspaceKey, generateWorkspaceKey } from '../../cipher/workspace-key.ts'
import { displayNameProblem, firstWorkspaceName } from '../../../service/protocol/names.ts'
import { makeWorkspace } from './new-workspace.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

/** Creates a workspace with a local service and opens it. `recoveryKey`: set if keys are kept in this session only. */
export const startLocal = async (
  context: WorkspacesContext,
  args: { name?: string | undefined },
): Promise<Result<{ workspaceId: string; recoveryKey: string | null }, AppError>> => {
  const name = args.name?.trim() ?? firstWorkspaceName
  const problem = displayNameProblem(name)
  if (problem !== null) return err({ kind: 'invalid-input', message: problem, field: 'name' })
  const store = await context.keys.storeForNewKeys()
  if (!store.ok) return store

  const key = generateWorkspaceKey(context.app.randomBytes)
  // The service creates the workspace under this id when it starts. This function does not wait for that.
  const remoteId = context.newId()
  const made = await makeWorkspace(context, store.value, key, async () =>
    ok({ kind: 'local', name, baseUrl: null, remoteId, allowInsecure: false, values: 'bound' }),
  )
  if (!made.ok) return made
  const opened = await context.sessions.get(made.value.id)
  if (!opened.ok) return opened
  return ok({ workspaceId: made.value.id, recoveryKey: store.value.kind === 'session' ? formatWorkspaceKey(key) : null })
}
