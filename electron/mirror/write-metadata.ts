import { getMemberByRemote, putMember, rebindMember } from './members-layer.ts'
import type { Tx } from './tx.ts'
import { getVersionByRemote, putVariablesOfVersion, putVersion, rebindVersion } from './versions-layer.ts'
import type { RemoteMemberRow, RemoteVersionRow } from '../sync/port.ts'

/**
 * Writes a version that the service shows, with its variables where they were read; gives its local id. `id`: the local id
 * that it gets when it is new, and takes over when an operation of this computer made it (`takesId`).
 */
export function writeVersion(tx: Tx, version: RemoteVersionRow, id: string, takesId: boolean): { id: string; isChanged: boolean } {
  const found = getVersionByRemote(tx, version.remoteId)
  if (found !== null && found.id !== id && takesId) rebindVersion(tx, found.id, id)
  const known = getVersionByRemote(tx, version.remoteId)
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
  }
  const isChanged = JSON.stringify(row) !== JSON.stringify(known)
  if (isChanged) putVersion(tx, row)
  if (version.variables !== null) putVariablesOfVersion(tx, row.id, [...version.variables])
  return { id: row.id, isChanged: isChanged || version.variables !== null }
}

/** Writes a member that the service shows; says whether that changed anything. `id`: as for a version. */
export function writeMember(tx: Tx, member: RemoteMemberRow, id: string, takesId: boolean): boolean {
  const found = getMemberByRemote(tx, member.remoteId)
  if (found !== null && found.id !== id && takesId) rebindMember(tx, found.id, id)
  const known = getMemberByRemote(tx, member.remoteId)
  const row = {
    id: known?.id ?? id,
    remote_id: member.remoteId,
    email: member.email,
    status: member.status,
    role_id: member.roleId,
    etag: member.etag,
    created_at: member.createdAt ?? known?.created_at ?? null,
  }
  if (JSON.stringify(row) === JSON.stringify(known)) return false
  putMember(tx, row)
  return true
}
