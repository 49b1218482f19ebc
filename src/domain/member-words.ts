import type { CommandName } from '../../electron/bridge/contract.ts'
import type { MemberRow, RoleRow, RowSync } from '../../electron/bridge/rows.ts'

const known: Readonly<Record<string, string>> = { active: 'Active', invited: 'Invited', unsent: 'Invitation pending' }

/** Whether an unsent change of a member waits for the user, not for its turn. */
export const needsDecision = (sync: RowSync): boolean => sync === 'failed' || sync === 'conflict' || sync === 'blocked'

/** The state of a member in a few words: first why something waits for the user; an unknown status is shown unchanged. */
export const memberStatusWords = ({
  status,
  isLeaving,
  sync,
  syncReason,
}: Pick<MemberRow, 'status' | 'isLeaving' | 'sync' | 'syncReason'>): string => {
  if (needsDecision(sync) && syncReason !== null) return syncReason
  return isLeaving ? 'Removal pending' : (known[status] ?? status)
}

/** The label of the action that removes a member, or cancels the removal. */
export const outWords = ({ status, isLeaving }: Pick<MemberRow, 'status' | 'isLeaving'>): string =>
  isLeaving ? 'Keep' : status === 'unsent' ? 'Discard invitation' : 'Remove'

/** Why the last active owner is not removed and keeps their role. */
export const lastOwnerWords = 'A workspace needs an owner. Make someone else an owner first.'

/**
 * The id of the only active member whose role may appoint owners; null if there are several, or the service doesn't list the permissions of
 * roles. Without an owner the workspace can't be managed.
 */
export const lastOwner = (
  members: readonly Pick<MemberRow, 'id' | 'status' | 'roleId' | 'isLeaving'>[],
  roles: readonly RoleRow[],
): string | null => {
  const owning = new Set(roles.filter(({ permissions }) => permissions.includes('owners.write')).map(({ id }) => id))
  const owners = members.filter(({ status, roleId, isLeaving }) => status === 'active' && owning.has(roleId) && !isLeaving)
  return owners.length === 1 ? (owners[0]?.id ?? null) : null
}

/**
 * The command that the service may refuse when a member is removed; undefined: an invitation or a removal was never sent, and only has to
 * be discarded.
 */
export const neededToRemove = ({ status, isLeaving }: Pick<MemberRow, 'status' | 'isLeaving'>): CommandName | undefined =>
  status === 'unsent' || isLeaving ? undefined : 'members.remove'
