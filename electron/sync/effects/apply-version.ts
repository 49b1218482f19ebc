import type { Tx } from '../../mirror/tx.ts'
import { getVersionByRemote, putVersion, type VersionColumns } from '../../mirror/versions-layer.ts'
import type { RemoteVersion } from '../../remote/remote.ts'

/** Writes a version the server shows; gives the row and whether that changed it. A version once taken keeps its variables. */
export function applyVersion(tx: Tx, theirs: RemoteVersion, newId: () => string): { id: string; changed: boolean } {
  const known = getVersionByRemote(tx, theirs.id)
  const row: VersionColumns = {
    id: known?.id ?? newId(),
    remote_id: theirs.id,
    environment_remote_id: theirs.environmentId,
    label: theirs.label,
    note: theirs.note,
    variable_count: theirs.variableCount,
    created_at: theirs.createdAt,
    created_by: theirs.updatedBy ?? known?.created_by ?? null,
    is_mirrored: known?.is_mirrored ?? 0,
  }
  const changed = JSON.stringify(row) !== JSON.stringify(known)
  if (changed) putVersion(tx, row)
  return { id: row.id, changed }
}
