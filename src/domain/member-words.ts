import type { MemberRow, RowSync } from '../../electron/bridge/rows.ts'

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
