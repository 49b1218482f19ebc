import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { cancelled } from '../jobs.ts'
import { diskError } from '../settings/disk-error.ts'
import { findSealedValue } from './find-sealed-value.ts'
import { keepApiKey } from './new-workspace.ts'
import { opensWith } from './opens-value.ts'
import { wrongWorkspace } from './own-remote.ts'
import { reachService } from './reach-service.ts'
import { remoteAppError } from './remote-app-error.ts'
import { requireCipher } from './require-cipher.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

export interface MoveArgs {
  workspaceId: string
  baseUrl: string
  apiKey: string
  allowInsecure: boolean
}

/**
 * Gives a workspace the address that its service has now. Also makes a local workspace a remote one, once its data are on a service. All else
 * stays: unsent changes are sent to the new address. Errors: `wrong-workspace` and `workspace-key-wrong` if another workspace answers there,
 * and those of the request. Once `signal` is aborted, it changes nothing.
 */
export const moveService = async (
  context: WorkspacesContext,
  { workspaceId, ...args }: MoveArgs,
  signal: AbortSignal,
): Promise<Result<null, AppError>> => {
  const { keys, sessions } = context
  const opened = await sessions.get(workspaceId)
  if (!opened.ok) return opened
  const { info } = opened.value
  const cipher = requireCipher(opened.value)
  if (!cipher.ok) return cipher.error.kind === 'workspace-key-missing' ? err(workspaceErrors.keyMissingToMove) : cipher
  const store = await keys.storeForNewKeys()
  if (!store.ok) return store
  const reached = await reachService(context.app, args, signal)
  if (!reached.ok) return reached
  const { baseUrl, apiKey, remote, workspace } = reached.value
  if (workspace.id !== info.remoteId) return err(wrongWorkspace(workspace))
  // The ids of other services may be as short as "1".
  const search = await findSealedValue(remote)
  if (!search.ok) return err(remoteAppError(search.error))
  const { found } = search.value
  if (found !== null && opensWith(cipher.value, workspace.id, found) === null) return err(workspaceErrors.keyWrong)
  if (signal.aborted) return err(cancelled)

  await sessions.retire(workspaceId, workspaceErrors.moving)
  try {
    const moved = await writeInfo(context, { ...info, kind: 'remote', baseUrl, allowInsecure: args.allowInsecure })
    if (!moved.ok) return moved
    const kept = await keepApiKey(store.value, workspaceId, apiKey, baseUrl)
    if (!kept.ok) return kept
  } finally {
    sessions.reinstate(workspaceId)
  }
  const reopened = await sessions.get(workspaceId)
  return reopened.ok ? ok(null) : reopened
}

async function writeInfo({ app, folders }: WorkspacesContext, info: WorkspaceInfo): Promise<Result<null, AppError>> {
  try {
    await folders.complete(info)
    return ok(null)
  } catch (error) {
    const known = diskError(error, app.dataDir)
    if (known === null) throw error
    return err(known)
  }
}
