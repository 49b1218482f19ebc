import type { QueuedRollback, RollbackCounts, RollbackOutcome, VersionList, VersionRow } from '../../bridge/rows.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { actsOn } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { lastRollback, versionsOf, type RollbackColumns, type VersionColumns } from '../../mirror/versions-layer.ts'
import type { RollbackAct, SnapshotAct } from '../../queue/entry.ts'
import { limitOf } from '../../sync/effects/acts/limit-of.ts'

/** The versions of an environment with what is queued for them. */
export function listVersions(tx: Tx, environmentId: string): VersionList {
  const remoteId = getBase(tx, environmentId)?.remoteId ?? null
  const acts = actsOn(tx, environmentId)
  const known = remoteId === null ? [] : versionsOf(tx, remoteId).map((version) => versionRow(version, environmentId))
  const here = new Set(known.map((row) => row.id))
  const snapshots = acts.filter((act) => act.kind === 'snapshot' && !here.has(act.rowId)) as SnapshotAct[]
  const last = remoteId === null ? null : lastRollback(tx, remoteId)
  return {
    rows: [...snapshots.toReversed().map((act) => queuedRow(act, environmentId)), ...known],
    rollbacks: acts.filter((act) => act.kind === 'rollback').map(queuedRollback),
    lastRollback: last && outcomeOf(last),
    limit: limitOf(tx, 'no-version-list'),
  }
}

/** A version of the server as the page sees it. */
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

const queuedRow = (act: SnapshotAct, environmentId: string): VersionRow => ({
  id: act.rowId,
  environmentId,
  label: act.detail.label ?? null,
  note: act.detail.note ?? '',
  variableCount: null,
  createdAt: null,
  createdBy: null,
  isMirrored: false,
  sync: act.state,
  syncReason: act.reason,
  changeId: act.id,
})

const queuedRollback = (act: RollbackAct): QueuedRollback => ({
  changeId: act.id,
  versionId: act.rowId,
  label: act.detail.label,
  counts: act.detail.agreed.counts,
  state: act.state,
  reason: act.reason,
})

// The JSON is our own.
const outcomeOf = (outcome: RollbackColumns): RollbackOutcome => ({
  versionId: outcome.version_id,
  label: outcome.label,
  at: new Date(outcome.at).toISOString(),
  counts: outcome.counts === null ? null : (JSON.parse(outcome.counts) as RollbackCounts),
  previewed: JSON.parse(outcome.previewed) as RollbackCounts,
  difference: outcome.difference,
})
