import type { RollbackCounts } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { numberText } from './number-text.ts'
import { tally } from './tally.ts'

/** The effect of a rollback in a few words: `2 added, 1 changed`; `no change` when there is none. */
export const rollbackCountWords = ({ added, updated, removed }: RollbackCounts): string =>
  tally([
    [added, 'added'],
    [updated, 'changed'],
    [removed, 'deleted'],
  ]) || 'no change'

/** What a rollback that changes something would do, as a sentence: `Rolling back adds 1, changes 2, and deletes 1.` */
export const rollbackWouldWords = (counts: RollbackCounts): string => {
  const parts = [
    { does: 'adds', count: counts.added },
    { does: 'changes', count: counts.updated },
    { does: 'deletes', count: counts.removed },
  ]
  const words = parts.filter(({ count }) => count > 0).map(({ does, count }) => `${does} ${numberText(count)}`)
  return `Rolling back ${list.format(words)}.`
}

const list = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** Whether a rollback would have no visible effect. */
export const isIdle = ({ added, updated, removed }: RollbackCounts): boolean => added + updated + removed === 0

/** The limit of a preview on a service without lists. */
export const unlistedWords =
  'This service can’t list its variables. The ones you don’t track aren’t counted here, but rolling back changes or deletes them too.'

/** When a rollback is sent, and what happens if others are faster, in one sentence. `unsent`: changes of the environment queued before it. */
export const rollbackTimingWords = (unsent: number, away: boolean): string => {
  const first = unsent === 0 ? '' : `, after the ${unsent === 1 ? 'change' : counted(unsent, 'change')} queued before it`
  const when = away ? `It runs when you’re back online${first}.` : `It runs now${first}.`
  return `${when} If someone changes the environment before that, you’ll be asked again.`
}
