import { getMemberByRemote, putMember, rebindMember } from './members-layer.ts'
import { nextRev } from './past-layer.ts'
import type { Tx } from './tx.ts'
import { getVersionByRemote, putVariablesOfVersion, putVersion, rebindVersion } from './versions-layer.ts'
import type { RemoteMemberRow, RemoteVersionRow } from '../sync/port.ts'

/** How records of one kind are found and written. */
interface Layer<Row> {
  find(tx: Tx, remoteId: string): Row | null
  rebind(tx: Tx, from: string, to: string): void
  put(tx: Tx, row: Row): void
}

const versions = { find: getVersionByRemote, rebind: rebindVersion, put: putVersion }
const members = { find: getMemberByRemote, rebind: rebindMember, put: putMember }

/**
 * Writes a version of the service, with its variables if they were read; returns its local id. `id`: the local id for a new version; an
 * existing one takes it if `isOwn`: a snapshot of this computer made it. Any other new version counts as a remote change, because no screen
 * has shown it.
 */
export function writeVersion(tx: Tx, version: RemoteVersionRow, id: string, isOwn: boolean): { id: string; isChanged: boolean } {
  const known = findKnown(tx, versions, version.remoteId, isOwn ? id : null)
  const row = {
    id: known?.id ?? id,
    remote_id: version.remoteId,
    environment_remote_id: version.environmentRemoteId,
    label: version.label,
    note: version.note,
    variable_count: version.variableCount,
    created_at: version.createdAt,
    created_by: version.createdBy ?? known?.created_by ?? null,
    is_mirrored: known?.is_mirrored ?? 0,
    rev: isOwn ? 0 : (known?.rev ?? nextRev(tx)),
  }
  const isChanged = putChanged(tx, versions, row, known)
  if (version.variables !== null) putVariablesOfVersion(tx, row.id, [...version.variables])
  return { id: row.id, isChanged: isChanged || version.variables !== null }
}

/**
 * Writes a member of the service, and returns whether that changed anything. `id`: the local id for a new member; an existing member gets
 * it too if `takesId`.
 */
export function writeMember(tx: Tx, member: RemoteMemberRow, id: string, takesId: boolean): boolean {
  const known = findKnown(tx, members, member.remoteId, takesId ? id : null)
  const row = {
    id: known?.id ?? id,
    remote_id: member.remoteId,
    email: member.email,
    status: member.status,
    role_id: member.roleId,
    etag: member.etag,
    created_at: member.createdAt ?? known?.created_at ?? null,
  }
  return putChanged(tx, members, row, known)
}

/** Returns the known record, after giving it the local id `takes` unless that is null. */
function findKnown<Row extends { id: string }>(tx: Tx, layer: Layer<Row>, remoteId: string, takes: string | null): Row | null {
  const known = layer.find(tx, remoteId)
  if (known === null || takes === null || known.id === takes) return known
  layer.rebind(tx, known.id, takes)
  return layer.find(tx, remoteId)
}

function putChanged<Row>(tx: Tx, layer: Layer<Row>, row: Row, known: Row | null): boolean {
  if (JSON.stringify(row) === JSON.stringify(known)) return false
  layer.put(tx, row)
  return true
}
