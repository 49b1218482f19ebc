import { createHash } from 'node:crypto'
import { baseChildren } from './base-layer.ts'
import type { Tx } from './tx.ts'
import { variablesOfVersion } from './versions-layer.ts'
import { variablesIn } from './working-layer.ts'
import { isVariable, type RollbackPreview, type Variable } from '../queue/entry.ts'
import { contentsText, planRollback, type NamedFields, type RollbackPlan } from '../sync/plan/plan-rollback.ts'

/** Returns a digest of the variables of an environment; see `contentsText`. */
export const fingerprintOf = (variables: readonly NamedFields[]): string =>
  createHash('sha256').update(contentsText(variables)).digest('base64url')

/** Plans a rollback of an environment as the user sees it, with unsent edits. */
export const planFromWorking = (tx: Tx, environmentId: string, versionId: string): RollbackPlan & Pick<RollbackPreview, 'fingerprint'> =>
  planWith(tx, variablesIn(tx, environmentId), versionId)

/** Plans a rollback of an environment as the service last showed it. */
export const planFromBase = (tx: Tx, environmentId: string, versionId: string): RollbackPlan & Pick<RollbackPreview, 'fingerprint'> =>
  planWith(
    tx,
    baseChildren(tx, environmentId).filter((row) => isVariable(row)),
    versionId,
  )

function planWith(tx: Tx, variables: readonly Variable[], versionId: string) {
  const now = variables.map(({ fields }) => fields)
  return { ...planRollback(now, variablesOfVersion(tx, versionId)), fingerprint: fingerprintOf(now) }
}

export const toPreview = ({ counts, resealed, fingerprint }: RollbackPreview): RollbackPreview => ({ counts, resealed, fingerprint })
