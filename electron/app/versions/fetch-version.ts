import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { sealVersion } from '../../sync/effects/acts/keep-version.ts'
import type { AppContext } from '../app-context.ts'
import { remoteAppError } from '../workspaces/remote-app-error.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { findVersion } from './find-version.ts'
import { notOfHere, notOnServer, notReached, noVersion } from './version-errors.ts'

/** Fetches the variables of a version that is known here. */
export async function fetchVersion(context: AppContext, session: WorkspaceSession, versionId: string): Promise<Result<null>> {
  const found = session.mirror.snapshot((tx) => findVersion(tx, versionId))
  if (!found.ok) return found
  if (found.value.version.is_mirrored === 1) return ok(null)
  const { remote_id: remoteId, environment_remote_id: environment } = found.value.version
  const fetched = await fetchAndKeep(context, session, remoteId, environment)
  return fetched.ok ? ok(null) : fetched
}

/** Fetches a version of an environment by the server's id; gives its local id. */
export async function mirrorVersion(
  context: AppContext,
  session: WorkspaceSession,
  environmentId: string,
  remoteId: string,
): Promise<Result<{ id: string }>> {
  const environment = session.mirror.snapshot((tx) => getBase(tx, environmentId))?.remoteId
  return environment === undefined ? notOnServer() : fetchAndKeep(context, session, remoteId, environment)
}

async function fetchAndKeep(
  context: AppContext,
  session: WorkspaceSession,
  remoteId: string,
  environment: string,
): Promise<Result<{ id: string }>> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  if (session.remote === null) return session.engineProblem === null ? notReached() : err(session.engineProblem)
  const read = await session.remote.getVersion(remoteId)
  if (!read.ok) return read.error.kind === 'missing' ? noVersion() : err(remoteAppError(read.error))
  if (read.value.environmentId !== environment) return notOfHere()
  const keep = sealVersion(cipher.value, read.value)
  const id = session.mirror.write((tx) => keep(tx, context.newId))
  context.emit({ push: 'changed', workspaceId: session.id, tables: ['versions'] })
  return ok({ id })
}
