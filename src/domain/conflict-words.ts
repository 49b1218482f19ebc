import type { ConflictRow } from '../../electron/bridge/rows.ts'

/** What happened, in one sentence, and what the two plain answers to it do. */
export const conflictWords = (
  conflict: Pick<ConflictRow, 'kind' | 'subject' | 'name' | 'theirsBy'>,
): { story: string; mine: string; theirs: string } => {
  const who = conflict.theirsBy ?? 'Somebody'
  switch (conflict.kind) {
    case 'fields':
      return { story: `${who} changed it on the service while you changed it here.`, mine: 'Keep mine', theirs: 'Take theirs' }
    case 'deleted-remotely':
      return {
        story: `${who} deleted it on the service while you changed it here.`,
        mine: 'Keep mine, create it again',
        theirs: 'Take theirs, delete it',
      }
    case 'changed-remotely':
      return {
        story: `${who} changed it on the service after you deleted it here.`,
        mine: 'Keep mine, delete it',
        theirs: 'Take theirs, keep it',
      }
    case 'name-taken':
      if (conflict.subject === 'member')
        return {
          story: `${conflict.name} is a member or invited already, with another role.`,
          mine: 'Give my role',
          theirs: 'Leave theirs',
        }
      return {
        story: `The service already has another one called ${conflict.name}.`,
        mine: 'Keep mine, replace theirs',
        theirs: 'Take theirs',
      }
    case 'changed-below':
      return {
        story: `${who} changed something in it on the service after you deleted it here. Nothing was deleted there.`,
        mine: 'Delete it anyway',
        theirs: 'Keep it',
      }
    case 'stale-rollback':
      return {
        story: 'The environment is not what the preview of this rollback showed any more. Nothing was sent.',
        mine: 'Roll back anyway',
        theirs: 'Give up the rollback',
      }
  }
}
