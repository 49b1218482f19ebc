import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { createWorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { generateWorkspaceKey } from '../../cipher/workspace-key.ts'
import { createRemote } from '../../remote/create-remote.ts'
import type { AppDeps, ServiceChild } from '../app-deps.ts'
import { diskError } from '../settings/disk-error.ts'
import { fillSample } from './fill-sample.ts'
import { keepWorkspaceKey } from './new-workspace.ts'
import type { RunningSession } from './open-session.ts'
import { remoteAppError } from './remote-app-error.ts'
import { makeSampleFolder, type SampleFolder } from './sample-folders.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

export interface Sample {
  session: RunningSession
  /** To be called once the session is closed. */
  remove(): Promise<void>
}

const sampleName = 'Sample'

const fill = async (app: AppDeps, child: ServiceChild, key: Uint8Array): Promise<Result<null, AppError>> => {
  const remote = createRemote({ baseUrl: child.url, apiKey: () => child.apiKey, fetch: app.fetch, now: app.now })
  const filled = await fillSample(remote, createWorkspaceCipher(key))
  return filled.ok ? filled : err(remoteAppError(filled.error))
}

const openIn = async (context: WorkspacesContext, folder: SampleFolder): Promise<Result<RunningSession, AppError>> => {
  const { app, stores, sessions } = context
  const id = context.newId()
  const store = stores.openSession()
  const key = generateWorkspaceKey(app.randomBytes)
  const kept = await keepWorkspaceKey(store, id, key)
  if (!kept.ok) return kept

  const service = sessions.service(id, folder.path)
  const first = await service.firstStart()
  const filled = first.ok ? await fill(app, first.value, key) : err<AppError>({ kind: 'service-not-started', message: first.error })
  if (!filled.ok || !first.ok) {
    await service.stop()
    return filled.ok ? err({ kind: 'service-not-started', message: 'The sample could not be started.' }) : filled
  }
  const createdAt = new Date(app.now()).toISOString()
  const info: WorkspaceInfo = {
    id,
    kind: 'sample',
    name: sampleName,
    baseUrl: null,
    remoteId: first.value.workspaceId,
    allowInsecure: false,
    createdAt,
  }
  return sessions.open({ info, folder: folder.path, service, keyStore: async () => ok(store) })
}

/**
 * Opens a sample to look around in: its own service, database and keys, in a temporary folder and in memory, nothing of it in the data
 * folder or the key store. Filled when it comes back.
 */
export const openSample = async (context: WorkspacesContext): Promise<Result<Sample, AppError>> => {
  let folder: SampleFolder | null = null
  try {
    const made = await makeSampleFolder()
    if (!made.ok) return made
    folder = made.value
    const opened = await openIn(context, folder)
    if (opened.ok) return ok({ session: opened.value, remove: folder.remove })
    await folder.remove()
    return opened
  } catch (error) {
    await folder?.remove()
    const known = diskError(error, 'the temporary folder')
    if (known === null) throw error
    return err(known)
  }
}
