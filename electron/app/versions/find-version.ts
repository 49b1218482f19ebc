import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import { getBaseByRemote } from '../../mirror/base-layer.ts'
import { operationsOf } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getVersion, type VersionColumns } from '../../mirror/versions-layer.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import type { Row } from '../../queue/entry.ts'
import { notFound } from '../edits/refusals.ts'
import { notMirrored, notTaken } from './version-errors.ts'

export interface FoundVersion {
  version: VersionColumns
  environment: Row
}

/** Returns a version that exists on the service, with its environment. */
export function findVersion(tx: Tx, versionId: string): Result<FoundVersion, AppError> {
  const version = getVersion(tx, versionId)
  if (version === null) return operationsOf(tx, versionId).length > 0 ? notTaken() : notFound('version')
  const environmentId = getBaseByRemote(tx, 'environment', version.environment_remote_id)?.id
  const environment = environmentId === undefined ? null : getWorking(tx, environmentId)
  return environment === null ? notFound('environment') : ok({ version, environment })
}

/** Like `findVersion`, for a version whose variables are mirrored. */
export function findMirrored(tx: Tx, versionId: string): Result<FoundVersion, AppError> {
  const found = findVersion(tx, versionId)
  return found.ok && found.value.version.is_mirrored === 0 ? notMirrored() : found
}
