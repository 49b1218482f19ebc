import { z } from 'zod'
import type { QueuedRollback, RollbackCounts, RollbackOutcome, VersionList, VersionRow } from '../../bridge/rows.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { operationsOn } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { lastRollback, versionsOf, type RollbackColumns, type VersionColumns } from '../../mirror/versions-layer.ts'
import type { RollbackOperation, SnapshotOperation } from '../../queue/entry.ts'
import { limitOf } from '../capabilities/limit-of.ts'

const countsSchema: z.ZodType<RollbackCounts> = z.object({ added: z.number(), updated: z.number(), removed: z.number() })

/** Returns the versions of an environment, with its queued snapshots and rollbacks. */
export function listVersions(tx: Tx, environmentId: string): VersionList {
  const remoteId = getBase(tx, environmentId)?.remoteId ?? null
  const operations = operationsOn(tx, environmentId)
  const known = remoteId === null ? [] : versionsOf(tx, remoteId).map((version) => versionRow(version, environmentId))
  const here = new Set(known.map((row) => row.id))
  const snapshots = operations.filter((operation) => operation.kind === 'snapshot').filter((operation) => !here.has(operation.rowId))
  const last = remoteId === null ? null : lastRollback(tx, remoteId)
  return {
    rows: [...snapshots.toReversed().map((operation) => queuedRow(operation, environmentId)), ...known],
    rollbacks: operations.filter((operation) => operation.kind === 'rollback').map(queuedRollback),
    lastRollback: last && outcomeOf(last),
    limit: limitOf(tx, 'versions'),
  }
}

export const versionRow = (version: VersionColumns, environmentId: string): VersionRow => ({
  id: version.id,
  environmentId,
  label: version.label,
  note: version.note,
  variableCount: version.variable_count,
  createdAt: version.created_at,
  createdBy: version.created_by,
  isMirrored: version.is_mirrored === 1,
  sync: 'synced',
  syncReason: null,
  changeId: null,
})

const queuedRow = (operation: SnapshotOperation, environmentId: string): VersionRow => ({
  id: operation.rowId,
  environmentId,
  label: operation.detail.label ?? null,
  note: operation.detail.note ?? '',
  variableCount: null,
  createdAt: null,
  createdBy: null,
  isMirrored: false,
  sync: operation.state,
  syncReason: operation.reason,
  changeId: operation.id,
})

const queuedRollback = (operation: RollbackOperation): QueuedRollback => ({
  changeId: operation.id,
  versionId: operation.rowId,
  label: operation.detail.label,
  counts: operation.detail.agreed.counts,
  state: operation.state,
  reason: operation.reason,
})

// The JSON is our own.
const outcomeOf = (outcome: RollbackColumns): RollbackOutcome => ({
  versionId: outcome.version_id,
  label: outcome.label,
  at: new Date(outcome.at).toISOString(),
  counts: outcome.counts === null ? null : countsSchema.parse(JSON.parse(outcome.counts)),
  previewed: countsSchema.parse(JSON.parse(outcome.previewed)),
  difference: outcome.difference,
})
