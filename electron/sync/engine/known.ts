import { baseChildren, getBaseByRemote, variableEtags } from '../../mirror/base-layer.ts'
import { trackedBelow } from '../../mirror/tracked-names.ts'
import { allMembers } from '../../mirror/members-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { childChanges, entriesOfSort, operationsOf } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { versionsOf } from '../../mirror/versions-layer.ts'
import { isChange, parentKind, type RowKind } from '../../queue/entry.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import type { Known } from '../port.ts'

/**
 * Returns the reads of the mirror that adapters need for a pull. `names`: names of the variables of a version that is being rolled back to,
 * by environment.
 */
export function knownIn(mirror: Mirror, names: ReadonlyMap<string, readonly string[]> = new Map()): Known {
  const local = (tx: Tx, kind: RowKind, remoteId: string): string | null => {
    const kindOfParent = parentKind[kind]
    return kindOfParent === null ? null : (getBaseByRemote(tx, kindOfParent, remoteId)?.id ?? null)
  }
  return {
    rows: (kind, parentRemoteId) =>
      mirror.snapshot((tx) => {
        if (parentRemoteId === null) return baseChildren(tx, null).filter((row) => row.kind === kind)
        const parentId = local(tx, kind, parentRemoteId)
        return parentId === null ? [] : baseChildren(tx, parentId)
      }),
    trackedNames: (kind, parentRemoteId) =>
      mirror.snapshot((tx) => {
        const parentId = parentRemoteId === null ? null : local(tx, kind, parentRemoteId)
        if (parentRemoteId !== null && parentId === null) return []
        return [
          ...trackedBelow(tx, kind, parentId),
          ...(parentRemoteId === null ? [] : (names.get(parentRemoteId) ?? [])).map((key) => ({ id: null, key })),
          ...keysOfCreates(tx, kind, parentId).map((key) => ({ id: null, key })),
        ]
      }),
    versions: (environmentRemoteId) => mirror.snapshot((tx) => versionsOf(tx, environmentRemoteId).map((version) => version.remote_id)),
    unchanged(variables) {
      const known = mirror.snapshot((tx) =>
        variableEtags(
          tx,
          variables.map(({ remoteId }) => remoteId),
        ),
      )
      // The answer to an edit may show that others moved the variable to an environment that no pull has read yet: the mirror then has the
      // new ETag with the old parent.
      const isUnchanged = ({ remoteId, parentRemoteId, etag }: (typeof variables)[number]) =>
        etag !== undefined && known.get(remoteId)?.etag === etag && known.get(remoteId)?.parent === parentRemoteId
      return new Set(variables.filter(isUnchanged).map(({ remoteId }) => remoteId))
    },
    members: () =>
      mirror.snapshot((tx) =>
        allMembers(tx)
          .filter(({ id }) => operationsOf(tx, id).length === 0)
          .map((member) => member.remote_id),
      ),
  }
}

/** Returns the names of unsent creates: others may have created the same record. */
function keysOfCreates(tx: Tx, kind: RowKind, parentId: string | null): string[] {
  const changes = parentId === null ? entriesOfSort(tx, 'create', kind).filter(isChange) : childChanges(tx, parentId)
  return changes.flatMap((change) => (change.kind === 'create' && change.state !== 'sending' ? (naturalKey(kind, change.patch) ?? []) : []))
}
