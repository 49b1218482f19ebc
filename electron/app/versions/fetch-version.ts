import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { keepVersion } from '../../sync/engine/keep-version.ts'
import type { Failure } from '../../sync/port.ts'
import type { AppContext } from '../app-context.ts'
import { tryAgain } from '../workspaces/remote-app-error.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { findVersion } from './find-version.ts'
import { notOfHere, notOnService, notReached, noVersion } from './version-errors.ts'

/** Fetches the variables of a version that is known here. */
export async function fetchVersion(context: AppContext, session: WorkspaceSession, versionId: string): Promise<Result<null>> {
  const found = session.mirror.snapshot((tx) => findVersion(tx, versionId))
  if (!found.ok) return found
  if (found.value.version.is_mirrored === 1) return ok(null)
  const { remote_id: remoteId, environment_remote_id: environment } = found.value.version
  const fetched = await fetchAndKeep(context, session, remoteId, environment)
  return fetched.ok ? ok(null) : fetched
}

/** Fetches a version of an environment by its remote id; returns its local id. */
export async function mirrorVersion(
  context: AppContext,
  session: WorkspaceSession,
  environmentId: string,
  remoteId: string,
): Promise<Result<{ id: string }>> {
  const environment = session.mirror.snapshot((tx) => getBase(tx, environmentId))?.remoteId
  return environment === undefined ? notOnService() : fetchAndKeep(context, session, remoteId, environment)
}

async function fetchAndKeep(
  context: AppContext,
  session: WorkspaceSession,
  remoteId: string,
  environment: string,
): Promise<Result<{ id: string }>> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  if (session.port === null) return session.engineProblem === null ? notReached() : err(session.engineProblem)
  const read = await session.port.readVersion(remoteId)
  if (!read.ok) return err(failureError(read.error))
  const version = read.value
  if (version === null) return noVersion()
  if (version.environmentRemoteId !== environment) return notOfHere()
  const id = await keepVersion({ mirror: session.mirror, newId: context.newId }, version)
  context.emit({ push: 'changed', workspaceId: session.id, tables: ['versions'] })
  return id === null ? noVersion() : ok({ id })
}

function failureError({ kind, next, retryAfterMs, ...failure }: Failure): AppError {
  const message = next === undefined ? failure.message : tryAgain(failure.message, retryAfterMs)
  switch (kind) {
    case 'busy':
      return { kind: 'service-failed', message, status: 503 }
    case 'failed':
      return { kind: 'service-failed', message, status: 500 }
    case 'refused':
      return { kind: 'refused', message, status: 400 }
    case 'disk':
      return { kind: 'disk-full', message }
    default:
      return { kind, message }
  }
}
