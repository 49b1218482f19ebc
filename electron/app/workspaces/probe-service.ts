import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { findSealedValue } from './find-sealed-value.ts'
import { reachService } from './reach-service.ts'
import { remoteAppError } from './remote-app-error.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

/** Asks a service who it is, and saves nothing. `hasValues` null: it offers no way to see that. */
export const probeService = async (
  { app }: WorkspacesContext,
  args: { baseUrl: string; apiKey: string; allowInsecure: boolean },
): Promise<Result<{ name: string; hasValues: boolean | null }, AppError>> => {
  const reached = await reachService(app, args)
  if (!reached.ok) return reached
  const search = await findSealedValue(reached.value.remote)
  if (!search.ok) return err(remoteAppError(search.error))
  const { found, complete } = search.value
  const none = complete ? false : null
  return ok({ name: reached.value.workspace.name, hasValues: found === null ? none : true })
}
