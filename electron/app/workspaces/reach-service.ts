import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { checkBaseUrl } from '../../remote/check-base-url.ts'
import { createRemote } from '../../remote/create-remote.ts'
import type { RemoteWorkspace } from '../../remote/records.ts'
import type { Remote, RemoteError } from '../../remote/remote.ts'
import type { AppDeps } from '../app-deps.ts'
import { remoteAppError } from './remote-app-error.ts'
import { workspaceErrors } from './workspace-errors.ts'

export interface Reached {
  /** In its normal form. */
  baseUrl: string
  apiKey: string
  remote: Remote
  workspace: RemoteWorkspace
}

/** Short, because a person is waiting for the answer. */
const timeoutMs = 15_000

/**
 * Checks a typed address and API key, and reads their workspace from the service (operation 1). `signal`: ends this request and those of
 * `remote`.
 */
export const reachService = async (
  app: Pick<AppDeps, 'fetch' | 'now'>,
  args: { baseUrl: string; apiKey: string; allowInsecure: boolean },
  signal: AbortSignal,
): Promise<Result<Reached, AppError>> => {
  const { allowInsecure } = args
  const checked = checkBaseUrl(args.baseUrl, { allowInsecure })
  if (!checked.ok) {
    const { kind, message } = checked.error
    return err(kind === 'insecure-url' ? { kind, message } : { kind: 'invalid-input', message, field: 'baseUrl' })
  }
  const apiKey = args.apiKey.trim()
  if (apiKey === '') return err(workspaceErrors.apiKeyEmpty)
  const baseUrl = checked.value
  const remote = createRemote({ baseUrl, apiKey: () => apiKey, fetch: app.fetch, now: app.now, allowInsecure, timeoutMs, signal })
  const workspace = await remote.getWorkspace()
  return workspace.ok ? ok({ baseUrl, apiKey, remote, workspace: workspace.value }) : err(reachError(workspace.error, baseUrl))
}

/** Returns why the workspace could not be read. It is not known yet whether this is the address of a service. */
function reachError(error: RemoteError, baseUrl: string): AppError {
  const isElsewhere =
    error.kind === 'missing' ||
    error.kind === 'no-route' ||
    (error.kind === 'refused' && error.status !== 403) ||
    (error.kind === 'service-failed' && error.status === 501)
  if (!isElsewhere) return remoteAppError(error)
  const { host } = new URL(baseUrl)
  const message = `Something else answers at ${host}. Check the address: it may need a path, such as ${baseUrl}/api.`
  return { kind: 'not-a-service', message }
}
