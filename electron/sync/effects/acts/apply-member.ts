import { getMemberByRemote, putMember, type MemberColumns } from '../../../mirror/members-layer.ts'
import type { Tx } from '../../../mirror/tx.ts'
import type { RemoteMember } from '../../../remote/remote.ts'

/** Writes a member the server shows; says whether that changed anything. */
export function applyMember(tx: Tx, theirs: RemoteMember, newId: () => string): boolean {
  const known = getMemberByRemote(tx, theirs.id)
  const row: MemberColumns = {
    id: known?.id ?? newId(),
    remote_id: theirs.id,
    email: theirs.email,
    status: theirs.status,
    role_id: theirs.roleId,
    etag: theirs.etag ?? null,
    created_at: theirs.createdAt ?? known?.created_at ?? null,
  }
  if (JSON.stringify(row) === JSON.stringify(known)) return false
  putMember(tx, row)
  return true
}
