import { getBase } from '../../mirror/base-layer.ts'
import { getMember } from '../../mirror/members-layer.ts'
import { getState } from '../../mirror/workspace-state.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getVersion } from '../../mirror/versions-layer.ts'
import { isChange, type Entry } from '../../queue/entry.ts'
import { needsSeen } from '../plan/start-entry.ts'
import type { PushItem, RemoteMemberRow, RemoteParent } from '../port.ts'

export type ParentOf = (ancestors: readonly string[]) => RemoteParent | null

/** Returns an entry with the facts that an adapter needs to send it, read in one transaction. */
export function pushItemOf(tx: Tx, entry: Entry, parentOf: ParentOf = (ancestors) => remoteParent(tx, ancestors)): PushItem {
  const member = entry.rowKind === 'member' ? memberOf(tx, entry.rowId) : null
  return {
    entry,
    base: isChange(entry) ? getBase(tx, entry.rowId) : null,
    parent: parentOf(entry.ancestors),
    from: isChange(entry) && entry.leaves.length > 0 ? parentOf(entry.leaves) : null,
    remoteId: entry.rowKind === 'version' ? (getVersion(tx, entry.rowId)?.remote_id ?? null) : (member?.remoteId ?? null),
    member,
    seen: needsSeen(entry) ? getState(tx, 'feed-cursor') : null,
  }
}

/**
 * Returns the nearest of these ancestors as the service knows it. Null: the list is empty, or that ancestor or its project is not on the
 * service.
 */
export function remoteParent(tx: Tx, ancestors: readonly string[]): RemoteParent | null {
  const [id] = ancestors
  const parent = id === undefined ? null : getBase(tx, id)
  const slug = parent?.fields.slug
  if (parent === null || slug === undefined) return null
  if (parent.kind === 'project') return { remoteId: parent.remoteId, path: { project: slug, environment: '' } }
  // Read from base: an entry queued below a placeholder does not name the project.
  const project = parent.parentId === null ? undefined : getBase(tx, parent.parentId)?.fields.slug
  return project === undefined ? null : { remoteId: parent.remoteId, path: { project, environment: slug } }
}

/** Returns `remoteParent` for a transaction that does not change base: it reads each parent once. */
export function remoteParents(tx: Tx): ParentOf {
  const known = new Map<string | undefined, RemoteParent | null>()
  return (ancestors) => {
    const [id] = ancestors
    const read = known.get(id)
    if (read !== undefined) return read
    const parent = remoteParent(tx, ancestors)
    known.set(id, parent)
    return parent
  }
}

function memberOf(tx: Tx, id: string): RemoteMemberRow | null {
  const row = getMember(tx, id)
  if (row === null) return null
  const { remote_id: remoteId, email, status, role_id: roleId, etag, created_at: createdAt } = row
  return { remoteId, email, status, roleId, etag, createdAt }
}
