import type { MemberRow, RowSync } from '../../electron/bridge/rows.ts'

const known: Readonly<Record<string, string>> = { active: 'Active', invited: 'Invited', unsent: 'Invitation pending' }

/** Whether an unsent change of a member waits for the user, not for its turn. */
export const needsDecision = (sync: RowSync): boolean => sync === 'failed' || sync === 'conflict' || sync === 'blocked'

/** Where a member stands, in a few words: why something waits for the user before all else, a status Holdfast does not know as it is. */
export const memberStatusWords = ({
  status,
  isLeaving,
  sync,
  syncReason,
}: Pick<MemberRow, 'status' | 'isLeaving' | 'sync' | 'syncReason'>): string => {
  if (needsDecision(sync) && syncReason !== null) return syncReason
  return isLeaving ? 'Removal pending' : (known[status] ?? status)
}
