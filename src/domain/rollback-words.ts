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

interface Timing {
  /** How many changes of the environment are queued before it. */
  unsent: number
  /** When changes are sent again; null: they are sent at once. */
  later: string | null
  environment: string
  /** Nobody else can change the environment. */
  isAlone: boolean
}

/** When a rollback is sent, unless that is at once, and what happens if others are faster; empty if there is nothing to say. */
export const rollbackTimingWords = ({ unsent, later, environment, isAlone }: Timing): string => {
  const first = unsent === 0 ? '' : `after the ${unsent === 1 ? 'change' : counted(unsent, 'change')} queued before it`
  const when = [later ?? '', first].filter((part) => part !== '').join(', ')
  return [
    ...(when === '' ? [] : [`It runs ${when}.`]),
    ...(isAlone ? [] : [`If someone changes ${environment} meanwhile, you’ll be asked again.`]),
  ].join(' ')
}

/** How to take back a rollback to which the service adds a version of the state before it. */
export const rollbackUndoWords = 'The current state is saved as a version first. To undo this, roll back to that version.'
