import { deleteMember, getMemberByRemote } from '../../../mirror/members-layer.ts'
import type { Tx } from '../../../mirror/tx.ts'
import { deleteVersion, getVersionByRemote } from '../../../mirror/versions-layer.ts'
import type { FeedItem } from '../../../remote/remote.ts'
import { applyVersion } from '../apply-version.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { applyMember } from './apply-member.ts'

/** Writes what the feed says of a version or a member; says whether that changed anything. */
export function applyBeside(tx: Tx, item: Extract<FeedItem, { resource: 'version' | 'member' }>, deps: EngineDeps): boolean {
  if (item.resource === 'version') {
    if (item.record !== null) return applyVersion(tx, item.record, () => deps.newId()).changed
    const known = getVersionByRemote(tx, item.id)
    if (known !== null) deleteVersion(tx, known.id)
    return known !== null
  }
  if (item.record !== null) return applyMember(tx, item.record, () => deps.newId())
  const known = getMemberByRemote(tx, item.id)
  if (known !== null) deleteMember(tx, known.id)
  return known !== null
}
