import type { RollbackCounts } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { tally } from './tally.ts'

/** What a rollback does, in a few words: `2 added, 1 changed`; `no change` when it does nothing. */
export const rollbackCountWords = ({ added, updated, removed }: RollbackCounts): string =>
  tally([
    [added, 'added'],
    [updated, 'changed'],
    [removed, 'removed'],
  ]) || 'no change'

/** Whether a rollback would change nothing that anybody can see. */
export const isIdle = ({ added, updated, removed }: RollbackCounts): boolean => added + updated + removed === 0

/** What a preview cannot know on a server that lists nothing. */
export const unlistedWords =
  'This server cannot list its variables. Those that you do not follow are not counted here; the rollback removes or changes them as well.'

/** When a rollback is sent, and what happens if others are faster, in one sentence. `unsent`: changes of the environment queued before it. */
export const rollbackTimingWords = (unsent: number, away: boolean): string => {
  const first = unsent === 0 ? '' : `, after the ${unsent === 1 ? 'change' : counted(unsent, 'change')} queued before it`
  const when = away ? `It waits in the queue until the service is back, then goes out${first}.` : `It goes out now${first}.`
  return `${when} If somebody changes the environment before that, you are asked again.`
}
